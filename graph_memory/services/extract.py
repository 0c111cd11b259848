"""Extraction: what turns say of lasting things becomes facts, observations, decisions and mentions of persons.

It follows the turns in the background and keeps nobody waiting. Turns of an episode are claimed by lease, some at a
time; what a model, or the rules, find in them is checked against their very words and kept on the turns until it is
written. Each item has a key of its own made of its turn and text, so that a run that dies on the way, and a retry after
it, store nothing twice. Turns that nothing could be drawn from stay as they are, visibly waiting; those that failed by
themselves are parked after some tries.

Source: constants.md 2.1 (sources and confidence), 2.6 (pass A), 2.8 (Extraction, Person mentions) and 2.10; cases.md 21
and 28 to 33.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo

from graph_memory.domain.asked import (
    RULES,
    Answer,
    Extraction,
    PersonMention,
    StatedDecision,
    StatedFact,
    Utterance,
)
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.extraction import ExtractionRules, of_utterance
from graph_memory.domain.extraction_check import sound
from graph_memory.domain.identity import item_key
from graph_memory.domain.support import SupportRules
from graph_memory.domain.vocabulary import (
    Category,
    EpistemicType,
    Horizon,
    Kind,
    MemoryId,
    NodeId,
    Source,
    UserId,
    WriteOperation,
)
from graph_memory.errors import (
    ConflictError,
    GraphMemoryError,
    InferenceError,
    InvalidValueError,
    ModelUnavailableError,
)
from graph_memory.ports import (
    Clock,
    ContextStore,
    Drawn,
    ExtractionQueue,
    Ids,
    LanguageModel,
    MemoryStore,
    Talk,
    TalkTurn,
    TurnExtraction,
    WaitingTurn,
)
from graph_memory.services.amend import Amend
from graph_memory.services.contradict_live import ContradictLive
from graph_memory.services.due_work import DueWork
from graph_memory.services.inspect import Inspect
from graph_memory.services.ledger import DecisionDraft, Ledger
from graph_memory.services.meet import Meet, MentionDraft
from graph_memory.services.remember import Remember
from graph_memory.services.zones import zone_of
from graph_memory.settings import CurationSettings

_log = logging.getLogger(__name__)
_TALK_TURNS = 200  # turns of an episode that are looked at around those claimed
_EPISODES = 20  # due episodes asked for at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What came of some turns."""

    turns: int = 0
    facts: int = 0
    observations: int = 0
    decisions: int = 0
    persons: int = 0
    dropped: int = 0  # items that no message bears out, or that the memory refused
    failed: int = 0  # turns that nothing could be drawn from, to be tried again
    parked: int = 0  # those of them that were tried often enough
    contradictions: int = 0  # that new decisions and preferences stand in
    notes: tuple[str, ...] = ()

    def plus(self, other: "Extracted") -> "Extracted":
        """Both, one after the other."""
        return Extracted(
            turns=self.turns + other.turns,
            facts=self.facts + other.facts,
            observations=self.observations + other.observations,
            decisions=self.decisions + other.decisions,
            persons=self.persons + other.persons,
            dropped=self.dropped + other.dropped,
            failed=self.failed + other.failed,
            parked=self.parked + other.parked,
            contradictions=self.contradictions + other.contradictions,
            notes=tuple(dict.fromkeys((*self.notes, *other.notes))),
        )


@dataclass(frozen=True, slots=True)
class _Heard:
    """Claimed turns, with those around them that help to understand them."""

    talk: Talk
    turns: Sequence[TalkTurn]  # of the episode, in order
    claimed: Sequence[TalkTurn]

    @property
    def fresh(self) -> list[TalkTurn]:
        """The claimed turns that nothing is known of yet."""
        return [turn for turn in self.claimed if turn.id not in self.talk.noted]


class Extract:
    """Draws lasting things from turns."""

    def __init__(
        self,
        *,
        queue: ExtractionQueue,
        model: LanguageModel,
        opinion: LanguageModel | None,
        contexts: ContextStore,
        memories: MemoryStore,
        remember: Remember,
        ledger: Ledger,
        meet: Meet,
        amend: Amend,
        contradict: ContradictLive,
        inspect: Inspect,
        rules: ExtractionRules,
        support: SupportRules,
        clock: Clock,
        ids: Ids,
        settings: CurationSettings,
    ) -> None:
        self._queue, self._model, self._opinion = queue, model, opinion
        self._contexts, self._memories = contexts, memories
        self._remember, self._ledger, self._meet, self._amend = remember, ledger, meet, amend
        self._contradict, self._inspect, self._rules, self._support = contradict, inspect, rules, support
        self._clock, self._ids, self._settings = clock, ids, settings
        self._loop = DueWork("extraction", self, poll_seconds=settings.extract_poll_seconds)

    def nudge(self) -> None:
        """Says that something has fallen due."""
        self._loop.nudge()

    async def __call__(self) -> int:
        """Draws from one chunk of the episode that has waited longest; how many turns, 0 when none is due.

        Raises StoreError. A model that cannot be asked now is asked again later.
        """
        now = self._clock.now()
        await self._queue.put_off(at=now, again_at=now + self._gap(), min_turns=self._settings.extract_min_messages)
        for user_id, episode_id in await self._queue.due(at=now, limit=_EPISODES):
            extracted = await self._chunk(user_id, episode_id)
            if extracted is not None and extracted.failed:
                return 0  # whatever stood in the way stands there a moment later, too
            if extracted is not None:
                return extracted.turns
        return 0

    async def of_user(self, user_id: UserId, *, parked_too: bool = False) -> Extracted:
        """Draws from all that waits of a user, ahead of the background; what fails stays for later. Raises StoreError.

        Args:
            parked_too: try again what was parked.
        """
        if parked_too:
            await self._queue.take_up_parked(user_id, at=self._clock.now())
        waiting = await self._queue.waiting(user_id, limit=self._settings.extract_listed)
        done = Extracted()
        for episode_id in dict.fromkeys(turn.episode_id for turn in waiting if turn.due_at is not None):
            while (chunk := await self._chunk(user_id, episode_id)) is not None:
                done = done.plus(chunk)
                if chunk.failed:
                    break
        return done

    async def waiting(self, user_id: UserId) -> list[WaitingTurn]:
        """The turns that nothing was drawn from yet, those due first, then the parked ones."""
        return await self._queue.waiting(user_id, limit=self._settings.extract_listed)

    async def run_forever(self) -> None:
        """Draws from whatever falls due until cancelled; a fault of the store is logged and tried again."""
        await self._loop.run_forever()

    async def _chunk(self, user_id: UserId, episode_id: NodeId) -> Extracted | None:
        """Draws from the first due turns of an episode; None when none is."""
        talk = await self._queue.claim(
            user_id,
            episode_id,
            claim=self._ids.new(),
            at=self._clock.now(),
            lease=timedelta(seconds=self._settings.extract_lease_seconds),
            min_turns=self._settings.extract_min_messages,
            limit=self._settings.extract_turns,
        )
        if talk is None:
            return None
        heard = await self._heard(talk)
        talk = heard.talk
        try:
            drawn, asked = await self._drawn(heard)
            return asked.plus(await self._written(heard, drawn))
        except InferenceError as error:
            # A model that may answer later is no fault of the turn.
            return await self._give_back(talk, error, counts=not error.is_retryable())
        except GraphMemoryError as error:
            return await self._give_back(talk, error, counts=True)

    async def _heard(self, talk: Talk) -> _Heard:
        """The claimed turns among those before them; what is too much for one question is given back at once."""
        turns = await self._queue.turns(talk, before=self._settings.extract_context_turns, limit=_TALK_TURNS)
        window = turns[: _fitting(turns, set(talk.turn_ids), self._settings.extract_chars)]
        claimed = [turn for turn in window if turn.id in talk.turn_ids]
        left = [each for each in talk.turn_ids if each not in {turn.id for turn in claimed}]
        if left:
            now, most = self._clock.now(), self._settings.extract_attempts
            await self._queue.give_back(talk, left, reason=None, counts=False, at=now, retry_at=now, max_attempts=most)
        return _Heard(replace(talk, turn_ids=tuple(turn.id for turn in claimed)), window, claimed)

    async def _drawn(self, heard: _Heard) -> tuple[dict[NodeId, TurnExtraction], Extracted]:
        """What each claimed turn says: as an earlier try found it, else as the model, or the rules, find it now."""
        drawn = dict(heard.talk.noted)
        fresh = [turn for turn in heard.fresh if turn.memory_id is not None]
        if not fresh:
            return drawn, Extracted()
        utterances = [turn.utterance for turn in heard.turns]
        answer = await self._asked(heard.talk.user_id, utterances)
        zone = await self._zone(heard.talk.user_id)
        checked = sound(answer.value, utterances, zone=zone, rules=self._rules, support=self._support)
        found = {
            turn.id: TurnExtraction(extraction=of_utterance(checked.extraction, heard.turns.index(turn)), by=answer.by)
            for turn in fresh
        }
        if not await self._queue.note(heard.talk, found):
            raise ConflictError("some of the turns are another worker's by now, or gone")
        notes = (answer.note,) if answer.note else ()
        return drawn | found, Extracted(dropped=answer.dropped + checked.dropped, notes=notes)

    async def _asked(self, user_id: UserId, utterances: Sequence[Utterance]) -> Answer[Extraction]:
        """What a model finds, where there is one: while it fails the turns wait. It may not be asked: the rules."""
        now, most = self._clock.now(), self._settings.extract_known
        fact_ids = await self._contexts.facts(user_id, None, at=now, limit=most)
        observation_ids = await self._contexts.observations(user_id, None, at=now, limit=most)
        known = await self._memories.get(user_id, [*fact_ids, *observation_ids])
        told = {
            "known_facts": [known[each].text for each in fact_ids if each in known],
            "known_observations": [known[each].text for each in observation_ids if each in known],
        }
        if self._opinion is not None:
            try:
                return await self._opinion.extract(user_id, utterances, **told)
            except ModelUnavailableError as error:
                _log.info("drawn by the rules: %s", error)
        return await self._model.extract(user_id, utterances, **told)

    async def _written(self, heard: _Heard, drawn: dict[NodeId, TurnExtraction]) -> Extracted:
        """Writes what the turns say, one thing after the other, as later ones may change earlier ones."""
        user_id, done = heard.talk.user_id, Extracted(turns=len(heard.claimed))
        led: list[Drawn] = []
        for turn in heard.claimed:
            found = drawn.get(turn.id)
            if found is None or turn.memory_id is None:  # nothing is kept of what was erased
                continue
            for item in _items(found.extraction):
                try:
                    memory_id, told = await self._write(user_id, turn, item, found.extraction)
                except InvalidValueError as error:
                    _log.warning("an item of turn %s is left out: %s", turn.id, error)
                    memory_id, told = None, Extracted(dropped=1)
                done = done.plus(told)
                if memory_id is not None:
                    origin = "rule" if found.by == RULES else "model"
                    led.append(Drawn(memory_id=memory_id, source_id=turn.memory_id, origin=origin))
        for lost in await self._queue.finish(heard.talk, led, at=self._clock.now()):
            await self._amend.erase(user_id, lost.memory_id, reason="its source was erased")
        return done

    async def _write(
        self, user_id: UserId, turn: TalkTurn, item: StatedFact | StatedDecision | PersonMention, all_of: Extraction
    ) -> tuple[MemoryId | None, Extracted]:
        """Writes one item; the memory that it became or was found in, None for a person or what was vetoed."""
        match item:
            case StatedFact():
                is_fact = item in all_of.facts
                horizon = Horizon.LONG if is_fact else Horizon.MEDIUM
                remembered = await self._remember(user_id, _fact_draft(turn, item, horizon, all_of))
                memory, is_known = remembered.memory, remembered.operation is WriteOperation.NONE
                told = Extracted(facts=1) if is_fact else Extracted(observations=1)
                is_compared = item.category is Category.PREFERENCE and not is_known
            case StatedDecision():
                decided = await self._ledger.enter(user_id, _decision_draft(turn, item, all_of))
                memory, told, is_compared = (decided.memory if decided else None), Extracted(decisions=1), True
            case PersonMention():
                await self._meet.mention(user_id, _mention_draft(turn, item))
                return None, Extracted(persons=1)
        if memory is None:  # its text was erased
            return None, Extracted(dropped=1)
        if is_compared:
            contradicted = await self._contradict(user_id, memory)
            told = told.plus(Extracted(contradictions=contradicted.found, notes=contradicted.notes))
        return memory.id, told

    async def _give_back(self, talk: Talk, error: GraphMemoryError, *, counts: bool) -> Extracted:
        now = self._clock.now()
        parked = await self._queue.give_back(
            talk,
            talk.turn_ids,
            reason=str(error)[: self._rules.most_characters],
            counts=counts,
            at=now,
            retry_at=now + timedelta(seconds=self._settings.extract_retry_seconds),
            max_attempts=self._settings.extract_attempts,
        )
        _log.warning("nothing was drawn from %d turns, %d of them parked: %s", len(talk.turn_ids), parked, error)
        return Extracted(failed=len(talk.turn_ids), parked=parked, notes=(str(error),))

    async def _zone(self, user_id: UserId) -> tzinfo:
        return zone_of((await self._inspect.settings(user_id)).time_zone)

    def _gap(self) -> timedelta:
        return timedelta(minutes=self._settings.session_gap_minutes)


def _fitting(turns: Sequence[TalkTurn], claimed: set[NodeId], most_characters: int) -> int:
    """How many of the turns one question takes: up to so many characters, but at least to the first claimed one."""
    size, holds_one = 0, False
    for place, turn in enumerate(turns):
        size += len(turn.utterance.text)
        if size > most_characters and holds_one:
            return place
        holds_one = holds_one or turn.id in claimed
    return len(turns)


def _items(found: Extraction) -> Iterator[StatedFact | StatedDecision | PersonMention]:
    yield from found.facts
    yield from found.observations
    yield from found.decisions
    yield from found.persons


def _fact_draft(turn: TalkTurn, fact: StatedFact, horizon: Horizon, all_of: Extraction) -> MemoryDraft:
    """The statement as a memory. It was told when its turn was said, and holds from the day that it names."""
    return MemoryDraft(
        text=fact.text,
        kind=Kind.SEMANTIC,
        epistemic_type=EpistemicType.FACT if horizon is Horizon.LONG else EpistemicType.OBSERVATION,
        category=fact.category,
        horizon=horizon,
        source=Source.EXTRACTED,
        speaker=turn.utterance.speaker,
        people=_people_in(fact.text, all_of),
        occurred_at=turn.utterance.at,
        valid_at=fact.occurred_at,
        idempotency_key=item_key(turn.id, horizon.value, fact.text),
    )


def _decision_draft(turn: TalkTurn, decision: StatedDecision, all_of: Extraction) -> DecisionDraft:
    return DecisionDraft(
        text=decision.text,
        reasoning=decision.reasoning,
        domain=decision.domain,
        decided_at=turn.utterance.at,
        idempotency_key=item_key(turn.id, "decision", decision.text),
        source=Source.EXTRACTED,
        speaker=turn.utterance.speaker,
        people=_people_in(decision.text, all_of),
    )


def _mention_draft(turn: TalkTurn, mention: PersonMention) -> MentionDraft:
    return MentionDraft(
        person=mention.name,
        context=mention.context,
        sentiment=mention.sentiment,
        domains=mention.domains,
        evidence_type=mention.evidence_type,
        memory_id=turn.memory_id,
        at=turn.utterance.at,
        idempotency_key=item_key(turn.id, "person", f"{mention.name}\n{mention.context}"),
    )


def _people_in(text: str, found: Extraction) -> tuple[str, ...]:
    """The persons mentioned in the turn whom a text of it names."""
    return tuple(dict.fromkeys(each.name for each in found.persons if each.name in text))

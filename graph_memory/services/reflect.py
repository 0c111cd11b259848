"""Reflect: what the last conversations show together becomes a fact (constants.md 2.7, step 6).

An insight is inferred: never confirmed, never in the place of anything, and not told when it is known already. The
same conversations are reflected on once.
"""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory.domain.asked import RULES, Answer, EpisodeLine, Insight, Question
from graph_memory.domain.curation import Candidate, CurationRules, curate
from graph_memory.domain.draft import CheckedDraft
from graph_memory.domain.identity import text_hash
from graph_memory.domain.index_terms import index_query_terms
from graph_memory.domain.insights import INSIGHT_CATEGORIES, insights_by_rules
from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.statement import Statement
from graph_memory.domain.text import normalised, text_problems, words
from graph_memory.domain.vocabulary import (
    DEFAULT_BUCKET,
    GENERAL_BUCKET,
    EpistemicType,
    Horizon,
    Kind,
    Lane,
    MemoryId,
    Source,
    UserId,
    WriteOperation,
)
from graph_memory.errors import GraphMemoryError, InferenceError
from graph_memory.ports import (
    CallEstimates,
    ContextStore,
    Ids,
    LanguageModel,
    MemoryStore,
    Pulse,
    Reflection,
    ReflectionStore,
    Written,
)
from graph_memory.services.birth import newborn
from graph_memory.services.curate import statement_of
from graph_memory.services.encode import Encode, Encoded
from graph_memory.services.inspect import Inspect
from graph_memory.services.would_ask import would_ask
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _New:
    """An insight that is not known yet."""

    number: int  # among those of one reflection
    insight: Insight
    encoded: Encoded


class Reflect:
    """Draws insights from episodes."""

    name = "insights"

    def __init__(
        self,
        *,
        reflections: ReflectionStore,
        contexts: ContextStore,
        memories: MemoryStore,
        encode: Encode,
        inspect: Inspect,
        model: LanguageModel,
        estimates: CallEstimates,
        rules: CurationRules,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._reflections, self._contexts, self._memories = reflections, contexts, memories
        self._encode, self._inspect, self._model, self._estimates = encode, inspect, model, estimates
        self._rules, self._ids, self._settings = rules, ids, settings

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        sleep = self._settings.sleep
        seen = await self._reflections.latest(user_id, at=at, limit=sleep.insight_episodes)
        key = _key_of(seen)
        if len(seen.episodes) < sleep.insight_least or key == seen.reflected_on:
            return StepReport()
        await pulse(StepReport(), done=0, total=1)
        lines, known = [line for _, line in seen.episodes], await self._known(user_id, at)
        if dry_run:
            asking = would_ask(self._estimates, Question.INSIGHTS, lines, known_facts=known)
            own = await self._sound(self._by_rules(lines, known))
            return asking.plus(_planned([each for each in own if not await self._is_known(user_id, each, at)]))
        answer = await self._answer(user_id, lines, known)
        report = StepReport(notes=(answer.note,) if answer.note else ())
        new = [each for each in await self._sound(answer.value) if not await self._is_known(user_id, each, at)]
        told = list[MemoryId]()
        for each in new:
            await pulse(report, done=each.number, total=len(answer.value))
            written = await self._remember(user_id, key, each, at)
            if written.operation is WriteOperation.ADD and written.memory_id is not None:
                told.append(written.memory_id)
                report = report.plus(StepReport(counts={} if written.replayed else {Count.INSIGHTS: 1}))
        episodes = [episode_id for episode_id, _ in seen.episodes]
        await self._reflections.note(user_id, key, insights=told, episodes=episodes, at=at)
        return report

    async def _known(self, user_id: UserId, at: datetime) -> list[str]:
        """The first of the known facts."""
        ids = await self._contexts.facts(user_id, None, at=at, limit=self._settings.sleep.insight_facts)
        found = await self._memories.get(user_id, ids)
        return [found[each].text for each in ids if each in found]

    def _by_rules(self, lines: Sequence[EpisodeLine], known: Sequence[str]) -> tuple[Insight, ...]:
        sleep = self._settings.sleep
        return insights_by_rules(lines, known, recurrences=sleep.insight_recurrences, most=sleep.insights_max)

    async def _answer(
        self, user_id: UserId, lines: Sequence[EpisodeLine], known: Sequence[str]
    ) -> Answer[tuple[Insight, ...]]:
        own = Answer(self._by_rules(lines, known), by=RULES)
        try:
            answer = await self._model.insights(user_id, lines, known_facts=known)
        except InferenceError as error:
            _log.warning("reflected by the rules alone: %s", error)
            return replace(own, note=str(error))
        return answer if answer.by != RULES else replace(own, note=answer.note)

    async def _sound(self, insights: Sequence[Insight]) -> list[_New]:
        """Those that can be kept, as many as a run may, encoded."""
        most, longest = self._settings.sleep.insights_max, self._settings.sleep.merge_max_chars
        kept = [
            each
            for each in insights
            if each.category in INSIGHT_CATEGORIES and not text_problems("text", each.text, most_characters=longest)
        ][:most]
        if not kept:
            return []
        encoded = await self._encode([each.text for each in kept])
        return [_New(number, each, code) for number, (each, code) in enumerate(zip(kept, encoded, strict=True))]

    async def _is_known(self, user_id: UserId, new: _New, at: datetime) -> bool:
        """Whether something known says the same, says more, or stands against it; not the very same insight."""
        text = new.insight.text
        near = await self._memories.candidates(
            user_id,
            vector=new.encoded.vector,
            words=words(text),
            index_terms=index_query_terms(text),
            kind=Kind.SEMANTIC,
            buckets=(DEFAULT_BUCKET, GENERAL_BUCKET),
            limit=self._settings.curation.candidates,
            at=at,
        )
        said = Statement(text=text, bucket=DEFAULT_BUCKET, valid_at=at, created_at=at)
        for memory, cosine in near:
            if memory.source is Source.CONSOLIDATED and normalised(memory.text) == normalised(text):
                continue  # perhaps of a run that died before it had noted so; writing it again finds it
            known = statement_of(memory)
            verdict, _ = curate(said, [Candidate(known, cosine)], self._rules)
            turned, _ = curate(known, [Candidate(said, cosine)], self._rules)
            if any(each.operation is not WriteOperation.ADD or each.conflict for each in (verdict, turned)):
                return True
        return False

    async def _remember(self, user_id: UserId, key: str, new: _New, at: datetime) -> Written:
        """Writes an insight, once for the same episodes; not where it is known, or was erased by the user."""
        user = await self._inspect.settings(user_id)
        born = newborn(
            self._draft(user_id, key, new, at),
            user_id=user_id,
            encoded=new.encoded,
            now=at,
            zone=zone_of(user.time_zone),
            user=user,
            ids=self._ids,
            settings=self._settings,
        )
        [written] = await self._memories.add([born])
        if isinstance(written, GraphMemoryError):
            raise written
        return written

    def _draft(self, user_id: UserId, key: str, new: _New, at: datetime) -> CheckedDraft:
        return CheckedDraft(
            text=new.insight.text,
            kind=Kind.SEMANTIC,
            epistemic_type=EpistemicType.OBSERVATION,
            category=new.insight.category,
            horizon=Horizon.LONG,
            bucket=DEFAULT_BUCKET,
            lane=Lane.FACTS_PREFS,
            general=False,
            source=Source.CONSOLIDATED,
            confirmed=False,
            confidence=self._settings.initial_confidence(EpistemicType.OBSERVATION, Horizon.LONG),
            occurred_at=at,
            valid_at=at,
            idempotency_key=f"insight {key} {text_hash(user_id, new.insight.text)}",
        )


def _key_of(seen: Reflection) -> str:
    """Names the episodes that a reflection is on, by what they say."""
    told = "\x1f".join(f"{episode_id}\x1f{line.summary}" for episode_id, line in seen.episodes)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _planned(new: Sequence[_New]) -> StepReport:
    plan = tuple(
        Planned(action="insight", text=each.insight.text, detail={"category": each.insight.category.value})
        for each in new
    )
    return StepReport(counts={Count.INSIGHTS: len(plan)} if plan else {}, plan=plan)

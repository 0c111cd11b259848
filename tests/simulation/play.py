"""Plays a life through the product: chats, facts, decisions and questions at their instants, and sleep between them.

The clock stands still while something is done and jumps to what comes next, so a year takes minutes. What a real day
would do at once is done at once: the turns of a chat are one write, the answers of a chat are followed up together.
The observer's own questions (probes) count as no use.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.episode import Role, TurnDraft
from graph_memory.domain.link import FAMILY, LinkFamily, LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.prompt_text import tokens
from graph_memory.domain.sleep import Beat, RunStatus
from graph_memory.domain.vocabulary import Category, EpistemicType, Horizon, Kind, MemoryId, NodeId, Source, UserId
from graph_memory.services.ledger import DecisionDraft
from graph_memory.services.meet import MentionDraft
from graph_memory.services.recall import Answer, Question
from graph_memory.services.remember import Remembered
from graph_memory.testing import FixedClock
from tests.benchmarks.loading import every_memory
from tests.simulation.costs import Calls
from tests.simulation.laws import hidden_breaches, penalty_ratios, pin_breaches, strength_breaches
from tests.simulation.life import (
    Asked,
    Decided,
    Happening,
    Life,
    Met,
    Observed,
    Purpose,
    Session,
    Stated,
    Truth,
)
from tests.simulation.record import Context, Played, Replied, Shown, Snapshot
from tests.simulation.topics import TOPICS, Telling
from tests.simulation.trail import Trail

_LINK_LATER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often the beats come, and how often the observer looks."""

    cycle_hours: int = 6
    links_after_chats: bool = True  # whether links are looked for after each chat, or with the cycle alone
    snapshot_days: int = 7
    probe_days: int = 28


class Player:
    """Plays one life for one user."""

    def __init__(
        self,
        services: Services,
        clock: FixedClock,
        trail: Trail,
        *,
        life: Life,
        user_id: UserId,
        calls: Calls,
        pace: Pace,
    ) -> None:
        self._services, self._clock, self._trail = services, clock, trail
        self._life, self._user_id, self._calls, self._pace = life, user_id, calls, pace
        self._played, self._curve = Played(), services.settings.strength_curve()
        self._truths = {truth.key: truth for truth in life.truths}
        self._echoed: dict[str, Truth] = {}  # which truth a chat turn told, by its words

    async def play(self) -> Played:
        """The whole life, from its first instant to its last."""
        at = self._life.starts_at
        for session in self._life.sessions:
            await self._sleep(at, session.starts_at)
            await self._chat(session)
            at = self._clock.now()
        await self._sleep(at, self._life.ends_at)
        self._played.memories = tuple([memory async for memory in every_memory(self._services, self._user_id)])
        self._played.calls, self._played.calls_by_month = self._calls.total, self._calls.by_month
        return self._played

    # Chats

    async def _chat(self, session: Session) -> None:
        self._move_to(session.starts_at)
        await self._look_at_the_context()
        self._move_to(session.turns[-1].at)
        episode_id = await self._say(session)
        for happening in session.happenings:
            self._move_to(max(happening.at, self._clock.now()))
            await self._live_through(happening, session, episode_id)
        await self._services.aftermath.settled()
        if self._pace.links_after_chats:
            self._move_to(self._clock.now() + _LINK_LATER)
            await self._link()

    async def _look_at_the_context(self) -> None:
        budget = self._services.settings.recall.context_tokens
        text = await self._services.agent_context(self._user_id)
        self._calls.add("contexts")
        self._played.contexts.append(Context(at=self._clock.now(), tokens=tokens(text), budget=budget))

    async def _say(self, session: Session) -> NodeId:
        """The chat as an episode, each thing the user says remembered too; the episode before it is summed up."""
        drafts = [
            TurnDraft(role=Role.USER if turn.by_user else Role.ASSISTANT, content=turn.text, at=turn.at)
            for turn in session.turns
        ]
        self._calls.add("writes")
        [episode] = await self._services.episodes.say(self._user_id, drafts)
        await self._services.episodes.settled()
        return episode.id

    async def _live_through(self, happening: Happening, session: Session, episode_id: NodeId) -> None:
        match happening:
            case Stated():
                await self._state(happening, session, episode_id)
            case Observed():
                await self._observe(happening, episode_id)
            case Met():
                await self._meet(happening)
            case Decided():
                await self._decide(happening)
            case Asked():
                await self._ask(happening)

    async def _state(self, stated: Stated, session: Session, episode_id: NodeId) -> None:
        """A fact becomes known; where the agent has to say what it replaces, it says so."""
        remembered = await self._remember(
            stated.key,
            MemoryDraft(
                text=stated.text,
                kind=Kind.SEMANTIC,
                category=stated.category,
                pinned=stated.pinned,
                session_id=episode_id,
                valid_at=stated.at,
            ),
        )
        new = self._played.ids[stated.key]
        if truth := self._truths.get(stated.key):
            self._echoed |= {turn.text: truth for turn in session.turns if stated.text in turn.text}
        if stated.replaces is None:
            return
        old = self._played.ids[stated.replaces]
        if stated.telling is Telling.SUPERSEDED:
            await self._supersede(old, new)
        elif stated.telling in (Telling.NUMBER, Telling.DENIAL) and old not in {m.id for m in remembered.superseded}:
            self._played.missed.append(f"{stated.key}: {remembered.operation}, {stated.text!r}")

    async def _supersede(self, old: MemoryId, new: MemoryId) -> None:
        """What stands for the old one by now gives way, where the memory has not seen to it by itself."""
        standing = (await self._services.ledger.chain(self._user_id, old))[-1].memory.id
        if standing != new:
            self._calls.add("writes")
            await self._services.revise.supersede(self._user_id, standing, new, reason="it has changed")

    async def _observe(self, observed: Observed, episode_id: NodeId) -> None:
        await self._remember(
            observed.key,
            MemoryDraft(
                text=observed.text,
                kind=Kind.SEMANTIC,
                epistemic_type=EpistemicType.OBSERVATION,
                category=Category.PATTERN,
                horizon=Horizon.MEDIUM,
                source=Source.EXTRACTED,
                session_id=episode_id,
            ),
        )

    async def _remember(self, key: str, draft: MemoryDraft) -> Remembered:
        """Something is told; by its key it is known from then on."""
        self._calls.add("writes")
        remembered = await self._services.remember(self._user_id, draft)
        assert remembered.memory is not None
        self._played.ids[key] = remembered.memory.id
        return remembered

    async def _meet(self, met: Met) -> None:
        self._calls.add("writes")
        draft = MentionDraft(person=met.person.name, context=met.context, sentiment=met.sentiment)
        await self._services.meet.mention(self._user_id, draft)

    async def _decide(self, decided: Decided) -> None:
        self._calls.add("writes")
        await self._services.ledger.decide(
            self._user_id,
            DecisionDraft(text=decided.text, reasoning=decided.reasoning, domain=decided.domain, topic=decided.topic),
        )

    async def _ask(self, asked: Asked) -> None:
        probe = asked.purpose is Purpose.PROBE
        answer = await self._services.recall(self._user_id, Question(query=asked.question, reinforce=not probe))
        if not probe:
            self._calls.add("recalls")
        at = self._clock.now()
        shown = tuple(hit.memory.id for hit in (*answer.hits, *answer.overlay))
        self._played.shown.append(Shown(at=at, ids=shown, tokens=answer.tokens))
        self._played.replies.append(self._reply(asked, answer, at))

    def _reply(self, asked: Asked, answer: Answer, at: datetime) -> Replied:
        """The answer against what is true: a curious fact is true for ever, a topic has one value at a time."""
        told = self._life.told(asked.about, at)
        true_id = self._played.ids[told[-1].key if told else asked.about]
        past = {self._played.ids[truth.key] for truth in told[:-1]} - {true_id}
        memories = [hit.memory for hit in answer.hits]
        ranked = list(enumerate(memories, start=1))
        return Replied(
            asked=asked,
            true_rank=next((rank for rank, memory in ranked if memory.id == true_id), None),
            past_ranks=tuple(rank for rank, memory in ranked if memory.id in past),
            echo_ranks=tuple(rank for rank, memory in ranked if self._is_past_echo(memory, asked.about, at)),
            changed_by=told[-1].telling if len(told) > 1 else None,
        )

    def _is_past_echo(self, memory: Memory, topic: str, at: datetime) -> bool:
        truth = self._echoed.get(memory.text) if memory.kind is Kind.EPISODIC else None
        return truth is not None and truth.topic == topic and not truth.holds(at)

    # Sleep

    async def _sleep(self, after: datetime, until: datetime) -> None:
        """The beats, and the observer's looks, that come after one instant and not after the other."""
        for at in self._marks(after, until, timedelta(hours=self._pace.cycle_hours)):
            self._move_to(at)
            await self._link()
            await self._run(Beat.STATES)
            await self._run(Beat.CYCLE)
            if at.hour == 0:
                await self._run(Beat.HOUSEKEEPING)
            days = (at - self._life.starts_at) // timedelta(days=1)
            if at.hour == 0 and days % self._pace.snapshot_days == 0:
                await self._look()
            if at.hour == 0 and days % self._pace.probe_days == 0:
                await self._probe()
        self._move_to(until)

    def _marks(self, after: datetime, until: datetime, every: timedelta) -> Iterator[datetime]:
        passed = (after - self._life.starts_at) // every
        at = self._life.starts_at + (passed + 1) * every
        while at <= until:
            yield at
            at += every

    async def _link(self) -> None:
        """Names are found in what was written, then links."""
        while await self._services.enrich():
            pass
        await self._run(Beat.LINK)

    async def _run(self, beat: Beat) -> None:
        """One beat for this user; its report is kept."""
        run = await self._services.sleep(self._user_id, beat)
        self._calls.add(f"runs of {beat}")
        self._played.reported.update(run.report.counts)
        if run.status is not RunStatus.DONE:
            self._played.failed.append(f"{self._clock.now():%d %b %H:%M} {beat} {run.status}: {run.report.notes}")

    # The observer

    async def _look(self) -> None:
        """Counts, and the laws that hold at every instant."""
        at, memories = self._clock.now(), [memory async for memory in every_memory(self._services, self._user_id)]
        stats = await self._services.inspect.stats(self._user_id)
        associative = [kind for kind in LinkType if FAMILY[kind] not in (LinkFamily.DERIVATION, LinkFamily.TRUTH)]
        self._played.snapshots.append(
            Snapshot(
                at=at,
                memories=stats.memories,
                by_state=dict(stats.by_state),
                by_tier=dict(stats.by_tier),
                by_kind=dict(stats.by_kind),
                hidden=stats.hidden,
                superseded=stats.superseded,
                links=sum(stats.links.get(kind, 0) for kind in associative),
                strengths=tuple(self._curve.strength(each.strength, at) for each in memories if each.is_current(at)),
            )
        )
        ratios = penalty_ratios(await self._trail.changes())
        self._played.breaches += [
            *strength_breaches(memories, self._curve, at),
            *pin_breaches(memories, at),
            *hidden_breaches(memories, ratios, self._curve, at),
        ]

    async def _probe(self) -> None:
        """Every topic that has an answer by now, asked once without using anything."""
        at = self._clock.now()
        for topic in TOPICS:
            if self._life.told(topic.name, at):
                question = Asked(at=at, question=topic.questions[0], about=topic.name, purpose=Purpose.PROBE)
                await self._ask(question)
        await self._services.aftermath.settled()

    def _move_to(self, at: datetime) -> None:
        self._clock.set(at)
        self._calls.enter(f"{at:%Y-%m}")

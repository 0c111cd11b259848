"""Use: what touching, pinning, confirming and doubting do to memories, each under a lock and with an audit row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from graph_memory.domain.change import Action, Change, belief_change, fields_change
from graph_memory.domain.confidence import Evidence
from graph_memory.domain.dates import in_utc
from graph_memory.domain.draft import date_problems, reason_problems
from graph_memory.domain.memory import Json, Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import Horizon, MemoryId, State, UserId
from graph_memory.errors import InvalidValueError, LimitExceededError, NotFoundError, Problem
from graph_memory.ports import Clock, Ids, MemoryStore, Transformation, Transformed
from graph_memory.services.inspect import Inspect
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

# What an access may change, as its audit row shows it.
_ACCESS_FIELDS: dict[str, Callable[[Memory], Json]] = {
    "base_strength": lambda memory: memory.strength.base_strength,
    "anchor_at": lambda memory: memory.strength.anchor_at.isoformat(),
    "spaced_access_count": lambda memory: memory.strength.spaced_access_count,
    "visible_until": lambda memory: memory.visible_until.isoformat(),
    "access_count": lambda memory: memory.access_count,
    "state": lambda memory: memory.state.value,
    "dream_at": lambda memory: memory.states.dream_at.isoformat(),
    "touched_at": lambda memory: memory.touched_at.isoformat(),
    "confidence": lambda memory: memory.confidence,
}


def access_change(before: Memory, after: Memory, at: datetime, *, ids: Ids, reason: str, actor: str) -> Change:
    """The one audit row of an access event, with every field that it changed."""
    return fields_change(ids.new(), before, after, _ACCESS_FIELDS, Action.ACCESS, at, reason=reason, actor=actor)


def with_side_effects(change: Change, before: Memory, after: Memory, *, ids: Ids, actor: str) -> tuple[Change, ...]:
    """The row, after one of what else changed with it, which for most is a use; the row alone where nothing did."""
    told = replace(after, confidence=before.confidence) if change.field == "confidence" else after
    side = access_change(before, told, change.at, ids=ids, reason=change.action.value, actor=actor)
    if not side.after:
        return (change,)
    action = Action.REINFORCE if before.access_count != after.access_count else change.action
    return replace(side, id=change.id, action=action), replace(change, id=side.id)


class Use:
    """Uses memories."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        inspect: Inspect,
        reinforcement: Reinforcement,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._memories, self._inspect, self._reinforcement = memories, inspect, reinforcement
        self._clock, self._ids, self._settings = clock, ids, settings
        self._beliefs = settings.confidence_rules()
        self._session_gap = timedelta(minutes=settings.curation.session_gap_minutes)

    async def touch(self, user_id: UserId, ids: Sequence[str], *, at: datetime | None = None) -> list[Memory]:
        """One use of each memory; one that comes before the last use changes nothing. Raises NotFoundError."""
        if len(ids) > self._settings.limits.rows:
            raise LimitExceededError(f"{len(ids)} ids at once; at most {self._settings.limits.rows} are allowed")
        if problems := list(date_problems("at", at)):
            raise InvalidValueError("touch", problems)
        now, user = self._clock.now(), await self._inspect.settings(user_id)
        at = now if at is None else in_utc(at, zone=zone_of(user.time_zone))
        if at > now and not self._settings.decay.allow_future:
            raise InvalidValueError("touch", [Problem("at", f"is {at.isoformat()}, ahead of the clock")])
        return await self._access(user_id, ids, at=at, action=Action.TOUCH)

    async def read(self, user_id: UserId, memory_id: str) -> Memory:
        """One memory, looked up in a way that counts as a use of it. Raises NotFoundError."""
        [memory] = await self._access(user_id, [memory_id], at=self._clock.now(), action=Action.ACCESS)
        return memory

    async def pin(self, user_id: UserId, memory_id: str) -> Memory:
        """Keeps a memory from ever fading. Raises NotFoundError."""
        return await self._set_pinned(user_id, memory_id, True)

    async def unpin(self, user_id: UserId, memory_id: str) -> Memory:
        """Lets a memory fade again. Raises NotFoundError."""
        return await self._set_pinned(user_id, memory_id, False)

    async def confirm(
        self, user_id: UserId, memory_id: str, *, arousal: float | None = None, reason: str | None = None
    ) -> Memory:
        """The user says again that it is so: believed more, and used. Raises NotFoundError, InvalidValueError."""
        self._check_judgement(arousal, reason)
        now, profile = self._clock.now(), await self._profile(user_id)

        def confirmed(memory: Memory) -> Transformed:
            used = self._reinforcement.accessed(memory, now, profile=profile)
            after = replace(self._moved(used, Evidence.CONFIRM, arousal), confirmed=True, state=State.CORE)
            if memory.horizon is Horizon.MEDIUM:  # one more observation of it
                after = replace(after, observed=memory.evidence.again(now, session_gap=self._session_gap))
            belief = self._belief(memory, after, Action.CONFIRM, arousal, reason, now)
            changes = with_side_effects(belief, memory, after, ids=self._ids, actor="user")
            return Transformed(after, changes)

        [memory] = await self._each(user_id, [memory_id], confirmed, at=now)
        return memory

    async def doubt(
        self, user_id: UserId, memory_id: str, *, arousal: float | None = None, reason: str | None = None
    ) -> Memory:
        """The user doubts it: believed less. Raises NotFoundError, InvalidValueError."""
        self._check_judgement(arousal, reason)
        now = self._clock.now()

        def doubted(memory: Memory) -> Transformed:
            after = self._moved(memory, Evidence.WEAKEN, arousal)
            return Transformed(after, (self._belief(memory, after, Action.WEAKEN, arousal, reason, now),))

        [memory] = await self._each(user_id, [memory_id], doubted, at=now)
        return memory

    async def _access(self, user_id: UserId, ids: Sequence[str], *, at: datetime, action: Action) -> list[Memory]:
        profile = await self._profile(user_id)
        reason = "touch" if action is Action.TOUCH else "read"

        def accessed(memory: Memory) -> Transformed | None:
            after = self._reinforcement.accessed(memory, at, profile=profile)
            if after is memory:
                return None
            change = access_change(memory, after, at, ids=self._ids, reason=reason, actor="user")
            return Transformed(after, (replace(change, action=action),))

        return await self._each(user_id, ids, accessed, at=self._clock.now())

    async def _set_pinned(self, user_id: UserId, memory_id: str, pinned: bool) -> Memory:
        now = self._clock.now()

        def turned(memory: Memory) -> Transformed | None:
            if memory.pinned is pinned:
                return None
            after = self._reinforcement.pinned(memory, pinned)
            change = Change(
                id=self._ids.new(),
                target_id=memory.id,
                at=now,
                action=Action.PIN if pinned else Action.UNPIN,
                field="pinned",
                before=memory.pinned,
                after=pinned,
            )
            return Transformed(after, (change,))

        [memory] = await self._each(user_id, [memory_id], turned, at=now)
        return memory

    async def _each(
        self,
        user_id: UserId,
        ids: Sequence[str],
        transform: Callable[[Memory], Transformed | None],
        *,
        at: datetime,
    ) -> list[Memory]:
        """Every memory transformed; all of them must be this user's."""
        wanted = [MemoryId(identifier) for identifier in dict.fromkeys(ids)]
        await self._inspect.require(user_id, wanted)

        def all_transformed(found: Mapping[MemoryId, Memory], _: frozenset[str]) -> Transformation:
            results = (transform(found[memory_id]) for memory_id in wanted if memory_id in found)
            return Transformation(tuple(result for result in results if result is not None))

        memories = await self._memories.transform(user_id, wanted, all_transformed, at=at)
        if missing := [memory_id for memory_id in wanted if memory_id not in memories]:
            raise NotFoundError("memory", missing[0])
        return [memories[memory_id] for memory_id in wanted]

    async def _profile(self, user_id: UserId) -> TierProfile:
        return self._settings.tier_profile((await self._inspect.settings(user_id)).tier_profile)

    def _moved(self, memory: Memory, evidence: Evidence, arousal: float | None) -> Memory:
        """The memory with its confidence moved; arousal of the moment makes the step larger (constants.md 2.9)."""
        return replace(memory, confidence=self._beliefs.moved(memory.confidence, evidence, arousal=arousal or 0.0))

    def _belief(
        self, before: Memory, after: Memory, action: Action, arousal: float | None, reason: str | None, at: datetime
    ) -> Change:
        return belief_change(self._ids.new(), before, after, action, at, arousal=arousal, reason=reason)

    def _check_judgement(self, arousal: float | None, reason: str | None) -> None:
        problems = []
        if arousal is not None and not 0.0 <= arousal <= 1.0:
            problems.append(Problem("arousal", f"is {arousal}; it must lie in 0..1"))
        problems += reason_problems(reason, self._settings.limits)
        if problems:
            raise InvalidValueError("judgement", problems)

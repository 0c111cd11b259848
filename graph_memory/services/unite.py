"""Unite: several facts that say one thing become one, in one transaction (constants.md 2.7, step 2).

The first keeps its id and takes the merged text, its own kept as a Version; the others give way to it and are believed
no more. Nothing is removed: sources are reached from the one, and the others are listed and can be restored. Two that
were one once and were parted by hand are not united again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from graph_memory.domain.change import Action, Change, expiry_change, fields_change
from graph_memory.domain.curation import CurationRules
from graph_memory.domain.identity import text_hash
from graph_memory.domain.memory import Json, Memory
from graph_memory.domain.merging import MergeRules, covered, may_be_reworded, may_merge, merged
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.errors import ConflictError
from graph_memory.ports import (
    ComparisonStore,
    Ids,
    Judgement,
    Merger,
    Pair,
    Purpose,
    Rewritten,
    Succession,
    Transformed,
)
from graph_memory.services.curate import statement_of
from graph_memory.services.encode import Encode, Encoded
from graph_memory.services.inspect import Inspect
from graph_memory.services.revise import as_rewritten
from graph_memory.services.zones import zone_of

# What a merge may change of the memory that stays, as its audit row shows it.
_MERGED_FIELDS: dict[str, Callable[[Memory], Json]] = {
    "source": lambda memory: memory.source.value,
    "confirmed": lambda memory: memory.confirmed,
    "confidence": lambda memory: memory.confidence,
    "base_strength": lambda memory: memory.strength.base_strength,
    "anchor_at": lambda memory: memory.strength.anchor_at.isoformat(),
    "visible_until": lambda memory: memory.visible_until.isoformat(),
    "state": lambda memory: memory.state.value,
    "dream_at": lambda memory: memory.states.dream_at.isoformat(),
    "valid_at": lambda memory: memory.interval.valid_at.isoformat(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Union:
    """Memories that would be one, and in which words."""

    first: Memory
    others: tuple[Memory, ...]
    text: str
    by: str  # rules, or the model's name

    @property
    def ids(self) -> tuple[MemoryId, ...]:
        return (self.first.id, *(each.id for each in self.others))


class Unite:
    """Makes one memory of several."""

    def __init__(
        self,
        *,
        comparisons: ComparisonStore,
        encode: Encode,
        inspect: Inspect,
        rules: MergeRules,
        curation: CurationRules,
        laws: Reinforcement,
        ids: Ids,
    ) -> None:
        self._comparisons, self._encode, self._inspect = comparisons, encode, inspect
        self._rules, self._curation, self._laws, self._ids = rules, curation, laws, ids

    def may_join(self, first: Memory, other: Memory, cosine: float) -> bool:
        """Whether `other` may go into `first`: one thing said in one place, for the same time, and not pinned."""
        return (
            not other.pinned
            and first.lane is other.lane
            and first.interval.invalid_at == other.interval.invalid_at
            and _named_days(first) == _named_days(other)
            and may_merge(statement_of(first), statement_of(other), cosine, self._curation)
        )

    def planned(self, first: Memory, others: Sequence[Memory], text: str, *, by: str) -> Union | None:
        """The union in a text that somebody proposes, of those that it takes in; None: of fewer than two."""
        if text not in (first.text, *(each.text for each in others)):
            others = [each for each in others if may_be_reworded(first.text, each.text, self._curation)]
        takes_first, *takes = covered(
            text, [first.text, *(each.text for each in others)], self._rules, self._curation.wording
        )
        taken = tuple(other for other, takes_in in zip(others, takes, strict=True) if takes_in)
        return Union(first=first, others=taken, text=text, by=by) if takes_first and taken else None

    async def __call__(self, user_id: UserId, union: Union, *, at: datetime) -> None:
        """Makes them one. Raises ConflictError when one has moved on, or the text or the sources stand against it."""
        encoded = None
        if union.text != union.first.text:
            [encoded] = await self._encode([union.text])
        zone = zone_of((await self._inspect.settings(user_id)).time_zone)

        def merge(found: Mapping[MemoryId, Memory]) -> Merger:
            first, *others = (self._standing(found.get(each.id), each, at) for each in (union.first, *union.others))
            after = merged(first, others, union.text, laws=self._laws)
            return Merger(
                stays=self._stays(first, after, encoded, union, at, zone),
                successions=tuple(self._succession(other, first, union, at) for other in others),
                judgements=tuple(self._judgement(user_id, first, other, union.by) for other in others),
            )

        await self._comparisons.merge(user_id, union.ids, merge, most_sources=self._rules.max_sources, at=at)

    def _standing(self, found: Memory | None, read: Memory, at: datetime) -> Memory:
        if found is None or not found.is_current(at):
            raise ConflictError(f"memory {read.id} is no longer current")
        if (found.text, found.pinned, found.horizon) != (read.text, read.pinned, read.horizon):
            raise ConflictError(f"memory {read.id} was changed meanwhile")
        return found

    def _stays(
        self, before: Memory, after: Memory, encoded: Encoded | None, union: Union, at: datetime, zone: tzinfo
    ) -> Rewritten | Transformed:
        reason = f"merged by {union.by} with {', '.join(each.id for each in union.others)}"
        if encoded is None:
            return Transformed(after, self._changes(before, after, at, reason))
        rewritten = as_rewritten(
            before,
            after,
            encoded,
            laws=self._laws,
            zone=zone,
            version_id=self._ids.new(),
            reason=reason,
            changes=(),
        )
        return replace(rewritten, changes=self._changes(before, rewritten.memory, at, reason))

    def _changes(self, before: Memory, after: Memory, at: datetime, reason: str) -> tuple[Change, ...]:
        """One row for all that a merge gave the memory that stays; the text, which an erasure may blank, in its own."""
        row = fields_change(
            self._ids.new(), before, after, _MERGED_FIELDS, Action.MERGE, at, reason=reason, actor="system"
        )
        if before.text == after.text:
            return (row,)
        return row, replace(row, id=self._ids.new(), field="text", before=before.text, after=after.text, delta=None)

    def _succession(self, other: Memory, first: Memory, union: Union, at: datetime) -> Succession:
        reason = f"merged by {union.by} into {first.id}"

        def retire(standing: Memory) -> Transformed:
            after = replace(standing, superseded_at=at, interval=replace(standing.interval, expired_at=at))
            ends_at = standing.interval.expired_at
            change = expiry_change(self._ids.new(), standing.id, ends_at, Action.MERGE, at, reason=reason)
            return Transformed(after, (change,))

        return Succession(old_id=other.id, retire=retire, reason=reason)

    def _judgement(self, user_id: UserId, first: Memory, other: Memory, by: str) -> Judgement:
        return judgement(user_id, Purpose.MERGE, first, other, verdict="same", by=by)


def pair_of(one: Memory, other: Memory) -> Pair:
    """Two memories, the smaller id first."""
    return min(one.id, other.id), max(one.id, other.id)


def hashes_of(user_id: UserId, one: Memory, other: Memory) -> tuple[str, str]:
    """The hashes of the texts of two memories, in the order of their ids."""
    first, second = sorted((one, other), key=lambda memory: memory.id)
    return text_hash(user_id, first.text), text_hash(user_id, second.text)


def judgement(user_id: UserId, purpose: Purpose, one: Memory, other: Memory, *, verdict: str, by: str) -> Judgement:
    """What was concluded of two memories as they read now."""
    return Judgement(
        purpose=purpose,
        pair=pair_of(one, other),
        text_hashes=hashes_of(user_id, one, other),
        verdict=verdict,
        judged_by=by,
    )


def _named_days(memory: Memory) -> frozenset[tuple[object, object]]:
    return frozenset((named.first_day, named.last_day) for named in memory.named_dates)

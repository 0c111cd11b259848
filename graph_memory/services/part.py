"""Part: before a memory is erased, what it was merged into is made to say only what others say (operations.md, erase).

A merged memory that has the erased one's words, or a text made from them, takes the fullest text of the rest: its own
of before, or that of another memory that went into it. Its earlier versions and audit rows lose those words too.
"""

from dataclasses import replace
from datetime import datetime

from graph_memory.domain.asked import Statement
from graph_memory.domain.change import Action, expiry_change, text_change
from graph_memory.domain.memory import Memory
from graph_memory.domain.merging import merged_by_rules
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.vocabulary import Source, UserId
from graph_memory.errors import ConflictError
from graph_memory.ports import ComparisonStore, Ids, MemoryStore, MergedInto, Rewritten
from graph_memory.services.encode import Encode
from graph_memory.services.inspect import Inspect
from graph_memory.services.revise import as_rewritten
from graph_memory.services.zones import zone_of

_REASON = "a part was erased"


class Part:
    """Parts a memory from what it was merged into."""

    def __init__(
        self,
        *,
        comparisons: ComparisonStore,
        memories: MemoryStore,
        encode: Encode,
        inspect: Inspect,
        laws: Reinforcement,
        ids: Ids,
    ) -> None:
        self._comparisons, self._memories, self._encode = comparisons, memories, encode
        self._inspect, self._laws, self._ids = inspect, laws, ids

    async def __call__(self, user_id: UserId, memory: Memory, *, at: datetime) -> int:
        """Takes a memory's words out of all that it went into; how many memories that is."""
        into = await self._comparisons.merged_into(user_id, memory.id)
        for place in range(len(into)):
            # Read anew: what lies nearer may have given its words on.
            [*_, merged] = (await self._comparisons.merged_into(user_id, memory.id))[: place + 1]
            await self._part(user_id, memory, merged, at=at)
        return len(into)

    async def _part(self, user_id: UserId, memory: Memory, merged: MergedInto, *, at: datetime) -> None:
        standing = (await self._memories.get(user_id, [merged.memory_id])).get(merged.memory_id)
        if standing is None:
            return
        kept = (merged.own, *merged.others)
        is_own = standing.text in kept or standing.source is Source.MANUAL_EDIT
        forgotten = {memory.text} - set(kept) if is_own else {memory.text, standing.text} - set(kept)
        rewritten = None
        if not is_own:
            text = merged_by_rules([Statement(standing.id, each) for each in kept])
            rewritten = await self._rewritten(user_id, standing, text, at=at)
        try:
            await self._comparisons.forget_texts(user_id, standing.id, sorted(forgotten), rewritten, at=at)
        except ConflictError:  # another current memory says what is left: this one is then not needed
            ends_at = standing.interval.expired_at
            expiry = expiry_change(self._ids.new(), standing.id, ends_at, Action.EXPIRE, at, reason=_REASON)
            await self._memories.expire(user_id, standing.id, expiry, at=at)
            await self._comparisons.forget_texts(user_id, standing.id, sorted(forgotten), rewritten, at=at)

    async def _rewritten(self, user_id: UserId, before: Memory, text: str, *, at: datetime) -> Rewritten:
        [encoded] = await self._encode([text])
        after = replace(before, text=text)
        change = text_change(self._ids.new(), before, after, Action.EDIT, at, reason=_REASON, actor="system")
        return as_rewritten(
            before,
            after,
            encoded,
            laws=self._laws,
            zone=zone_of((await self._inspect.settings(user_id)).time_zone),
            version_id=self._ids.new(),
            reason=_REASON,
            changes=(change,),
        )

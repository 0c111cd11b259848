"""What an answer leaves behind, done after it is given: its receipt, the use of its hits and links, the rest weakened.

Answers of one user that wait together share a transaction. A receipt marks its answer as applied in the same
transaction, so that nothing counts twice; a crash loses at most what had not been written yet.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from graph_memory.domain.association import strengthened
from graph_memory.domain.change import Action, Change
from graph_memory.domain.link import Link, parse_link_id
from graph_memory.domain.memory import Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.errors import GraphMemoryError
from graph_memory.ports import Ids, LinkStep, MemoryStore, Receipt, Transformation, Transformed
from graph_memory.services.inspect import Inspect
from graph_memory.services.use import access_change
from graph_memory.settings import Settings

_log = logging.getLogger(__name__)
_GATHER_SECONDS = 0.05
_MOST_AT_ONCE = 100  # answers of one user in one transaction
_MOST_WAITING = 10_000  # while the store is away; then the oldest are dropped, and it is said


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGiven:
    """One answer: what it showed, what of it counts as used, which links led through it, what lost against it."""

    receipt: Receipt
    used: tuple[MemoryId, ...] = ()
    suppressed: tuple[MemoryId, ...] = ()
    links: tuple[str, ...] = ()  # ids of links walked whose two ends are both in the answer


class Aftermath:
    """Writes what answers leave behind."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        inspect: Inspect,
        reinforcement: Reinforcement,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._memories, self._inspect, self._reinforcement = memories, inspect, reinforcement
        self._ids, self._settings = ids, settings
        self._waiting: dict[UserId, list[AnswerGiven]] = {}
        self._writer: asyncio.Task[None] | None = None
        self.waiting = 0

    def follow(self, answer: AnswerGiven) -> None:
        """Takes an answer to be followed up soon."""
        if self.waiting >= _MOST_WAITING:
            _log.warning("too many answers wait for the store: one is not followed up")
            return
        self._waiting.setdefault(answer.receipt.user_id, []).append(answer)
        self.waiting += 1
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_soon())

    async def settled(self) -> None:
        """Returns when every answer given so far has been followed up, or the store is away."""
        if self._writer:
            await asyncio.shield(self._writer)  # who gives up waiting does not end the work

    close = settled

    def awaits(self, user_id: UserId, receipt_id: str) -> bool:
        """Whether an answer has been given and not been followed up yet."""
        return any(answer.receipt.id == receipt_id for answer in self._waiting.get(user_id, ()))

    async def _write_soon(self) -> None:
        await asyncio.sleep(_GATHER_SECONDS)
        while self._waiting:
            user_id, answers = next(iter(self._waiting.items()))
            batch = answers[:_MOST_AT_ONCE]
            try:
                await self._apply(user_id, batch)
            except GraphMemoryError as error:
                _log.warning("%d answers wait for the store: %s", self.waiting, error)
                return
            self.waiting -= len(batch)
            if rest := self._waiting.pop(user_id)[len(batch) :]:  # came meanwhile, or were too many
                self._waiting[user_id] = rest

    async def _apply(self, user_id: UserId, answers: Sequence[AnswerGiven]) -> None:
        profile = self._settings.tier_profile((await self._inspect.settings(user_id)).tier_profile)
        ids = {memory_id for answer in answers for memory_id in (*answer.used, *answer.suppressed)}
        ids.update(end for answer in answers for end in link_ends(answer.links))

        def transform(found: Mapping[MemoryId, Memory], fresh: frozenset[str]) -> Transformation:
            taken = sorted(
                (answer for answer in answers if answer.receipt.id in fresh), key=lambda each: each.receipt.at
            )
            return replace(self._transformed(dict(found), taken, profile), links=self._strengthened(taken))

        await self._memories.transform(
            user_id,
            sorted(ids),
            transform,
            at=max(answer.receipt.at for answer in answers),
            receipts=[answer.receipt for answer in answers],
        )

    def _transformed(
        self, memories: dict[MemoryId, Memory], answers: Iterable[AnswerGiven], profile: TierProfile
    ) -> Transformation:
        """The answers' effects in the order of their instants, on memories that change on the way."""
        changes: dict[MemoryId, list[Change]] = {}
        loose: list[Change] = []
        for answer in answers:
            for memory_id in answer.used:
                if before := memories.get(memory_id):
                    after = self._reinforcement.accessed(before, answer.receipt.at, profile=profile)
                    if after is not before:
                        memories[memory_id] = after
                        changes.setdefault(memory_id, []).append(
                            access_change(
                                before, after, answer.receipt.at, ids=self._ids, reason="recall", actor="system"
                            )
                        )
            loose += self._suppressed(memories, answer, changes)
        return Transformation(
            tuple(Transformed(memories[memory_id], tuple(rows)) for memory_id, rows in changes.items()), tuple(loose)
        )

    def _strengthened(self, answers: Iterable[AnswerGiven]) -> tuple[LinkStep, ...]:
        """A Hebbian step for each answer that a link was walked in (constants.md 2.4)."""
        walked: dict[str, list[datetime]] = {}
        for answer in answers:
            for link_id in dict.fromkeys(answer.links):
                walked.setdefault(link_id, []).append(answer.receipt.at)
        rate = self._settings.links.hebbian_rate
        return tuple(
            LinkStep(link_id, partial(_used, times=len(instants), rate=rate), max(instants))
            for link_id, instants in walked.items()
        )

    def _suppressed(
        self, memories: dict[MemoryId, Memory], answer: AnswerGiven, changes: dict[MemoryId, list[Change]]
    ) -> list[Change]:
        """Weakens what lost, with one audit row for the whole recall."""
        before: dict[str, float] = {}
        after: dict[str, float] = {}
        for memory_id in answer.suppressed:
            if (memory := memories.get(memory_id)) is None:
                continue
            weaker = self._reinforcement.suppressed(memory, answer.receipt.at)
            if weaker is not memory:
                memories[memory_id] = weaker
                changes.setdefault(memory_id, [])
                before[memory_id] = memory.strength.base_strength
                after[memory_id] = weaker.strength.base_strength
        if not after:
            return []
        return [
            Change(
                id=self._ids.new(),
                target_id=answer.receipt.id,
                at=answer.receipt.at,
                action=Action.SUPPRESS,
                field="base_strength",
                before=dict(before),
                after=dict(after),
                reason="recall",
                actor="system",
            )
        ]


def link_ends(link_ids: Iterable[str]) -> Iterator[MemoryId]:
    """The memories that links join, to be locked with what else an answer changes."""
    for link_id in link_ids:
        if parts := parse_link_id(link_id):
            yield from (MemoryId(end) for end in parts[1:])


def _used(link: Link, *, times: int, rate: float) -> Link:
    weight = link.weight
    for _ in range(times):
        weight = strengthened(weight, rate=rate)
    return replace(link, weight=weight, uses=link.uses + times)

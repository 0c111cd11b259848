"""Feedback: what a caller says of an answer afterwards, each word of which counts once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from graph_memory.domain.association import misled
from graph_memory.domain.link import Link
from graph_memory.domain.memory import Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.text import text_problems
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.errors import InvalidValueError, LimitExceededError, NotFoundError, Problem, StoreError
from graph_memory.ports import (
    Clock,
    Ids,
    LinkStep,
    MemoryStore,
    Receipt,
    ReceiptStore,
    Transformation,
    Transformed,
    Verdict,
)
from graph_memory.services.aftermath import Aftermath, link_ends
from graph_memory.services.inspect import Inspect
from graph_memory.services.use import access_change
from graph_memory.settings import Settings

_MOST_ID_CHARACTERS = 1_000


class Feedback:
    """Takes feedback on answers (operations.md, Using)."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        receipts: ReceiptStore,
        aftermath: Aftermath,
        inspect: Inspect,
        reinforcement: Reinforcement,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._memories, self._receipts, self._aftermath, self._inspect = memories, receipts, aftermath, inspect
        self._reinforcement, self._clock, self._ids, self._settings = reinforcement, clock, ids, settings

    async def __call__(
        self, user_id: UserId, receipt_id: str, *, used: Sequence[str] = (), misleading: Sequence[str] = ()
    ) -> list[Memory]:
        """Counts the hits that were of use as used, and weakens the links that led to those that misled.

        A hit that was named before, on the same receipt and in the same list, is not counted again.

        Returns: the memories named, those used first, as they then are.
        Raises: NotFoundError for a receipt that is not there, InvalidValueError that names every id that is no hit.
        """
        if len(used) + len(misleading) > self._settings.limits.rows:
            raise LimitExceededError(
                f"{len(used) + len(misleading)} ids at once; at most {self._settings.limits.rows} are allowed"
            )
        receipt = await self._receipt(user_id, receipt_id)
        if problems := [*_strangers("used", used, receipt), *_strangers("misleading", misleading, receipt)]:
            raise InvalidValueError("feedback", problems)
        verdict = Verdict(receipt_id=receipt.id, used=_each_once(used), misleading=_each_once(misleading))
        named = _each_once([*used, *misleading])
        memories = await self._judged(user_id, receipt, verdict, named)
        if missing := [memory_id for memory_id in named if memory_id not in memories]:
            raise NotFoundError("memory", missing[0])
        return [memories[memory_id] for memory_id in named]

    async def _receipt(self, user_id: UserId, receipt_id: str) -> Receipt:
        """The receipt, once it is stored: it is written after the answer."""
        if text_problems("receipt_id", receipt_id, most_characters=_MOST_ID_CHARACTERS):
            raise NotFoundError("receipt", receipt_id)
        if self._aftermath.awaits(user_id, receipt_id):
            await self._aftermath.settled()
        if receipt := await self._receipts.get(user_id, receipt_id):
            return receipt
        if self._aftermath.awaits(user_id, receipt_id):
            raise StoreError("the answer has not been followed up yet; try again", retryable=True)
        raise NotFoundError("receipt", receipt_id)

    async def _judged(
        self, user_id: UserId, receipt: Receipt, verdict: Verdict, named: Sequence[MemoryId]
    ) -> dict[MemoryId, Memory]:
        now = self._clock.now()
        profile = self._settings.tier_profile((await self._inspect.settings(user_id)).tier_profile)

        def judged(found: Mapping[MemoryId, Memory], fresh: Verdict, before: Verdict) -> Transformation:
            return Transformation(
                memories=tuple(self._used(found, fresh.used, now, profile)),
                links=self._weakened(receipt.link_ids, fresh.misleading, before.misleading),
            )

        ids = sorted({*named, *link_ends(receipt.link_ids)})
        return await self._memories.judge(user_id, ids, verdict, judged, at=now)

    def _used(
        self, found: Mapping[MemoryId, Memory], used: Iterable[MemoryId], at: datetime, profile: TierProfile
    ) -> Iterator[Transformed]:
        for before in (found[memory_id] for memory_id in used if memory_id in found):
            after = self._reinforcement.accessed(before, at, profile=profile)
            if after is not before:
                change = access_change(before, after, at, ids=self._ids, reason="feedback", actor="user")
                yield Transformed(after, (change,))

    def _weakened(
        self, link_ids: Iterable[str], misleading: Iterable[MemoryId], before: Iterable[MemoryId]
    ) -> tuple[LinkStep, ...]:
        """One step down for each link of the answer that touches what misled, whichever end was named first."""
        step = partial(_less, step=self._settings.links.negative_step)
        return tuple(
            LinkStep(link_id, step)
            for link_id in link_ids
            if (ends := frozenset(link_ends([link_id]))) & frozenset(misleading) and not ends & frozenset(before)
        )


def _less(link: Link, *, step: float) -> Link:
    return replace(link, weight=misled(link.weight, step=step))


def _each_once(ids: Iterable[str]) -> tuple[MemoryId, ...]:
    return tuple(MemoryId(each) for each in dict.fromkeys(ids))


def _strangers(field: str, ids: Iterable[str], receipt: Receipt) -> list[Problem]:
    """The ids that are no hits of the receipt's answer."""
    return [
        Problem(field, f"{each!r} is no hit of this answer") for each in _each_once(ids) if each not in receipt.hit_ids
    ]

"""Discover links: join each memory, once, with what is near it, by rules and by a model (constants.md 2.4).

A step of the link beat. In batches: memories are claimed, their neighbours looked up, links found by rules and asked of
the language model, and all of a batch is written in one transaction.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from graph_memory.domain.asked import LinkablePair, LinkProposal, Question, Statement
from graph_memory.domain.link import Link
from graph_memory.domain.link_rules import LinkRules, accepted_links, floor_links, planned, shared_names_weight
from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.errors import InferenceError
from graph_memory.ports import (
    CallEstimates,
    Ids,
    LanguageModel,
    LinkDiscoveryStore,
    LinksWritten,
    Neighbouring,
    Pulse,
    Unlinked,
)
from graph_memory.services.would_ask import would_ask
from graph_memory.settings import LinkSettings

_MOST_PLANNED = 1_000  # links that a dry run lists; it counts them all


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sought:
    """A memory with its neighbours."""

    of: Unlinked
    close: tuple[Neighbouring, ...]  # by links, then by meaning: what a model is asked about
    beside: tuple[Neighbouring, ...]  # others by meaning or by shared names, for the rules alone
    pairs: tuple[LinkablePair, ...]  # those of the close ones that no earlier memory of the batch asks about


@dataclass(slots=True)
class _Proposed:
    """What the language model said."""

    by_memory: dict[MemoryId, tuple[LinkProposal, ...]] = field(default_factory=dict)
    dropped: int = 0
    failed: dict[MemoryId, str] = field(default_factory=dict)


@dataclass(slots=True)
class _SoFar:
    """What one call did."""

    made: int = 0
    plan: list[Planned] = field(default_factory=list)
    removed: int = 0
    refused: int = 0
    ignored: int = 0
    failed: int = 0
    parked: int = 0
    left: int = 0
    asking: StepReport = field(default_factory=StepReport)  # of a dry run: what a model would be asked

    def add(self, written: LinksWritten, proposed: _Proposed, ignored: int) -> None:
        """Counts a batch."""
        self.made += written.made
        self.removed += written.removed
        self.refused += written.refused
        self.ignored += proposed.dropped + ignored
        self.failed += len(proposed.failed)
        self.parked += written.parked

    def report(self) -> StepReport:
        told = (
            (self.removed, "links removed, the weakest of too many"),
            (self.refused, "links refused: they would have closed a cycle"),
            (self.ignored, "proposals of the model not accepted"),
            (self.failed, "memories that the model gave no answer for"),
            (self.parked, "memories parked until their text changes"),
            (self.left, "memories left for the next run"),
        )
        done = StepReport(
            counts={Count.LINKS: self.made},
            plan=tuple(self.plan),
            notes=tuple(f"{number} {what}" for number, what in told if number),
        )
        return done.plus(self.asking)


class DiscoverLinks:
    """Finds links for a user's memories that have had none sought yet (a SleepStep)."""

    name = "discover links"

    def __init__(
        self,
        *,
        store: LinkDiscoveryStore,
        model: LanguageModel,
        estimates: CallEstimates,
        rules: LinkRules,
        ids: Ids,
        settings: LinkSettings,
        most_characters: int,
    ) -> None:
        self._store, self._model, self._estimates, self._rules, self._ids = store, model, estimates, rules, ids
        self._settings, self._most_characters = settings, most_characters

    async def due_users(self, *, at: datetime, limit: int) -> Sequence[UserId]:
        """Users with memories whose links are still to be found (DueUsers)."""
        return await self._store.due_users(at=at, limit=limit)

    async def due(self, user_id: UserId, *, at: datetime) -> int:
        """How many of a user's memories wait, counted up to what one call takes."""
        return await self._store.count_due(user_id, at=at, most=self._settings.run_most)

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        """Takes what is due, the oldest first, up to a bound. Raises StoreError, LeaseLostError.

        A model's failure leaves the rules' links, and the memory due again. A dry run asks no model.
        """
        so_far, done = _SoFar(), 0
        waiting = await self.due(user_id, at=at)
        if dry_run:
            await self._preview(user_id, so_far, at, waiting)
            return so_far.report()
        while done < self._settings.run_most:
            await pulse(so_far.report(), done=done, total=max(done, waiting))
            taken = await self._batch(user_id, so_far, at)
            if not taken:
                break
            done += taken
        so_far.left = await self.due(user_id, at=at)
        return so_far.report()

    async def _batch(self, user_id: UserId, so_far: _SoFar, at: datetime) -> int:
        """How many memories it took."""
        claim, lease = self._ids.new(), timedelta(seconds=self._settings.lease_seconds)
        taken = await self._store.claim(user_id, claim=claim, limit=self._settings.batch, at=at, lease=lease)
        if not taken:
            return 0
        sought = await self._sought(user_id, taken, at)
        proposed = await self._proposed(user_id, sought)
        found = {each.of.memory.id: self._by_rules(each, at) for each in sought}
        ignored = 0
        for each in sought:
            links, left_out = self._accepted(each, proposed, at)
            found[each.of.memory.id] += links
            ignored += left_out
        written = await self._store.write(
            user_id,
            claim,
            found,
            proposed.failed,
            lambda links, standing: planned(links, standing, rules=self._rules),
            at=at,
            retry_at=at + lease,
            max_attempts=self._settings.max_attempts,
        )
        so_far.add(written, proposed, ignored)
        return len(taken)

    async def _preview(self, user_id: UserId, so_far: _SoFar, at: datetime, waiting: int) -> None:
        """What the rules would link, as nothing else is changed meanwhile; models may find more."""
        due = await self._store.due(user_id, limit=waiting, at=at)
        seen: set[str] = set()
        for start in range(0, len(due), self._settings.batch):
            sought = await self._sought(user_id, due[start : start + self._settings.batch], at)
            found = [link for each in sought for link in self._by_rules(each, at) if link.id not in seen]
            seen |= {link.id for link in found}
            ends = {MemoryId(end) for link in found for end in (link.source, link.target)}
            made = planned(found, await self._store.standing(user_id, sorted(ends)), rules=self._rules).made
            so_far.made += len(made)
            for each in sought:
                if each.pairs:
                    so_far.asking = so_far.asking.plus(would_ask(self._estimates, Question.LINKS, each.pairs))
            room = _MOST_PLANNED - len(so_far.plan)
            so_far.plan += [_planned(link) for link in made[:room]]

    async def _sought(self, user_id: UserId, taken: Sequence[Unlinked], at: datetime) -> list[_Sought]:
        """The memories with their neighbours; those that are not current have none."""
        current = [each.memory.id for each in taken if each.current]
        near: dict[MemoryId, list[Neighbouring]] = defaultdict(list)
        for neighbour in await self._store.neighbours(user_id, current, at=at) if current else ():
            near[neighbour.of].append(neighbour)
        asked: set[frozenset[MemoryId]] = set()
        return [self._with_neighbours(each, near[each.memory.id], asked) for each in taken]

    def _with_neighbours(
        self, memory: Unlinked, near: Sequence[Neighbouring], asked: set[frozenset[MemoryId]]
    ) -> _Sought:
        most = self._settings.neighbours
        linked = sorted((each for each in near if self._nearness(each) > 0.0), key=self._nearest_first)[:most]
        by_meaning = sorted(
            (each for each in near if each.cosine is not None and each not in linked),
            key=lambda each: (-(each.cosine or 0.0), each.memory.id),
        )
        room = most - len(linked)
        close = (*linked, *by_meaning[:room])
        new = [each for each in close if frozenset({memory.memory.id, each.memory.id}) not in asked]
        asked |= {frozenset({memory.memory.id, each.memory.id}) for each in new}
        pairs = tuple(_pair(memory, each) for each in new)
        beside = tuple(each for each in near if each not in close and (each.shared or each.cosine is not None))
        return _Sought(of=memory, close=close, beside=beside, pairs=pairs)

    def _nearness(self, neighbour: Neighbouring) -> float:
        """By links or by shared names, whichever is more."""
        named = shared_names_weight(neighbour.shared, self._rules) if neighbour.shared else 0.0
        return max(neighbour.nearness, named)

    def _nearest_first(self, neighbour: Neighbouring) -> tuple[float, float, str]:
        return -self._nearness(neighbour), -(neighbour.cosine or 0.0), neighbour.memory.id

    def _by_rules(self, sought: _Sought, at: datetime) -> list[Link]:
        return [
            link
            for each in (*sought.close, *sought.beside)
            for link in floor_links(
                sought.of.memory, each.memory, cosine=each.cosine, shared=each.shared, rules=self._rules, at=at
            )
        ]

    async def _proposed(self, user_id: UserId, sought: Sequence[_Sought]) -> _Proposed:
        """What the model says, asked about one memory at a time, so that what fails for one is had for the others."""
        asking = [each for each in sought if each.pairs]
        answers = await asyncio.gather(
            *(self._model.links(user_id, each.pairs) for each in asking), return_exceptions=True
        )
        proposed = _Proposed()
        for each, answer in zip(asking, answers, strict=True):
            if isinstance(answer, InferenceError):
                proposed.failed[each.of.memory.id] = str(answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                proposed.by_memory[each.of.memory.id] = answer.value
                proposed.dropped += answer.dropped
        return proposed

    def _accepted(self, sought: _Sought, proposed: _Proposed, at: datetime) -> tuple[list[Link], int]:
        memories = {each.id: each for each in (sought.of.memory, *(near.memory for near in sought.close))}
        return accepted_links(
            proposed.by_memory.get(sought.of.memory.id, ()),
            memories,
            {frozenset({each.first.id, each.second.id}) for each in sought.pairs},
            rules=self._rules,
            at=at,
            most_characters=self._most_characters,
        )


def _pair(memory: Unlinked, neighbour: Neighbouring) -> LinkablePair:
    """The two in the order of time."""
    both = [(memory.memory, memory.text), (neighbour.memory, neighbour.text)]
    (first, first_text), (second, second_text) = sorted(both, key=lambda each: each[0].order)
    return LinkablePair(
        first=Statement(first.id, first_text),
        second=Statement(second.id, second_text),
        first_at=first.occurred_at,
        second_at=second.occurred_at,
    )


def _planned(link: Link) -> Planned:
    return Planned(
        action="link",
        memory_ids=(MemoryId(link.source), MemoryId(link.target)),
        text=link.reason,
        detail={"type": link.type.value, "weight": link.weight},
    )

"""What the core asks of the queue of turns that nothing was drawn from yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from graph_memory.domain.asked import Extraction, Utterance
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkTurn:
    """One turn of an episode, with the memory that was made of it."""

    id: NodeId
    utterance: Utterance
    memory_id: MemoryId | None = None  # None: there is none, as of what an assistant says


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnExtraction:
    """What one turn says, and who found it: every item names utterance 0, the turn itself."""

    extraction: Extraction
    by: str  # "rules", or the model's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Turns of one episode that were claimed to be drawn from, in their order."""

    user_id: UserId
    episode_id: NodeId
    claim: str
    turn_ids: tuple[NodeId, ...]
    noted: Mapping[NodeId, TurnExtraction] = field(default_factory=dict)  # what an earlier try drew and did not finish


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A statement or decision, the episodic memory that says it, and who found it there."""

    memory_id: MemoryId
    source_id: MemoryId
    origin: str = "rule"  # rule or model


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingTurn:
    """A turn that nothing was drawn from yet."""

    id: NodeId
    episode_id: NodeId
    attempts: int
    problem: str | None  # why the last try failed
    due_at: datetime | None  # when it is tried next; None: it was tried often enough, and is parked


class ExtractionQueue(Protocol):
    """Hands out turns that are due to be drawn from, each to one worker at a time.

    Due is what a user said, once the memory of it is made. What fails comes again, and is parked after some tries.
    """

    async def due(self, *, at: datetime, limit: int) -> list[tuple[UserId, NodeId]]:
        """Episodes with turns that are due, the longest due first."""

    async def put_off(self, *, at: datetime, again_at: datetime, min_turns: int) -> int:
        """Puts off the due turns of episodes with too few turns, for good once such an episode has ended; how many."""

    async def claim(
        self,
        user_id: UserId,
        episode_id: NodeId,
        *,
        claim: str,
        at: datetime,
        lease: timedelta,
        min_turns: int,
        limit: int,
    ) -> Talk | None:
        """The first due turns of an episode; unfinished, they fall due again when the lease ends. None: none is."""

    async def turns(self, talk: Talk, *, before: int, limit: int) -> list[TalkTurn]:
        """The turns of an episode from the first claimed to the last, and some before, in their order."""

    async def note(self, talk: Talk, drawn: Mapping[NodeId, TurnExtraction]) -> bool:
        """Keeps what was drawn until it is finished; False: some of the turns are another worker's by now."""

    async def finish(self, talk: Talk, drawn: Sequence[Drawn], *, at: datetime) -> list[Drawn]:
        """Leads from what was drawn to its sources, and notes that all is drawn; those whose source is gone."""

    async def give_back(
        self,
        talk: Talk,
        turn_ids: Sequence[NodeId],
        *,
        reason: str | None,
        counts: bool,
        at: datetime,
        retry_at: datetime,
        max_attempts: int,
    ) -> int:
        """Gives turns back, to be tried again; how many of them are parked.

        Args:
            reason: why nothing could be drawn; None: they were not tried.
            counts: whether the try counts as one of `max_attempts`.
        """

    async def take_up_parked(self, user_id: UserId, *, at: datetime) -> int:
        """Makes the parked turns of a user due again; how many."""

    async def waiting(self, user_id: UserId, *, limit: int) -> list[WaitingTurn]:
        """The turns of a user that nothing was drawn from yet, those due first, then the parked ones."""

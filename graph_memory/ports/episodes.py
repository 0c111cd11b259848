"""What the core asks of episodes, their turns, and the relationship that they show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graph_memory.domain.asked import EpisodeDigest, RelationshipSigns
from graph_memory.domain.change import Change
from graph_memory.domain.episode import Episode, Segment, Turn
from graph_memory.domain.relationship import Relationship
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.ports.memories import Remnants
from graph_memory.ports.paging import Position, Row
from graph_memory.ports.settling import MendedInsight
from graph_memory.ports.users import UserSettings


@dataclass(frozen=True, slots=True)
class EpisodePlan:
    """What is written of episodes, with its audit rows."""

    segments: tuple[Segment, ...] = ()
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodesWritten:
    """What was written: the episodes concerned as they then are, by their start, and the new turns."""

    episodes: tuple[Episode, ...]
    turns: tuple[Turn, ...] = ()


class EpisodeStore(Protocol):
    """Keeps episodes and turns. What changes the episodes of one user comes one after the other.

    The functions that it is given are pure and may be called again after a deadlock.
    """

    async def write(
        self,
        user_id: UserId,
        plan: Callable[[Episode | None, frozenset[str]], EpisodePlan],
        *,
        user: UserSettings,
        at: datetime,
        episode_id: NodeId | None = None,
        keys: Sequence[str] = (),
    ) -> EpisodesWritten:
        """Writes what `plan` makes of an episode, as it is while nothing else can change it.

        Args:
            user_id: whose episodes they are.
            plan: what to write; it is given the episode, None when there is none, and which of the `keys` turns of
                this user bear already.
            user: what a user is made with of whom nothing is stored yet.
            at: now.
            episode_id: which episode; None: of the open ones that with the latest sign of life.
            keys: idempotency keys of turns; episodes of turns that bear one are among those answered.
        """

    async def get(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, Episode]:
        """The episodes found."""

    async def get_turns(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, Turn]:
        """The turns found."""

    async def listed(
        self, user_id: UserId, *, after: Position | None, limit: int, most: int, recorded: bool = False
    ) -> list[Row[Episode]]:
        """The latest episodes, `most` of them at most, the latest first; `recorded`: only those summed up."""

    async def found(
        self, user_id: UserId, words: Sequence[str], index_terms: Sequence[str], *, most: int, most_turns: int
    ) -> list[tuple[Episode, tuple[str, ...]]]:
        """Episodes that hold any of the words in their digest or turns, with the texts of those turns."""

    async def turns(
        self, user_id: UserId, episode_id: NodeId, *, after: Position | None = None, limit: int | None = None
    ) -> list[Row[Turn]]:
        """The turns of an episode in their order; without a limit, all."""

    async def recent_turns(self, user_id: UserId, *, limit: int) -> list[Turn]:
        """The last turns of a user, the oldest of them first."""

    async def delete(
        self,
        user_id: UserId,
        episode_id: NodeId,
        change: Change,
        *,
        insights: Sequence[MendedInsight],
        remnants: Remnants,
        user: UserSettings,
    ) -> bool:
        """Removes an episode with its turns and its share of the relationship; False when it is not there.

        Memories made from its turns stay; what was concluded from it becomes what `insights` say, and what was drawn
        from those what `remnants` say. Raises ConflictError when the insights have moved on meanwhile.
        """

    async def settle(
        self,
        user_id: UserId,
        episode_id: NodeId,
        digest: EpisodeDigest | None,
        signs: RelationshipSigns | None,
        *,
        user: UserSettings,
        at: datetime,
    ) -> Episode | None:
        """Sums up an ended episode that is still due, and adds it to the relationship; once, whoever comes first.

        None for both: it was too short. The episode as it then is; None when it is not there.
        """

    async def remembered(
        self, user_id: UserId, memories: Sequence[tuple[NodeId, MemoryId | None]], *, at: datetime
    ) -> None:
        """Notes which memory was made of each turn (None: a tombstone forbade it), and links the two."""

    async def due(self, user_id: UserId, *, at: datetime, limit: int) -> list[NodeId]:
        """Episodes that wait to be ended or settled since before an instant, the longest due first."""

    async def unremembered(self, user_id: UserId, *, until: datetime, limit: int) -> list[Turn]:
        """What the user said up to an instant of which no memory was made yet."""

    async def due_users(self, *, at: datetime, limit: int) -> list[UserId]:
        """Users for whom one of the two has something."""

    async def relationship(self, user_id: UserId, *, zone: str) -> Relationship:
        """How the user and the agent stand, by days of that zone."""

"""What the core asks of people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graph_memory.domain.change import Change
from graph_memory.domain.name_resolution import NamedPerson
from graph_memory.domain.people_lists import KnownPerson
from graph_memory.domain.person import Merge, Person
from graph_memory.domain.vocabulary import (
    MemoryId,
    NodeId,
    UserId,
)
from graph_memory.ports.users import UserSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPerson:
    """A person about to be made."""

    id: NodeId
    name: str


@dataclass(frozen=True, slots=True)
class Met:
    """A person as they shall be, with the audit rows that say why."""

    person: Person
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parted:
    """Two people as they shall be once their merge is undone."""

    keep: Person
    merged: Person
    changes: tuple[Change, ...]


class PeopleStore(Protocol):
    """Keeps what is known of people. Changes of one user's people come one after the other.

    The functions that it is given are pure and may be called again after a deadlock.
    """

    async def named(self, user_id: UserId) -> list[NamedPerson]:
        """Everybody, by every name."""

    async def get(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, Person]:
        """The people found."""

    async def listed(self, user_id: UserId) -> list[KnownPerson]:
        """The people in the list: those with the most interactions, then those seen last, up to the cap."""

    async def meet(
        self,
        user_id: UserId,
        choose: Callable[[Sequence[NamedPerson]], NodeId | NewPerson],
        write: Callable[[Person], Met],
        *,
        user: UserSettings,
        at: datetime,
        memory_id: MemoryId | None = None,
    ) -> Person:
        """One person, chosen among all by name, changed. Raises NotFoundError, and whatever `choose` raises.

        Args:
            user_id: whose people they are.
            choose: who it is, or somebody new.
            write: the person as they shall be, from the person as they are.
            user: what a user is made with of whom nothing is stored yet.
            at: now.
            memory_id: a memory that speaks of the person and is linked to them.
        """

    async def relate(
        self, user_id: UserId, source: NodeId, target: NodeId, label: str, change: Change, *, at: datetime
    ) -> bool | None:
        """Says what `target` is to `source`; whether that is new, None when one of them is not there."""

    async def merge(
        self,
        user_id: UserId,
        keep_id: NodeId,
        merge_id: NodeId,
        join: Callable[[Person, Person], Met],
        *,
        user: UserSettings,
        at: datetime,
    ) -> Person:
        """Makes one person of two; the one audit row keeps what undoing needs. Raises NotFoundError."""

    async def part(
        self,
        user_id: UserId,
        change_id: str,
        part: Callable[[Person | None, Merge], Parted],
        *,
        user: UserSettings,
        at: datetime,
    ) -> Person:
        """Undoes a merge; the kept person. Raises NotFoundError, ConflictError, and whatever `part` raises.

        `part` is given the kept person as they are, None when they are gone.
        """

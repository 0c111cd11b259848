"""What the core asks of the store for what sleep draws: statements from episodes, schemas from statements."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from graph_memory.domain.change import Change
from graph_memory.domain.distillation import Standing
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Category, MemoryId, UserId
from graph_memory.ports.memories import Drawable, NewMemory, Rewritten, Transformed
from graph_memory.ports.world import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Groupable:
    """A memory as clustering sees it."""

    id: MemoryId
    text: str
    vector: Floats  # shape (dimensions,), unit length
    speaker: str | None
    people: tuple[str, ...] = ()  # as the caller named them
    entities: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()  # folded names of the persons it refers to
    is_question: bool = False
    is_due: bool = True  # it was not put off
    bucket: str = ""
    category: Category = Category.OTHER


@dataclass(frozen=True, slots=True)
class Share:
    """A member of a cluster as the text drawn from it saw it, with its cosine to the centroid."""

    id: MemoryId
    content_hash: str
    cosine: float


class Ending(StrEnum):
    """What became of a cluster."""

    ADDED = "added"  # a memory of its own
    JOINED = "joined"  # one that says the same was there, and got its links
    KNOWN = "known"  # one that says the same was there and has sources enough
    VETOED = "vetoed"  # what it says was erased, and is not learnt again
    OVERTAKEN = "overtaken"  # its members changed meanwhile; nothing was written


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSchema:
    """A schema with how it stands and what it abstracts."""

    memory: Memory
    key: str
    standing: Standing
    member_ids: tuple[MemoryId, ...]


class DistillationStore(Protocol):
    """Keeps what is to be distilled, and what was. Every write is one transaction that checks what it rests on."""

    async def due_buckets(self, user_id: UserId, *, at: datetime) -> list[str]:
        """Buckets in which episodes wait that are believed and were not put off."""

    async def pool(self, user_id: UserId, bucket: str, *, at: datetime, limit: int) -> list[Groupable]:
        """Episodes of a bucket that are neither distilled nor planned, those due before those put off, oldest first."""

    async def plan(
        self,
        user_id: UserId,
        clusters: Mapping[str, Sequence[MemoryId]],
        *,
        noise: Sequence[MemoryId],
        until: datetime,
    ) -> int:
        """Writes down clusters by their keys, and puts off noise; how many were planned.

        A plan outlives its worker. A cluster that another plan has part of is left out.
        """

    async def planned(self, user_id: UserId) -> list[str]:
        """The keys of the clusters that wait to be distilled."""

    async def members(self, user_id: UserId, key: str) -> list[Drawable]:
        """The members of a planned cluster, whatever became of them since; those without a vector are left out."""

    async def of_cluster(self, user_id: UserId, key: str) -> MemoryId | None:
        """The statement drawn from a cluster of this key before."""

    async def distil(
        self,
        user_id: UserId,
        key: str,
        shares: Sequence[Share],
        *,
        cluster_key: str,
        new: NewMemory | None,
        into: MemoryId | None,
        rewrite: Callable[[Memory], Rewritten] | None,
        joined: Callable[[Memory], Transformed],
        origin: str,
        reason: str,
        most: int,
        at: datetime,
        until: datetime,
    ) -> tuple[Ending, MemoryId | None]:
        """Ends a planned cluster with a statement: what became of it, and the statement.

        Args:
            key: under which it was planned.
            shares: its members, those left out that are not believed any more.
            cluster_key: of the members that there are.
            new: the statement to be written, if `into` is None.
            into: one that says the same.
            rewrite: its new text, where it was drawn from this very cluster before.
            joined: how one that says the same, and keeps its text, takes these sources.
            origin: rule or model.
            most: sources of one statement.
            until: until when members that were left out are put off.
        """

    async def close(self, user_id: UserId, key: str, *, known: bool, at: datetime, until: datetime) -> None:
        """Ends a planned cluster without a statement; members that are not known may be planned anew after `until`."""

    async def fading(self, user_id: UserId, *, limit: int) -> list[MemoryId]:
        """Statements whose sources are still to fade."""

    async def fade(
        self, user_id: UserId, statement_id: MemoryId, faded: Callable[[Memory, float], Transformed], *, at: datetime
    ) -> int:
        """Fades the sources of a statement, each once for ever; how many.

        Args:
            faded: a source as it shall be, from the source as it is and its cosine to the centroid.
        """

    async def facts(self, user_id: UserId, *, at: datetime, limit: int) -> list[Groupable]:
        """The established statements that are believed."""

    async def fact_members(self, user_id: UserId, ids: Sequence[MemoryId]) -> list[Drawable]:
        """Statements with their vectors, by id; those that are gone are left out."""

    async def schemas(self, user_id: UserId, *, at: datetime) -> list[KnownSchema]:
        """The schemas that are believed."""

    async def add_schema(
        self, key: str, shares: Sequence[Share], new: NewMemory, standing: Standing, *, origin: str, at: datetime
    ) -> tuple[Ending, MemoryId | None]:
        """Writes a schema with what it abstracts; an equal one gets the links."""

    async def renew_schema(
        self,
        key: str,
        shares: Sequence[Share],
        before: KnownSchema,
        standing: Standing,
        *,
        rewrite: Callable[[Memory], Rewritten] | None,
        believed: Callable[[Memory], Transformed],
        origin: str,
        at: datetime,
    ) -> bool:
        """Writes how a schema stands that was found again; False when its members changed meanwhile."""

    async def miss_schema(self, schema: KnownSchema, *, at: datetime) -> None:
        """Notes since when a schema is not found any more."""

    async def retire_schema(self, schema: KnownSchema, change: Change, *, at: datetime) -> bool:
        """Ends a schema; False when it was found again meanwhile."""

    async def sources(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[MemoryId]]:
        """What memories were drawn from, the oldest first."""

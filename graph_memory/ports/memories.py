"""What the core asks of the store of memories."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from graph_memory.domain.change import Change
from graph_memory.domain.link import Link
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import (
    Category,
    Kind,
    Lane,
    MemoryId,
    MemoryOrder,
    State,
    Tier,
    UserId,
    WriteOperation,
)
from graph_memory.errors import GraphMemoryError
from graph_memory.ports.paging import Position, Row
from graph_memory.ports.world import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Succession:
    """A memory that another takes the place of, in the transaction that makes it so.

    `retire` gives the old memory as it shall be, from the old one as it then is, locked; it raises ConflictError when
    that is no longer current.
    """

    old_id: MemoryId
    retire: "Callable[[Memory], Transformed]"
    contradicts: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory about to be written, with all that is stored beside it."""

    memory: Memory
    text_hash: str
    idempotency_key: str | None
    search_text: str
    index_terms: str | None
    is_question: bool
    word_count: int
    name_count: int
    heading_key: str | None
    embedding: Floats  # shape (dimensions,), unit length
    time_zone: str
    tier_profile: str
    change: Change
    successions: tuple[Succession, ...] = ()
    contradicts: tuple[MemoryId, ...] = ()  # current memories that it stands against, unsettled


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one new memory. `memory_id` is None only where a tombstone vetoed it."""

    operation: WriteOperation
    memory_id: MemoryId | None
    replayed: bool = False
    vetoed: bool = False
    superseded: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories of a list are wanted; None asks nothing."""

    kinds: tuple[Kind, ...] | None = None
    buckets: tuple[str, ...] | None = None
    lanes: tuple[Lane, ...] | None = None
    categories: tuple[Category, ...] | None = None
    states: tuple[State, ...] | None = None
    tiers: tuple[Tier, ...] | None = None
    touched: tuple[tuple[datetime, datetime], ...] | None = None  # any of these spans; never what is pinned
    text: str | None = None
    name_keys: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    session_id: str | None = None
    agent_id: str | None = None
    external_id: str | None = None
    pinned: bool | None = None
    hidden: bool | None = None
    superseded: bool | None = None
    labile: bool | None = None
    expired: bool | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    created_from: datetime | None = None
    created_until: datetime | None = None
    known_at: datetime | None = None  # what was believed then; together with as_of
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class Transformed:
    """A memory as it shall be, with the audit rows that say why."""

    memory: Memory
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What an answer was made of, kept for feedback."""

    id: str
    user_id: UserId
    at: datetime
    expires_at: datetime
    hit_ids: tuple[MemoryId, ...]
    scores: tuple[float, ...]
    link_ids: tuple[str, ...] = ()  # of the links walked whose two ends are hits
    applied: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a caller says of the hits of one receipt."""

    receipt_id: str
    used: tuple[MemoryId, ...] = ()
    misleading: tuple[MemoryId, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkStep:
    """What a transaction makes of one link: the link as it shall be, from the link as it then is, locked."""

    link_id: str
    change: Callable[[Link], Link]
    used_at: datetime | None = None  # None: it was not used


@dataclass(frozen=True, slots=True)
class Transformation:
    """What a transaction shall write: memories with their audit rows, rows of no single memory, and links."""

    memories: tuple[Transformed, ...] = ()
    changes: tuple[Change, ...] = ()
    links: tuple[LinkStep, ...] = ()  # one a link; a link that is gone is passed over


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """A memory with its new text and all that follows from it."""

    memory: Memory
    embedding: Floats
    text_hash: str
    search_text: str
    index_terms: str | None
    is_question: bool
    word_count: int
    name_count: int
    heading_key: str | None
    version_id: str
    reason: str | None
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Drawable:
    """A memory that something can be drawn from, with its vector."""

    memory: Memory
    vector: Floats  # shape (dimensions,), unit length


@dataclass(frozen=True, slots=True)
class Remnants:
    """What becomes of a memory that sleep drew from others, one of which is erased. Pure functions.

    `rewritten` gives what it may say from what is left, the best first; `erased` the hash of its text and the audit row
    for one of which nothing is left.
    """

    rewritten: Callable[[Memory, Sequence[Drawable]], Sequence[Rewritten]]
    erased: Callable[[Memory], tuple[str, Change]]


# From the memories found, by id, and the receipts among those given that were not applied before
Transform = Callable[[Mapping[MemoryId, Memory], frozenset[str]], Transformation]
# From the memories found, by id, what of a verdict was not said before, and what was
Judge = Callable[[Mapping[MemoryId, Memory], Verdict, Verdict], Transformation]


class MemoryStore(Protocol):
    """Keeps memories."""

    async def add(self, new: Sequence[NewMemory]) -> list[Written | GraphMemoryError]:
        """Writes memories durably; answers after the commit, in order; a bad one fails alone.

        An idempotency key that was used gives the memory it wrote; a text that a current memory holds gives that one;
        a text that was erased is vetoed unless the user states it.
        """

    async def prime(self, *, at: datetime) -> None:
        """Has the statements of `add` planned, which takes a server that was just started some seconds."""

    async def replayed(self, user_id: UserId, keys: Sequence[str]) -> dict[str, Written]:
        """Those of the idempotency keys that were used, with the memory that each wrote or found known.

        That something was known is told by a receipt (`retelling_id`), while it is kept.
        """

    async def get(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, Memory]:
        """The memories found, whatever their state."""

    async def candidates(
        self,
        user_id: UserId,
        *,
        vector: Floats,
        words: Sequence[str],
        index_terms: Sequence[str],
        kind: Kind,
        buckets: Sequence[str],
        limit: int,
        at: datetime,
    ) -> list[tuple[Memory, float]]:
        """The current memories most like a text, by vector and by words, with their cosines."""

    async def find(
        self,
        user_id: UserId,
        wanted: MemoryFilter,
        *,
        order: MemoryOrder,
        after: Position | None,
        before: Position | None,
        backward: bool,
        limit: int,
        at: datetime,
    ) -> list[Row[Memory]]:
        """The first rows between two positions in `order`; when `backward` the last ones, the last of them first."""

    async def count(self, user_id: UserId, wanted: MemoryFilter, *, at: datetime) -> int:
        """How many pass the filter."""

    async def transform(
        self,
        user_id: UserId,
        ids: Sequence[MemoryId],
        transform: Transform,
        *,
        at: datetime,
        receipts: Sequence[Receipt] = (),
    ) -> dict[MemoryId, Memory]:
        """The memories as `transform` made them; none is overtaken by another's change meanwhile.

        `transform` is a pure function and may be called again after a deadlock. It may change what use, belief and
        emotion change; receipts that were applied before are not among those it is given.
        """

    async def judge(
        self, user_id: UserId, ids: Sequence[MemoryId], verdict: Verdict, judge: Judge, *, at: datetime
    ) -> dict[MemoryId, Memory]:
        """The same for what is said of an answer, each word of which counts once. Raises NotFoundError: no receipt."""

    async def update(
        self,
        memory: Memory,
        *,
        content_hash: str,
        search_text: str,
        changes: Sequence[Change],
        at: datetime,
        moves_in_session: bool,
        renamed: bool,
        moved: bool,
    ) -> bool:
        """Stores what `update` may change of a memory; False when it is gone. Raises ConflictError.

        Args:
            memory: as it shall be.
            moves_in_session: its date changed, so its place among its neighbours did.
            renamed: the people or entities changed, so its links to them are to be made anew.
            moved: its bucket or its dates changed, so what discovery linked it to is to be found anew.
        """

    async def supersede(
        self, user_id: UserId, succession: Succession, new_id: MemoryId, *, at: datetime
    ) -> tuple[Memory, Memory]:
        """Puts one memory in the place of another; both as they then are.

        Raises NotFoundError, and ConflictError for an old one that is not current or a chain that would close a cycle.
        """

    async def rewrite(
        self,
        user_id: UserId,
        memory_id: MemoryId,
        rewrite: Callable[[Memory], Rewritten],
        *,
        at: datetime,
    ) -> Memory:
        """Gives a memory a new text; the old one stays as a Version. Raises NotFoundError, ConflictError."""

    async def expire(self, user_id: UserId, memory_id: MemoryId, change: Change, *, at: datetime) -> bool:
        """Stops believing a memory and mends its session; False when there is no such memory."""

    async def restore(
        self,
        user_id: UserId,
        memory_id: MemoryId,
        begins_with: Mapping[str, object],
        change: Change,
        *,
        at: datetime,
    ) -> bool:
        """Makes a memory current again. Raises ConflictError when an equal one is current."""

    async def erase(
        self,
        user_id: UserId,
        memory_id: MemoryId,
        text_hash: str,
        change: Change,
        *,
        remnants: Remnants,
        at: datetime,
    ) -> int | None:
        """Removes a memory and all that speaks of it; how many neighbours changed, None when there was none.

        What was drawn from it alone goes too; what was drawn from others beside it is rewritten from them.
        """

    async def erase_everything(self, user_id: UserId, change: Change, *, at: datetime) -> int:
        """Removes all of a user but one audit row; how many memories went."""

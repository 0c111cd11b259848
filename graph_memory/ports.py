"""What the core asks of the world, as Protocols with the promises that an adapter must keep.

Every method that takes a `user_id` sees and changes that user's data alone; an id of another user is as unknown as
one that does not exist. Instants are aware and in UTC.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from graph_memory.domain.change import Change
from graph_memory.domain.contradiction import Conflict, denies
from graph_memory.domain.decision import DecisionStatus
from graph_memory.domain.link import Link, LinkType
from graph_memory.domain.memory import Emotion, Memory
from graph_memory.domain.name_resolution import NamedPerson
from graph_memory.domain.names import CalledMemory, KnownName, MemoryReference, NameKind
from graph_memory.domain.people_lists import KnownPerson
from graph_memory.domain.person import Merge, Person
from graph_memory.domain.statement import Wording, read
from graph_memory.domain.tiers import TierProfile
from graph_memory.domain.vocabulary import (
    Category,
    Channel,
    Intent,
    Kind,
    Lane,
    MemoryId,
    MemoryOrder,
    NodeId,
    State,
    Tier,
    UserId,
    WriteOperation,
)
from graph_memory.errors import GraphMemoryError

Floats = npt.NDArray[np.float32]
T = TypeVar("T")
NodeName = tuple[UserId, NameKind, str]  # a person or entity of a user, by its folded name


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present instant, aware, in UTC."""


class Ids(Protocol):
    """Makes ids."""

    def new(self) -> str:
        """An id that no one has had, sorting after every id that this maker gave before."""


class Embedder(Protocol):
    """Turns texts into vectors that can be compared by cosine."""

    @property
    def name(self) -> str:
        """Which model, in which form: vectors of two names must never be compared."""

    @property
    def dimensions(self) -> int:
        """The width of a vector."""

    async def embed_passages(self, texts: Sequence[str]) -> Floats:
        """Shape (len(texts), dimensions), float32, rows of unit length. Raises InferenceError."""

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        """The same for questions. Raises InferenceError."""


class EmotionTagger(Protocol):
    """Tells the emotion of texts."""

    async def tag(self, texts: Sequence[str], vectors: Floats) -> list[Emotion]:
        """One emotion for each text, given its vector (rows of unit length). Raises InferenceError."""


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
    script_terms: str | None
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
class Position:
    """Where a row stands in a list: its sort key, then its id."""

    key: float
    id: str


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """One row of a page, with its position."""

    value: T
    position: Position


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
    script_terms: str | None
    is_question: bool
    word_count: int
    name_count: int
    heading_key: str | None
    version_id: str
    reason: str | None
    changes: tuple[Change, ...]


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

    async def get(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, Memory]:
        """The memories found, whatever their state."""

    async def candidates(
        self,
        user_id: UserId,
        *,
        vector: Floats,
        words: Sequence[str],
        script_terms: Sequence[str],
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
    ) -> bool:
        """Stores what `update` may change of a memory; False when it is gone. Raises ConflictError.

        Args:
            memory: as it shall be.
            moves_in_session: its date changed, so its place among its neighbours did.
            renamed: the people or entities changed, so its links to them are to be made anew.
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
        self, user_id: UserId, memory_id: MemoryId, text_hash: str, change: Change, *, at: datetime
    ) -> int | None:
        """Removes a memory and all that speaks of it; how many neighbours changed, None when there was none."""

    async def erase_everything(self, user_id: UserId, change: Change, *, at: datetime) -> int:
        """Removes all of a user but one audit row; how many memories went."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """One question, analysed; what the store needs to answer it."""

    vector: Floats  # shape (dimensions,), unit length
    words: tuple[str, ...]
    script_terms: tuple[str, ...]
    subject_keys: tuple[str, ...]
    k: int
    entity_keys: tuple[str, ...] = ()
    buckets: tuple[str, ...] | None = None
    lanes: tuple[Lane, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    categories: tuple[Category, ...] | None = None
    tags: tuple[str, ...] | None = None
    session_id: str | None = None
    agent_id: str | None = None
    name_keys: tuple[str, ...] | None = None
    occurred_from: datetime | None = None
    occurred_until: datetime | None = None
    known_at: datetime | None = None  # what was believed then; together with as_of
    as_of: datetime | None = None
    include_superseded: bool = False
    include_hidden: bool = False
    intent: Intent = Intent.GENERAL
    asks_when: bool = False
    asks_name: bool = False  # who, where, which
    days: tuple[tuple[date, date], ...] = ()  # first and last of each span that the question names
    overlay_k: int = 0  # 0: no overlay
    min_match: float = 0.0
    touched_after: datetime | None = None  # pinned, or used since
    include_archived: bool = True
    schema_id: MemoryId | None = None  # only what this schema abstracts


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One addend of a score."""

    name: str
    value: float
    weight: float

    @property
    def contribution(self) -> float:
        return self.value * self.weight


@dataclass(frozen=True, slots=True, kw_only=True)
class PathStep:
    """One step that activation took on its way to a memory."""

    node_id: NodeId  # what the step reached
    hop: int  # from 1
    link_type: LinkType
    weight: float
    gain: float
    activation: float  # of the node reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory of an answer, with what put it there."""

    memory: Memory
    score: float  # only orders
    match: float  # 0..1: the cosine, or the share of the question's words in it
    cosine: float | None  # None: the vector channel did not find it
    ranks: Mapping[Channel, int]  # from 1; a channel that did not find it is left out
    parts: tuple[ScorePart, ...]  # their contributions add up to the score
    path: tuple[PathStep, ...] = ()  # how links led to it, from a seed's first neighbour on


@dataclass(frozen=True, slots=True)
class Found:
    """What a recall found."""

    hits: tuple[Hit, ...]  # best first
    overlay: tuple[Hit, ...] = ()  # of the general bucket, best first, none of them among the hits
    losers: tuple[MemoryId, ...] = ()  # near the question, but not in the answer
    traversed: tuple[str, ...] = ()  # ids of the links walked whose two ends are in the answer


class RecallStore(Protocol):
    """Searches memories."""

    async def recall(self, user_id: UserId, query: RecallQuery, *, at: datetime) -> Found:
        """At most k hits, best first, and at most overlay_k of the general bucket, in one statement."""

    async def sample(
        self, user_id: UserId, query: RecallQuery, *, touched_until: datetime, seed: int, at: datetime
    ) -> Found:
        """At most k memories untouched since, drawn alike likely; the same ones for the same seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedNode:
    """A person or an entity."""

    id: NodeId
    kind: NameKind
    name: str
    aliases: tuple[str, ...]
    created_at: datetime
    last_mentioned_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainMember:
    """One member of a supersession chain."""

    memory: Memory
    successor_id: MemoryId | None
    superseded_at: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFilter:
    """Which decisions of a list are wanted; None asks nothing. Domain and topic are folded."""

    domain_key: str | None = None
    topic_key: str | None = None
    status: DecisionStatus | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """An earlier text of a memory, and when it was ours."""

    text: str
    since: datetime
    until: datetime
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two memories that exclude each other; settled: one of them gave way."""

    older: Memory
    newer: Memory
    settled: bool
    at: datetime
    reason: str | None

    @property
    def kind(self) -> Conflict:
        """What their words show: the newer denies the older, or gives another value."""
        denied = denies(read(self.newer.text, Wording()), read(self.older.text, Wording()))
        return Conflict.NEGATE if denied else Conflict.REPLACE


class AuditStore(Protocol):
    """Reads what happened to memories: changes, earlier texts, successions, contradictions."""

    async def changes(
        self, user_id: UserId, target_id: str, *, after: Position | None, limit: int
    ) -> list[Row[Change]]:
        """One page of a node's audit rows, the latest first."""

    async def change(self, user_id: UserId, change_id: str) -> Change | None:
        """One audit row."""

    async def versions(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[Version]]:
        """The earlier texts of memories, the oldest first."""

    async def successions(
        self, user_id: UserId, ids: Sequence[MemoryId], *, at: datetime
    ) -> list[tuple[MemoryId, MemoryId]]:
        """Which of these gave way to what, and what gave way to them: (old, new), each pair once."""

    async def contradictions(
        self, user_id: UserId, *, settled: bool | None, after: Position | None, limit: int
    ) -> list[Row[Contradiction]]:
        """One page, the latest first."""


class LedgerStore(Protocol):
    """Reads chains of supersession and the decision ledger."""

    async def chain(self, user_id: UserId, memory_id: MemoryId, *, known_at: datetime) -> list[ChainMember]:
        """Every member of a memory's chain, in no order; none when there is no such memory."""

    async def head(self, user_id: UserId, head_key: str) -> Memory | None:
        """The current decision of a domain and topic."""

    async def decisions(
        self,
        user_id: UserId,
        wanted: DecisionFilter,
        *,
        as_of: datetime | None,
        known_at: datetime,
        after: Position | None,
        limit: int,
    ) -> list[Row[Memory]]:
        """One page, the latest first, as believed then; without `as_of` plans for the future are found too."""

    async def count(
        self, user_id: UserId, wanted: DecisionFilter, *, as_of: datetime | None, known_at: datetime
    ) -> int:
        """How many of these there are."""

    async def topics(
        self, user_id: UserId, topic_key: str, *, domain_key: str | None, known_at: datetime
    ) -> list[MemoryId]:
        """One decision of each chain on a topic."""

    async def by_words(
        self, user_id: UserId, words: Sequence[str], script_terms: Sequence[str], *, known_at: datetime, limit: int
    ) -> list[MemoryId]:
        """The decisions that words find best."""

    async def near(
        self, user_id: UserId, vector: Floats, *, domain_key: str, least_cosine: float, at: datetime, limit: int
    ) -> list[Memory]:
        """Decisions of a domain near a vector, the nearest first."""


class NameStore(Protocol):
    """Keeps persons and entities."""

    async def known_names(self, user_id: UserId) -> list[KnownName]:
        """Every name and alias."""

    async def find(
        self, user_id: UserId, kind: NameKind, *, search: str | None, after: Position | None, limit: int
    ) -> list[Row[NamedNode]]:
        """One page, the latest mentioned first."""

    async def count(self, user_id: UserId, kind: NameKind, *, search: str | None) -> int:
        """How many match."""

    async def get(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, NamedNode]:
        """The nodes found."""

    async def named_in(self, user_id: UserId, ids: Sequence[MemoryId]) -> dict[MemoryId, list[NamedNode]]:
        """Whom and what memories refer to, by name."""

    async def memories_naming(
        self, user_id: UserId, node_id: NodeId, *, after: Position | None, limit: int
    ) -> list[Row[Memory]]:
        """One page of the memories that refer to a node, newest first."""

    async def count_memories_naming(self, user_id: UserId, node_id: NodeId) -> int:
        """How many memories refer to a node."""


class LinkStore(Protocol):
    """Keeps links."""

    async def link(self, user_id: UserId, link: Link, change: Change, *, at: datetime) -> Link | None:
        """Links two nodes, or raises the equal link to the larger weight; None when a node is not there."""

    async def closes_cycle(self, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId) -> bool:
        """Whether a link of a directed type would lead back to its start."""

    async def get(self, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId) -> Link | None:
        """One link."""

    async def unlink(
        self, user_id: UserId, link_type: LinkType, source: NodeId, target: NodeId, change: Change
    ) -> bool:
        """Removes a link; False when there was none."""

    async def find(
        self, user_id: UserId, node_id: NodeId, types: Sequence[LinkType], *, after: Position | None, limit: int
    ) -> list[Row[Link]]:
        """One page of a node's links, both directions, the heaviest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingMemory:
    """A memory claimed for enrichment."""

    user_id: UserId
    id: MemoryId
    text: str
    speaker: str | None
    people: tuple[str, ...]
    entities: tuple[str, ...]
    occurred_at: datetime
    in_session: bool
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeMention:
    """A person or entity that a memory names."""

    kind: NameKind
    name: str
    name_key: str
    weight: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrichment:
    """What enrichment found for one memory."""

    memory: PendingMemory
    mentions: tuple[NodeMention, ...]
    context_embedding: Floats | None = None


@dataclass(frozen=True, slots=True)
class Refinable:
    """A turn that speaks of a labile statement of the same user."""

    user_id: UserId
    turn_id: MemoryId
    labile_id: MemoryId
    cosine: float


class EnrichmentQueue(Protocol):
    """Hands out memories whose enrichment is due, each to one worker at a time, and tells what names stand for.

    A name of one user never stands for a memory, person or entity of another.
    """

    async def claim(self, *, claim: str, limit: int, at: datetime, lease: timedelta) -> list[PendingMemory]:
        """The oldest due memories of all users; unfinished, they fall due again when the lease ends."""

    async def claim_one(
        self, memory_id: MemoryId, *, claim: str, at: datetime, lease: timedelta
    ) -> list[PendingMemory]:
        """That memory, if it is due; none when it is not, or another worker has it."""

    async def context_passages(self, pending: Sequence[PendingMemory], *, at: datetime) -> dict[MemoryId, str]:
        """Settles the places of memories in their sessions, and gives the text that a context vector is made of."""

    async def refinable(self, turns: Sequence[MemoryId], *, least_cosine: float, at: datetime) -> list[Refinable]:
        """Which labile statements these turns speak of, the nearest first."""

    async def known_by(self, names: Sequence[NodeName]) -> dict[NodeName, int]:
        """How many memories refer to each of these nodes; those that are not there are left out."""

    async def called(self, names: Sequence[tuple[UserId, str]], *, at: datetime) -> dict[UserId, list[CalledMemory]]:
        """The unexpired memories that may bear these names, by user; more may come than bear one."""

    async def finish(
        self,
        claim: str,
        done: Sequence[Enrichment],
        *,
        at: datetime,
        references: Mapping[MemoryId, Sequence[MemoryReference]],
    ) -> int:
        """Writes what was found, and links memories to those whose heading they name; how many were still this claim's.

        Links that a text's names made before stay as they are while they hold, and go when they do not.

        Args:
            claim: the claim that this finishes.
            done: what was found.
            at: now.
            references: every name that a memory's text calls others by.
        """

    async def fail(
        self, claim: str, failed: Mapping[MemoryId, str], *, at: datetime, retry_at: datetime, max_attempts: int
    ) -> int:
        """Gives memories back with the reason; how many were parked."""


class ContextStore(Protocol):
    """Finds what an agent should know without asking: current, visible memories, by id, the most telling first."""

    async def hot(
        self, user_id: UserId, buckets: Sequence[str] | None, *, touched_after: datetime, at: datetime, limit: int
    ) -> list[MemoryId]:
        """What is pinned, then what was used last since an instant."""

    async def facts(
        self, user_id: UserId, buckets: Sequence[str] | None, *, at: datetime, limit: int
    ) -> list[MemoryId]:
        """Established facts, those that stay longest first."""

    async def observations(
        self, user_id: UserId, buckets: Sequence[str] | None, *, at: datetime, limit: int
    ) -> list[MemoryId]:
        """Facts that still gather evidence, those met most often first."""


class ReceiptStore(Protocol):
    """Keeps receipts, which `MemoryStore.transform` stores with what they stand for."""

    async def get(self, user_id: UserId, receipt_id: str) -> Receipt | None:
        """One receipt, while it is kept."""

    async def drop_old(self, *, at: datetime, limit: int) -> int:
        """Drops receipts past their date; how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSettings:
    """What a user chose."""

    time_zone: str = "UTC"
    tier_profile: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What a user's graph holds. Expired memories are not counted."""

    memories: int = 0
    by_kind: Mapping[str, int] = field(default_factory=dict)
    by_state: Mapping[str, int] = field(default_factory=dict)
    by_tier: Mapping[str, int] = field(default_factory=dict)
    hidden: int = 0
    fading_soon: int = 0
    superseded: int = 0
    links: Mapping[str, int] = field(default_factory=dict)
    people: int = 0
    entities: int = 0
    episodes: int = 0
    awaiting_enrichment: int = 0
    parked: int = 0
    without_embedding: int = 0
    stale_dates: int = 0  # of expired memories too


class UserStore(Protocol):
    """Keeps users."""

    async def settings(self, user_id: UserId) -> UserSettings | None:
        """What a user chose; None before the first memory."""

    async def stats(self, user_id: UserId, *, profile: TierProfile, at: datetime) -> Stats:
        """What a user's graph holds."""

    async def change_settings(
        self,
        user_id: UserId,
        change: Callable[[UserSettings], tuple[UserSettings, Sequence[Change]]],
        *,
        otherwise: UserSettings,
        at: datetime,
    ) -> UserSettings:
        """What `change` makes of a user's settings, or of `otherwise` for a new user, with its audit rows.

        Nothing overtakes it meanwhile; it may be called again after a deadlock.
        """


class LeaseStore(Protocol):
    """Says who does a job, so that no two do it at once."""

    async def take(self, job: str, holder: str, *, at: datetime, until: datetime) -> bool:
        """Whether the job is the holder's now, until then; also renews a lease that it holds."""

    async def give_back(self, job: str, holder: str) -> None:
        """Ends a lease, if the holder still has it."""


class BeatStore(Protocol):
    """What time does to the memories of all users."""

    async def lower(self, state: State, lowered: Callable[[Memory], Transformed], *, at: datetime, limit: int) -> int:
        """Changes memories labelled `state` whose date to leave it has passed; how many, 0 when none is left."""

    async def adopt(self) -> None:
        """Makes the settings in use those that every stored date shall follow."""

    async def redate(self, redated: Callable[[Memory], Memory], *, limit: int) -> int:
        """Dates memories anew whose dates follow other settings; how many.

        0 when none is left, or the graph has adopted other settings than those in use since.
        """

    async def count_stale(self) -> int:
        """How many `redate` would still change."""


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

"""The closed sets of words that the memory is described with (constants.md section 1).

A member's value is the word as the graph stores it.
"""

from enum import StrEnum
from typing import NewType

UserId = NewType("UserId", str)
MemoryId = NewType("MemoryId", str)
NodeId = NewType("NodeId", str)

DEFAULT_BUCKET = "default"
GENERAL_BUCKET = "general"


class Kind(StrEnum):
    """What a memory is: a dated event, a distilled fact, a pattern over facts, or a ledger entry."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    SCHEMA = "schema"
    DECISION = "decision"


class EpistemicType(StrEnum):
    """What sort of knowledge a memory is."""

    FACT = "fact"
    EXPERIENCE = "experience"
    OBSERVATION = "observation"
    OPINION = "opinion"


class Category(StrEnum):
    """What a memory is about."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    PROFESSIONAL = "professional"
    PATTERN = "pattern"
    CONTEXT = "context"
    DECISION = "decision"
    FACT = "fact"
    OPINION = "opinion"
    OTHER = "other"


class Lane(StrEnum):
    """Which store of the mind a memory belongs to; the caller picks it."""

    FACTS_PREFS = "facts_prefs"
    SHORT_TERM = "short_term"
    WORKING_SET = "working_set"
    LONG_TERM = "long_term"
    MID_TERM = "mid_term"


class Horizon(StrEnum):
    """Still gathering evidence, or established."""

    MEDIUM = "medium"
    LONG = "long"


class Source(StrEnum):
    """Where a memory comes from. What was inferred is never `user_stated`."""

    EXTRACTED = "extracted"
    USER_STATED = "user_stated"
    MANUAL_EDIT = "manual_edit"
    CONSOLIDATED = "consolidated"
    IMPORTED = "imported"


class State(StrEnum):
    """How available a memory is. Every fresh memory is `core`."""

    CORE = "core"
    DREAM = "dream"
    FORGOTTEN = "forgotten"
    ARCHIVE = "archive"


class Tier(StrEnum):
    """How far a search must reach for a memory, by the age of its last touch."""

    ACTIVE = "active"
    WARM = "warm"
    COLD = "cold"
    ARCHIVE = "archive"


class Intent(StrEnum):
    """What a query asks for."""

    WHY = "why"
    WHEN = "when"
    ENTITY = "entity"
    EMOTION = "emotion"
    GENERAL = "general"


class Channel(StrEnum):
    """The lists that a memory can be found in."""

    SEMANTIC = "semantic"  # the vector of the text
    CONTEXT_VECTOR = "context_vector"  # the vector of the text among its neighbours
    LEXICAL = "lexical"  # the words of the text, its names and its date
    CONTEXT = "context"  # the words of its neighbours
    SIGNAL = "signal"  # activation and confidence
    GRAPH = "graph"  # links from the best hits


class RecallMode(StrEnum):
    """How widely a recall searches."""

    CUED = "cued"
    HEARTBEAT = "heartbeat"
    NORMAL = "normal"
    DEEP = "deep"
    CREATIVE = "creative"


class WriteOperation(StrEnum):
    """What a write did (constants.md 2.9)."""

    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"
    NONE = "none"


class EnrichmentStatus(StrEnum):
    """How far the work after the write has come."""

    PENDING = "pending"
    DONE = "done"
    PARKED = "parked"


class MemoryOrder(StrEnum):
    """In which order a list of memories is read."""

    CREATED_DESC = "created_desc"
    CREATED_ASC = "created_asc"
    OCCURRED_DESC = "occurred_desc"
    OCCURRED_ASC = "occurred_asc"
    STRENGTH_DESC = "strength_desc"
    FADING_FIRST = "fading_first"

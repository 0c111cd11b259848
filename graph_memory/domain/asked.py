"""What is asked of a language model, and what it may answer (constants.md 2.10).

Every question and every answer is a value; whoever answers, rules or a model, answers in these. An answer is a
proposal: what is done with it is decided by rules, which never trust an id that was not given, a person whom the texts
do not name, or a contradiction that rests on the model's word alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from graph_memory.domain.contradiction import Conflict
from graph_memory.domain.link import LinkType
from graph_memory.domain.vocabulary import Category, MemoryId, WriteOperation

T_co = TypeVar("T_co", covariant=True)

RULES = "rules"


class Question(StrEnum):
    """The questions that are asked of a language model; the value names the operation in settings and the ledger."""

    EXTRACT = "extract"
    EMOTION = "emotion"
    CURATE = "curate"
    CONTRADICT = "contradict"
    REFINE = "refine"
    DISTIL = "distil"
    SCHEMA = "schema"
    LINKS = "links"
    EPISODE = "episode"
    RELATIONSHIP = "relationship"
    MERGE = "merge"
    INSIGHTS = "insights"


@dataclass(frozen=True, slots=True)
class Answer(Generic[T_co]):
    """A value with who gave it and what was left out of it."""

    value: T_co
    by: str = RULES  # "rules", or the model's name
    note: str | None = None  # why the rules answered in place of the model
    dropped: int = 0  # items that could not be used


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One turn of a conversation."""

    role: str  # user, assistant, or what the caller calls it
    text: str
    at: datetime
    speaker: str | None = None  # a name, where one is known


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedFact:
    """A statement found in a conversation, in the language of its message."""

    text: str
    category: Category
    utterance: int  # which of the given utterances says it, from 0
    occurred_at: datetime | None = None  # the day that it names, resolved; None: it names none


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedDecision:
    """A decision found in a conversation."""

    text: str
    utterance: int
    reasoning: str | None = None
    domain: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonMention:
    """A person whom a conversation speaks of; never the user."""

    name: str
    utterance: int
    context: str | None = None
    sentiment: float = 0.0  # -1..1
    domains: tuple[str, ...] = ()
    evidence_type: str = "observed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a conversation says that is worth keeping."""

    facts: tuple[StatedFact, ...] = ()  # horizon long
    observations: tuple[StatedFact, ...] = ()  # horizon medium
    decisions: tuple[StatedDecision, ...] = ()
    persons: tuple[PersonMention, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory's text with the id that an answer may name."""

    id: MemoryId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationProposal:
    """What a new statement is to the known ones."""

    operation: WriteOperation
    replacing: bool = False  # of UPDATE: the newer value excludes the old; else it enriches
    target_id: MemoryId | None = None
    text: str | None = None  # the merged text of an enriching update
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionProposal:
    """How a known statement stands to a newer one. Only `conflicts` retires anything, and only if the rules agree."""

    id: MemoryId
    conflicts: bool
    same_subject: bool
    same_attribute: bool
    conflict: Conflict | None = None
    reason: str | None = None


class RefinementVerdict(StrEnum):
    """What a new turn does to a labile memory."""

    REFINE = "refine"
    CONTRADICT = "contradict"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementProposal:
    """What a new turn makes of a labile memory."""

    verdict: RefinementVerdict
    text: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Distillate:
    """One statement for a cluster of memories."""

    text: str
    category: Category


@dataclass(frozen=True, slots=True, kw_only=True)
class InducedSchema:
    """A pattern over facts."""

    text: str
    domain: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkablePair:
    """Two memories that may be linked."""

    first: Statement
    second: Statement
    first_at: datetime
    second_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkProposal:
    """A link between two of the memories given."""

    type: LinkType
    source: MemoryId
    target: MemoryId
    confidence: float  # 0..1
    reason: str | None = None


class Tone(StrEnum):
    """The emotional tone of an episode."""

    POSITIVE = "positive"
    NEUTRAL = "neutral"
    FRUSTRATED = "frustrated"
    EXCITED = "excited"
    FOCUSED = "focused"
    STRESSED = "stressed"
    PLAYFUL = "playful"
    REFLECTIVE = "reflective"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeDigest:
    """An episode, summed up."""

    summary: str
    topics: tuple[str, ...] = ()  # of one to three words each
    tone: Tone = Tone.NEUTRAL
    key_decisions: tuple[str, ...] = ()
    importance: float = 0.5  # 0..1


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipSigns:
    """What a conversation shows of how user and agent stand."""

    new_inside_jokes: tuple[str, ...] = ()
    shared_references: tuple[str, ...] = ()
    communication_notes: Mapping[str, str] = field(default_factory=dict)  # trait to value
    mood: str | None = None  # one word


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """A fact that several episodes show together."""

    text: str
    category: Category


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeLine:
    """What insights are drawn from: one line an episode."""

    at: datetime
    summary: str
    topics: tuple[str, ...] = ()
    tone: Tone = Tone.NEUTRAL

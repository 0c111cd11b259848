"""A memory for people and agents, kept as a graph in Neo4j. These are the public names."""

from graph_memory.client import GraphMemory
from graph_memory.domain.change import Action, Change
from graph_memory.domain.decision import Decision, DecisionStatus, Outcome
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.drift import Drift, PrioritySnapshot
from graph_memory.domain.episode import Episode, Turn, TurnDraft
from graph_memory.domain.episode_search import FoundEpisode
from graph_memory.domain.link import Link, LinkFamily, LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.names import NameKind
from graph_memory.domain.notice import Notice, NoticeKind
from graph_memory.domain.person import PersonView
from graph_memory.domain.relationship import Relationship
from graph_memory.domain.sleep import Beat, Count, Run, RunStatus, StepReport
from graph_memory.domain.vocabulary import (
    Category,
    EnrichmentStatus,
    EpistemicType,
    Horizon,
    Kind,
    Lane,
    MemoryOrder,
    Source,
    State,
    Tier,
    WriteOperation,
)
from graph_memory.errors import (
    ConflictError,
    GraphMemoryError,
    InferenceError,
    InvalidValueError,
    LimitExceededError,
    NotFoundError,
    Problem,
    ServerError,
    StoreBusyError,
    StoreError,
    StoreMismatchError,
)
from graph_memory.ports import Contradiction, Hit, NamedNode, Stats, UserSettings, Version
from graph_memory.services.amend import Erased
from graph_memory.services.ledger import Chain, ChainStep, Decided
from graph_memory.services.paging import Page
from graph_memory.services.recall import Answer
from graph_memory.services.remember import Remembered, RememberedMany
from graph_memory.settings import Settings

__all__ = [
    "Action",
    "Answer",
    "Beat",
    "Category",
    "Chain",
    "ChainStep",
    "Change",
    "ConflictError",
    "Contradiction",
    "Count",
    "Decided",
    "Decision",
    "DecisionStatus",
    "Drift",
    "EnrichmentStatus",
    "Episode",
    "EpistemicType",
    "Erased",
    "FoundEpisode",
    "GraphMemory",
    "GraphMemoryError",
    "Hit",
    "Horizon",
    "InferenceError",
    "InvalidValueError",
    "Kind",
    "Lane",
    "LimitExceededError",
    "Link",
    "LinkFamily",
    "LinkType",
    "Memory",
    "MemoryDraft",
    "MemoryOrder",
    "NameKind",
    "NamedNode",
    "NotFoundError",
    "Notice",
    "NoticeKind",
    "Outcome",
    "Page",
    "PersonView",
    "PrioritySnapshot",
    "Problem",
    "Relationship",
    "Remembered",
    "RememberedMany",
    "Run",
    "RunStatus",
    "ServerError",
    "Settings",
    "Source",
    "State",
    "Stats",
    "StepReport",
    "StoreBusyError",
    "StoreError",
    "StoreMismatchError",
    "Tier",
    "Turn",
    "TurnDraft",
    "UserSettings",
    "Version",
    "WriteOperation",
]

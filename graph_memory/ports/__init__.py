"""What the core asks of the world, as Protocols with the promises that an adapter must keep.

Every method that takes a `user_id` sees and changes that user's data alone; an id of another user is as unknown as
one that does not exist. Instants are aware and in UTC.
"""

from graph_memory.ports.beats import BeatStore, LeaseStore
from graph_memory.ports.clustering import Clusterer
from graph_memory.ports.contexts import ContextStore
from graph_memory.ports.distillation import (
    DistillationStore,
    Ending,
    Groupable,
    KnownSchema,
    Share,
)
from graph_memory.ports.enrichment import Enrichment, EnrichmentQueue, NodeMention, PendingMemory, Refinable
from graph_memory.ports.episodes import EpisodePlan, EpisodeStore, EpisodesWritten
from graph_memory.ports.extraction import Drawn, ExtractionQueue, Talk, TalkTurn, TurnExtraction, WaitingTurn
from graph_memory.ports.history import AuditStore, ChainMember, Contradiction, DecisionFilter, LedgerStore, Version
from graph_memory.ports.language_model import LanguageModel, OneByOne, ask
from graph_memory.ports.link_discovery import LinkDiscoveryStore, LinksWritten, Neighbouring, PlanLinks, Unlinked
from graph_memory.ports.links import LinkStore
from graph_memory.ports.memories import (
    Drawable,
    Judge,
    LinkStep,
    MemoryFilter,
    MemoryStore,
    NewMemory,
    Receipt,
    Remnants,
    Rewritten,
    Succession,
    Transform,
    Transformation,
    Transformed,
    Verdict,
    Written,
)
from graph_memory.ports.model_ledger import CallEstimates, ModelLedger
from graph_memory.ports.names import NamedNode, NameStore, NodeName
from graph_memory.ports.notices import BackgroundWork, Noticed, NoticeStore
from graph_memory.ports.paging import Position, Row
from graph_memory.ports.people import Met, NewPerson, Parted, PeopleStore
from graph_memory.ports.priorities import Mention, PriorityStore
from graph_memory.ports.recall import Found, Hit, PathStep, RecallQuery, RecallStore, ScorePart
from graph_memory.ports.receipts import ReceiptStore
from graph_memory.ports.runs import RunStore
from graph_memory.ports.settling import (
    ComparisonStore,
    DrawnInsight,
    Judgement,
    MendedInsight,
    MergedInto,
    Merger,
    Near,
    ObservationStore,
    Pair,
    Purpose,
    Reflection,
    ReflectionStore,
)
from graph_memory.ports.sleep import DueUsers, Pulse, SleepStep
from graph_memory.ports.users import Stats, UserSettings, UserStore
from graph_memory.ports.world import Clock, Embedder, EmotionTagger, Floats, Ids

__all__ = [
    "AuditStore",
    "BackgroundWork",
    "BeatStore",
    "CallEstimates",
    "ChainMember",
    "Clock",
    "Clusterer",
    "ComparisonStore",
    "ContextStore",
    "Contradiction",
    "DecisionFilter",
    "DistillationStore",
    "Drawable",
    "Drawn",
    "DrawnInsight",
    "DueUsers",
    "Embedder",
    "EmotionTagger",
    "Ending",
    "Enrichment",
    "EnrichmentQueue",
    "EpisodePlan",
    "EpisodeStore",
    "EpisodesWritten",
    "ExtractionQueue",
    "Floats",
    "Found",
    "Groupable",
    "Hit",
    "Ids",
    "Judge",
    "Judgement",
    "KnownSchema",
    "LanguageModel",
    "LeaseStore",
    "LedgerStore",
    "LinkDiscoveryStore",
    "LinkStep",
    "LinkStore",
    "LinksWritten",
    "MemoryFilter",
    "MemoryStore",
    "MendedInsight",
    "Mention",
    "MergedInto",
    "Merger",
    "Met",
    "ModelLedger",
    "NameStore",
    "NamedNode",
    "Near",
    "Neighbouring",
    "NewMemory",
    "NewPerson",
    "NodeMention",
    "NodeName",
    "NoticeStore",
    "Noticed",
    "ObservationStore",
    "OneByOne",
    "Pair",
    "Parted",
    "PathStep",
    "PendingMemory",
    "PeopleStore",
    "PlanLinks",
    "Position",
    "PriorityStore",
    "Pulse",
    "Purpose",
    "RecallQuery",
    "RecallStore",
    "Receipt",
    "ReceiptStore",
    "Refinable",
    "Reflection",
    "ReflectionStore",
    "Remnants",
    "Rewritten",
    "Row",
    "RunStore",
    "ScorePart",
    "Share",
    "SleepStep",
    "Stats",
    "Succession",
    "Talk",
    "TalkTurn",
    "Transform",
    "Transformation",
    "Transformed",
    "TurnExtraction",
    "Unlinked",
    "UserSettings",
    "UserStore",
    "Verdict",
    "Version",
    "WaitingTurn",
    "Written",
    "ask",
]

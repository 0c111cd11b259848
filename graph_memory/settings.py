"""Every number and choice of the product, once, by name.

A setting comes from, in falling order of precedence: the environment (`GRAPH_MEMORY_DECAY__HALF_LIFE_HOURS`, and for
the server `NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`, `NEO4J_DATABASE`), a TOML file with a table for each group
(`GRAPH_MEMORY_CONFIG`, or `config.toml` in the home folder), the default here. The key of a language model comes from
`ANTHROPIC_API_KEY` and nowhere else. Defaults: constants.md.
"""

import hashlib
import json
import math
import os
import tomllib
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

import platformdirs

from graph_memory.domain.activation import ActivationCurve
from graph_memory.domain.answer_checks import AnswerRules
from graph_memory.domain.asked import Question
from graph_memory.domain.asked_dates import WHEN_CUES
from graph_memory.domain.clustering import ClusterRules
from graph_memory.domain.confidence import ConfidenceRules
from graph_memory.domain.contradiction import PenaltyRules
from graph_memory.domain.cues import cue_list
from graph_memory.domain.curation import CurationRules
from graph_memory.domain.decay import StrengthCurve
from graph_memory.domain.depth import DepthRules, Sign
from graph_memory.domain.distillation import SUMMARY_CHARACTERS, SchemaRules
from graph_memory.domain.draft import Limits
from graph_memory.domain.drift import DriftRules
from graph_memory.domain.episode import EpisodeRules
from graph_memory.domain.episode_search import EpisodeSearchRules
from graph_memory.domain.extraction import ExtractionRules
from graph_memory.domain.fusion import SignalRules, TieRules
from graph_memory.domain.intent import WALKED, IntentRules
from graph_memory.domain.link import LinkFamily
from graph_memory.domain.link_rules import LinkRules
from graph_memory.domain.merging import MergeRules
from graph_memory.domain.model_usage import DayBudget, ModelPrice
from graph_memory.domain.modes import MODES, ModeNumbers, ModeRules, modes_with
from graph_memory.domain.people import PersonRules
from graph_memory.domain.promotion import PromotionRules
from graph_memory.domain.reinforcement import AccessRules, ArousalRules, Reinforcement
from graph_memory.domain.relationship import RelationshipRules
from graph_memory.domain.spreading import SpreadRules
from graph_memory.domain.succession import SuccessionRules
from graph_memory.domain.support import SupportRules
from graph_memory.domain.tiers import TIER_PROFILES, TierProfile
from graph_memory.domain.vocabulary import Category, EpistemicType, Horizon, Intent, Kind, RecallMode
from graph_memory.errors import InvalidValueError, Problem

# Numbers of a rule stand with the rule; a setting takes its default from there.
_ACCESS, _AROUSAL, _BELIEFS = AccessRules(), ArousalRules(), ConfidenceRules()
_CLUSTERS, _SCHEMAS = ClusterRules(), SchemaRules()
_PENALTIES, _CURATION, _DRIFT = PenaltyRules(), CurationRules(), DriftRules()
_EXTRACTION, _SUPPORT, _ANSWERS = ExtractionRules(), SupportRules(), AnswerRules()
_EPISODES, _EPISODE_SEARCH, _RELATIONSHIP = EpisodeRules(), EpisodeSearchRules(), RelationshipRules()
_INTENT, _DEPTH, _SPREAD, _SIGNAL, _TIES = IntentRules(), DepthRules(), SpreadRules(), SignalRules(), TieRules()
_PROMOTION, _MERGE = PromotionRules(), MergeRules()
# The parts of the promotion score, under the names that PromotionRules has for them.
_PROMOTION_WEIGHTS = {
    each.name: float(getattr(_PROMOTION, each.name))
    for each in fields(PromotionRules)
    if each.name not in ("score", "occurrences", "sessions", "time_scale")
}
_LINKS = LinkRules()
_CUED, _HEARTBEAT, _NORMAL = MODES[RecallMode.CUED], MODES[RecallMode.HEARTBEAT], MODES[RecallMode.NORMAL]
_DEEP, _CREATIVE = MODES[RecallMode.DEEP], MODES[RecallMode.CREATIVE]

_PREFIX = "GRAPH_MEMORY_"
_NEO4J_KEYS = {
    "NEO4J_URI": ("neo4j", "uri"),
    "NEO4J_USERNAME": ("neo4j", "username"),
    "NEO4J_PASSWORD": ("neo4j", "password"),
    "NEO4J_DATABASE": ("neo4j", "database"),
}
_MODEL_KEY = "ANTHROPIC_API_KEY"
_FOREIGN_KEYS = _NEO4J_KEYS | {_MODEL_KEY: ("model", "api_key")}
# Read by the parts that need them before there are settings, or by the tests; not settings themselves.
_OTHER_KEYS = frozenset({"GRAPH_MEMORY_HOME", "GRAPH_MEMORY_CACHE", "GRAPH_MEMORY_CONFIG"})
_TEST_PREFIX = "GRAPH_MEMORY_TEST_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Neo4jSettings:
    """Which server to use. Without a URI the local one is started on demand."""

    uri: str | None = None
    username: str = "neo4j"
    password: str | None = field(default=None, repr=False)
    database: str = "neo4j"
    max_connections: int = 20
    busy_after_seconds: float = 5.0  # a caller who waits longer for a connection is told that the store is busy
    connect_timeout_seconds: float = 10.0
    retry_seconds: float = 30.0  # how long a transaction that met a deadlock or a leader change is tried again


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedSettings:
    """The server that the product runs itself."""

    bolt_port: int | None = None  # None: 7687, or a free one when that is taken
    http_port: int | None = None  # None: 7474, or a free one when that is taken
    heap_mb: int | None = None  # None: by the memory of the machine
    page_cache_mb: int | None = None
    start_timeout_seconds: float = 120.0
    stop_timeout_seconds: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderSettings:
    """What turns texts into vectors."""

    name: str = "minilm"  # minilm, e5, hashing, or the folder of a sentence-transformers model
    threads: int | None = None  # None: one a core
    max_batch: int = 256
    query_cache: int = 1_024


_ANSWER_TOKENS = {Question.EXTRACT: 4_096.0, Question.EMOTION: 4_096.0, Question.LINKS: 4_096.0}  # lists of items


class OpenTable(dict[str, float]):
    """A table of numbers whose names are no closed set: those that are given come to those that are here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """The language model (constants.md 2.10, design.md section 7). The rules answer unless one is named.

    Prices are in dollars for a million tokens, by model. Budgets are for a day of UTC.
    """

    name: str = "rules"  # rules, or claude
    api_key: str | None = field(default=None, repr=False)  # ANTHROPIC_API_KEY
    base_url: str = "https://api.anthropic.com"
    model: str = "claude-haiku-5-5"  # a small one
    models: Mapping[str, str] = field(  # by question, where it is not `model`: "distil=claude-sonnet-5-5; extract=..."
        default_factory=lambda: {str(question): "" for question in Question}
    )
    max_tokens: Mapping[str, float] = field(  # of an answer, by question
        default_factory=lambda: {str(question): _ANSWER_TOKENS.get(question, 2_048.0) for question in Question}
    )
    timeout_seconds: float = 30.0  # of one request
    patience_seconds: float = 90.0  # of one question, with what is tried again
    write_seconds: float = 5.0  # of a question that a write waits for
    retries: int = 2  # of one request
    longest_wait_seconds: float = 30.0  # a service that says to wait longer is not waited for
    first_wait_seconds: float = 0.5  # doubled each time, where a service does not say how long to wait
    at_once: int = 4  # most requests under way
    day_cost: float = 1.0
    day_calls: int = 5_000
    user_day_cost: float = 0.25
    user_day_calls: int = 1_000
    input_price: Mapping[str, float] = field(default_factory=lambda: OpenTable({"claude-haiku-5-5": 1.0}))
    output_price: Mapping[str, float] = field(default_factory=lambda: OpenTable({"claude-haiku-5-5": 5.0}))
    cache_read_price: Mapping[str, float] = field(default_factory=lambda: OpenTable({"claude-haiku-5-5": 0.1}))
    cache_write_price: Mapping[str, float] = field(default_factory=lambda: OpenTable({"claude-haiku-5-5": 1.25}))
    support_share: float = _ANSWERS.support  # of the words of a joke, reference or decision that must have been said
    most_characters: int = _ANSWERS.most_characters  # of one text that a model writes
    emotion_batch: int = 20  # texts in one question
    emotion_characters: int = 2_000  # of each of them

    def model_for(self, question: Question) -> str:
        """The model that a question is put to."""
        return self.models[question] or self.model

    def price_of(self, model: str) -> ModelPrice:
        """What a model costs."""
        return ModelPrice(
            input=self.input_price[model],
            output=self.output_price[model],
            cache_read=self.cache_read_price[model],
            cache_write=self.cache_write_price[model],
        )

    def budget(self) -> DayBudget:
        """What a day may cost."""
        return DayBudget(
            cost=self.day_cost,
            calls=self.day_calls,
            user_cost=self.user_day_cost,
            user_calls=self.user_day_calls,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """Where GraphQL is served."""

    host: str = "127.0.0.1"
    port: int = 8_000
    explorer: bool = True
    max_body_bytes: int = 8_388_608


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteSettings:
    """Group commit (design.md sections 2 and 4)."""

    gather_ms: float = 1.0  # how long the first of a group waits for company
    group_rows: int = 1_000  # most rows in one transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichmentSettings:
    """The work after the write."""

    enabled: bool = True
    poll_seconds: float = 2.0
    batch: int = 200
    lease_seconds: float = 60.0
    max_attempts: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DecaySettings:
    """constants.md 2.2 and 2.3."""

    half_life_hours: float = 240.0
    stability_gain: float = 0.5
    stability_power: float = 1.5
    strength_floor: float = 0.05
    strength_max: float = 2.0
    forget_threshold: float = 0.1
    hidden_soon: float = 0.15
    activation_decay: float = _AROUSAL.activation_decay
    min_age_hours: float = 1.0 / 60.0
    max_stamps: int = _ACCESS.max_stamps
    boost_max: float = _ACCESS.boost_max
    boost_tau_hours: float = _ACCESS.boost_tau_hours
    spacing_gap_hours: float = _ACCESS.spacing_gap_hours
    stamp_merge_seconds: float = _ACCESS.stamp_merge_seconds
    confidence_gap_hours: float = _ACCESS.confidence_gap_hours
    allow_future: bool = False  # whether touch and sleep may be told an instant ahead of the clock (trials)
    theta_dream: float = -2.5
    theta_forgotten: float = -3.1
    theta_archive: float = -3.6
    time_scale: float = 1.0
    tick_seconds: float = 3_600.0  # between two beats of the state labels, on the memory's clock
    redate_batch: int = 500  # memories whose stale dates are solved anew in one transaction
    redate_most: int = 10_000  # the same in one run
    tier_profile: str = "default"
    tier_active_days: int | None = None
    tier_warm_days: int | None = None
    tier_cold_days: int | None = None
    relevance_rate: float | None = None
    relevance_floor: float = 0.1


# What a stored date depends on: `visible_until`, then the three state dates. Any other setting leaves them as they are.
DATE_SETTINGS = (
    "decay.half_life_hours",
    "decay.stability_gain",
    "decay.stability_power",
    "decay.strength_max",
    "decay.forget_threshold",
    "decay.time_scale",
    "salience.arousal_strength_gain",
    "decay.activation_decay",
    "decay.min_age_hours",
    "decay.theta_dream",
    "decay.theta_forgotten",
    "decay.theta_archive",
    "salience.arousal_decay_gain",
)
_DATE_FORMULAS = 1  # to be raised when a formula behind the dates changes


@dataclass(frozen=True, slots=True, kw_only=True)
class SalienceSettings:
    """constants.md 2.1."""

    initial_strength: Mapping[str, float] = field(
        default_factory=lambda: {Kind.EPISODIC: 1.0, Kind.SEMANTIC: 1.0, Kind.DECISION: 1.0, Kind.SCHEMA: 1.5}
    )
    initial_confidence: Mapping[str, float] = field(
        default_factory=lambda: {
            EpistemicType.FACT: 0.80,
            EpistemicType.EXPERIENCE: 0.90,
            EpistemicType.OBSERVATION: 0.60,
            EpistemicType.OPINION: 0.50,
        }
    )
    medium_confidence: float = 0.50
    distilled_strength_min: float = 1.0  # of a distilled statement, which has that of its strongest source
    distilled_strength_max: float = 1.5
    category_evidence: Mapping[str, float] = field(
        default_factory=lambda: {str(name): weight for name, weight in _PENALTIES.category_evidence.items()}
    )
    arousal_decay_gain: float = _AROUSAL.decay_gain
    arousal_strength_gain: float = 0.4
    arousal_recall_gain: float = 0.3
    arousal_confidence_gain: float = _BELIEFS.arousal_gain
    arousal_encoding_gain: float = _AROUSAL.encoding_gain
    arousal_zero: float = 3.0  # EmoBank's scales of 1..5 to ours (operations.md, Emotion scales); so for the next three
    arousal_span: float = 1.4
    valence_zero: float = 3.0
    valence_span: float = 1.6


LANGUAGE_MODELS = ("rules", "claude")
RANKINGS = ("learned", "rrf")  # the weighted sum of features; reciprocal rank fusion (decision 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """constants.md 2.5, operations.md Recall, ranking.md.

    In a table of cues and words the entries stand between commas; a list that begins with "+" is added to the default.
    """

    max_k: int = 100
    max_query_characters: int = 4_000
    names_refresh_seconds: float = 10.0  # known names of a user are read again behind an answer after this
    names_most_users: int = 1_000
    # Words of a question that nearly every memory holds: full text leaves them out, unless nothing else is left.
    weak_words: str = (
        "what when where who whom whose which why how did do does doing done have has had having am been being"
        " i you he she we me him us my your his her our mine yours can could would should may might must shall"
        " about from also just any some"
    )
    max_query_terms: int = 64  # Lucene refuses very long lists of clauses
    guessed_stems: int = 60  # looked for where a question shows no language: those of its first words in every language
    pool: int = 100  # fetched from each vector index, more than are kept, so that those are the nearest indeed
    depth: int = 60  # kept of the memories' own vectors
    context_depth: int = 40  # kept of those of the turns around, where that channel has a weight
    text_pool: int = 70  # fetched by words of the memory itself
    context_text_pool: int = 40  # fetched by words of the turns around
    candidates: int = 90  # learned: the best of the fused ranks, whose features are summed
    candidates_for_each: int = 3  # the same for each row wanted, where that is more
    filtered_pool: int = 1_000  # the same when a filter has to be checked after the index
    channel_min: int = 20  # a channel gives max(channel_min, 2k) candidates
    rrf_k: float = 5.0
    channel_weights: Mapping[str, float] = field(
        default_factory=lambda: {
            "semantic": 1.0,
            "lexical": 1.0,
            "context": 1.0,
            # It shows no worth beyond noise (docs/decisions/0008). Above 0, what is enriched from then on gets one.
            "context_vector": 0.0,
            "signal": 0.0,  # it says nothing about the question; see docs/benchmarks.md
            "graph": 0.3,
        }
    )
    ranking: str = "learned"  # one of RANKINGS
    # The learned sum: fitted by `python -m tests.benchmarks fit` on the development conversations, but for those of
    # heading and graph, which that data cannot tell.
    feature_weights: Mapping[str, float] = field(
        default_factory=lambda: {
            "vector": 1.05,
            "context": 1.3,  # of the words; a memory that stands alone is its own context
            "ranks": 1.82,
            "session_max": 3.04,
            "before": 1.43,  # how well what was found before it in its session matches
            "before_subject": -0.83,
            "date": 2.32,
            "time": 1.88,
            "is_question": -0.67,
            "answers_question": 0.36,
            "length": 0.78,
            "names": 1.12,
            "asked_names": 1.54,
            "heading": 5.0,
            "subject": 1.92,
            "signal": 0.0,
            "arousal": 0.51,
            "graph": 16.0,  # times activation, as far as it goes: it lifts towards the best hit, never above it
        }
    )
    # Of the families of links that activation spreads along; 0 closes one.
    family_weights: Mapping[str, float] = field(default_factory=lambda: {str(family): 1.0 for family in WALKED})
    # The same, beside these, of links that rules found between memories: nobody says that they belong together. What
    # they are worth: docs/decisions/0011.
    floor_weights: Mapping[str, float] = field(
        default_factory=lambda: {
            LinkFamily.CAUSAL: 0.0,  # rules find none
            LinkFamily.TEMPORAL: 0.0,
            LinkFamily.ENTITY: 1.0,
            LinkFamily.EMOTIONAL: 0.0,
            LinkFamily.SEMANTIC: 0.0,
        }
    )
    next_factor: float = 0.0  # learned: on NEXT, since the features of context say what a neighbour in the session adds
    signal_pool: int = 40  # the most recent and the most used memories that the signal channel looks at
    most_words: int = 30  # learned: longer texts count as so many words
    date_factor: float = 1.3  # rrf: for a memory of a day that the question names
    day_grace_days: int = 10  # what happened on a named day is told up to so many days later
    last_resort_cosine: float = 0.3  # what is nearer than this by meaning keeps those in state archive away
    semantic_floor: float = 0.0  # constants.md says 0.3; see docs/decisions
    subject_mismatch: float = 0.5
    sequence_weight: float = 0.15
    sequence_seeds: int = 3
    lift_drawn: bool = True  # what was distilled stands no lower than the best of its sources that was found with it
    proactive_cosine: float = 0.7
    rif_cosine: float = 0.7
    rif_factor: float = _ACCESS.suppression_factor
    rif_scan: int = 50
    rif_interval_hours: float = _ACCESS.suppression_interval_hours
    default_mode: str = RecallMode.CUED
    receipt_days: float = 7.0
    context_tokens: int = 2_000  # of an agent's context, where the caller names no budget
    context_tokens_max: int = 100_000
    context_share: float = 0.3  # most of the budget that one part of the context takes
    context_observations: int = 10
    # Intent: cues by intent, weights by "intent.family".
    intent_cues: Mapping[str, str] = field(
        default_factory=lambda: {str(intent): ", ".join(cues) for intent, cues in _INTENT.cues.items()}
    )
    intent_weights: Mapping[str, float] = field(
        default_factory=lambda: {
            f"{intent}.{family}": weight
            for intent, weights in _INTENT.weights.items()
            for family, weight in weights.items()
        }
    )
    intent_even_weight: float = _INTENT.even_weight  # the weight that gives gain 1
    intent_other_weight: float = _INTENT.other_weight  # of a type outside the five families
    intent_gain_min: float = _INTENT.gain_min
    intent_gain_max: float = _INTENT.gain_max
    # A question that holds one of these asks for somebody, some place or some thing with a name.
    name_cues: str = (
        "who, whom, whose, where, which, what book, what movie, what film, what song, what band, what place, what city,"
        " what country, what state, what name, quién, dónde, cuál, qué libro, qué película, qué lugar, qué ciudad"
    )
    when_cues: str = ", ".join(WHEN_CUES)  # a question that opens with one asks for a time
    # Depth
    depth_base: float = _DEPTH.base
    depth_gain: float = _DEPTH.gain
    depth_min: int = _DEPTH.least
    depth_max: int = _DEPTH.most
    depth_weights: Mapping[str, float] = field(
        default_factory=lambda: {str(sign): weight for sign, weight in _DEPTH.weights.items()}
    )
    depth_words: Mapping[str, str] = field(
        default_factory=lambda: {str(sign): ", ".join(listed) for sign, listed in _DEPTH.words.items()}
    )
    depth_full_tokens: int = _DEPTH.full_tokens
    depth_full_names: int = _DEPTH.full_names
    depth_moderate_from: float = _DEPTH.moderate_from
    depth_complex_above: float = _DEPTH.complex_above
    # Spreading; links.min_weight and links.hub_degree bound it, too.
    seeds: int = _SPREAD.seeds
    hops: int = _SPREAD.hops
    hop_factor: float = _SPREAD.hop_factor
    fan_power: float = _SPREAD.fan_power
    similar_factor: float = _SPREAD.similar_factor
    spread_floor: float = _SPREAD.floor
    spread_fan: int = _SPREAD.fan
    # Signal and ties
    signal_weights: Mapping[str, float] = field(
        default_factory=lambda: {"activation": _SIGNAL.activation_weight, "confidence": _SIGNAL.confidence_weight}
    )
    signal_slope: float = _SIGNAL.slope
    signal_min_confidence: float = _SIGNAL.min_confidence
    tie_weights: Mapping[str, float] = field(
        default_factory=lambda: {
            "cosine": _TIES.cosine_weight,
            "strength": _TIES.strength_weight,
            "recency": _TIES.recency_weight,
        }
    )
    tie_days: float = _TIES.recency_days
    # What an answer holds
    min_match: float = 0.0
    overlay_min: int = 3  # least hits of the general overlay, which has k / 2 else
    mode_k_cued_min: int = _CUED.k_min
    mode_k_cued_max: int = _CUED.k_max
    mode_k_heartbeat_min: int = _HEARTBEAT.k_min
    mode_k_heartbeat_max: int = _HEARTBEAT.k_max
    mode_k_normal_min: int = _NORMAL.k_min
    mode_k_normal_max: int = _NORMAL.k_max
    mode_k_deep_min: int = _DEEP.k_min
    mode_k_deep_max: int = _DEEP.k_max
    mode_k_creative_min: int = _CREATIVE.k_min
    mode_k_creative_max: int = _CREATIVE.k_max
    mode_tokens_cued: int = _CUED.tokens
    mode_tokens_heartbeat: int = _HEARTBEAT.tokens
    mode_tokens_normal: int = _NORMAL.tokens
    mode_tokens_deep: int = _DEEP.tokens
    mode_tokens_creative: int = _CREATIVE.tokens

    def intent_rules(self) -> IntentRules:
        """The cues of each intent and what it draws along."""
        return IntentRules(
            cues={Intent(name): cue_list(listed) for name, listed in self.intent_cues.items()},
            weights={
                intent: {family: self.intent_weights[f"{intent}.{family}"] for family in WALKED} for intent in Intent
            },
            even_weight=self.intent_even_weight,
            other_weight=self.intent_other_weight,
            gain_min=self.intent_gain_min,
            gain_max=self.intent_gain_max,
        )

    def depth_rules(self) -> DepthRules:
        """How a question's words give the number of memories that answer it."""
        return DepthRules(
            words={Sign(name): cue_list(listed) for name, listed in self.depth_words.items()},
            why_cues=cue_list(self.intent_cues[Intent.WHY]),
            weights={Sign(name): weight for name, weight in self.depth_weights.items()},
            full_tokens=self.depth_full_tokens,
            full_names=self.depth_full_names,
            base=self.depth_base,
            gain=self.depth_gain,
            least=self.depth_min,
            most=self.depth_max,
            moderate_from=self.depth_moderate_from,
            complex_above=self.depth_complex_above,
        )

    def modes(self) -> ModeRules:
        """How each mode searches."""
        return modes_with(
            {
                mode: ModeNumbers(
                    k_min=getattr(self, f"mode_k_{mode}_min"),
                    k_max=getattr(self, f"mode_k_{mode}_max"),
                    tokens=getattr(self, f"mode_tokens_{mode}"),
                )
                for mode in RecallMode
            }
        )

    def spread_rules(self, links: "LinkSettings") -> SpreadRules:
        """How activation spreads from the best hits."""
        return SpreadRules(
            seeds=self.seeds,
            hops=self.hops,
            hop_factor=self.hop_factor,
            fan_power=self.fan_power,
            similar_factor=self.similar_factor,
            floor_factors={LinkFamily(family): weight for family, weight in self.floor_weights.items()},
            floor=self.spread_floor,
            fan=self.spread_fan,
            min_weight=links.min_weight,
            hub_degree=links.hub_degree,
        )

    def signal_rules(self, decay: DecaySettings) -> SignalRules:
        """What the signal channel gives a memory, whatever the question."""
        return SignalRules(
            activation_weight=self.signal_weights["activation"],
            confidence_weight=self.signal_weights["confidence"],
            slope=self.signal_slope,
            min_confidence=self.signal_min_confidence,
            theta_dream=decay.theta_dream,
        )

    def tie_rules(self, decay: DecaySettings) -> TieRules:
        """What parts memories of equal score."""
        return TieRules(
            cosine_weight=self.tie_weights["cosine"],
            strength_weight=self.tie_weights["strength"],
            recency_weight=self.tie_weights["recency"],
            recency_days=self.tie_days,
            strength_max=decay.strength_max,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSettings:
    """constants.md 2.4."""

    entity_weight: float = _LINKS.entity_weight
    max_names_per_memory: int = 20  # most names that enrichment links a memory to
    rare_names: float = 20.0  # a name that this many memories know tells clearly less than a new one
    reference_weight: float = 1.0  # of a link to the one memory that a text names
    max_naming_memories: int = 200  # a heading that more memories name is left alone
    max_named_memories: int = 5  # a name that more memories bear links to none of them
    min_weight: float = _SPREAD.min_weight  # weaker links are not walked
    hub_degree: int = _SPREAD.hub_degree  # a node with more links of the walked families is reached, not expanded
    hebbian_rate: float = 0.05
    negative_step: float = 0.05
    # Discovery
    discover_seconds: float = 60.0  # between two beats
    batch: int = 10  # memories whose links are written in one transaction, oldest first
    run_most: int = 1_000  # memories of one user in one beat
    lease_seconds: float = 300.0  # a batch that is not done by then falls due again
    max_attempts: int = 3  # then parked until the text changes
    neighbours: int = 8  # of each memory: by links and shared names, else by meaning
    hops: int = 2  # links to the farthest of them
    neighbour_factor: float = 0.8  # what a second link leaves of nearness
    neighbour_pool: int = 50  # fetched from the vector index, more than are kept
    similar_cosine: float = _LINKS.similar_cosine
    accept_confidence: float = _LINKS.accept_confidence  # least confidence of a model's proposal
    max_per_memory: int = _LINKS.max_per_memory
    shared_names_most: int = _LINKS.shared_names_most  # a name that more memories know links none of them
    temporal_window_hours: float = _LINKS.temporal_window_hours
    temporal_floor: float = _LINKS.temporal_floor
    emotion_min_intensity: float = _LINKS.emotion_min_intensity
    emotion_arousal_gap: float = _LINKS.emotion_arousal_gap
    contrast_gap: float = _LINKS.contrast_gap

    def rules(self) -> LinkRules:
        """What joins two memories, and which links a memory keeps."""
        return LinkRules(
            similar_cosine=self.similar_cosine,
            temporal_window_hours=self.temporal_window_hours,
            temporal_floor=self.temporal_floor,
            emotion_min_intensity=self.emotion_min_intensity,
            emotion_arousal_gap=self.emotion_arousal_gap,
            contrast_gap=self.contrast_gap,
            entity_weight=self.entity_weight,
            shared_names_most=self.shared_names_most,
            accept_confidence=self.accept_confidence,
            max_per_memory=self.max_per_memory,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationSettings:
    """constants.md 2.3 and 2.9."""

    labile_hours: float = _ACCESS.labile_hours
    labile_max: int = 10
    refine_cosine: float = 0.6
    delta_confirm: float = _BELIEFS.confirm
    delta_re_exposure: float = _BELIEFS.re_exposure
    delta_access: float = _BELIEFS.access
    delta_enrich: float = _BELIEFS.enrich
    delta_weaken: float = _BELIEFS.weaken
    delta_contradict: float = _BELIEFS.contradict
    beta_min: float = _PENALTIES.beta_min
    beta_max: float = _PENALTIES.beta_max
    jaccard: float = _CURATION.jaccard
    merge_cosine: float = _CURATION.merge_cosine
    same_cosine: float = _CURATION.same_cosine
    lossless_repeats: bool = _CURATION.lossless_repeats  # a repeat may not swap or add a word
    candidates: int = 10
    live_candidates: int = 10
    live_cosine: float = 0.6
    keys_days: float = 30.0  # for so long the key of a statement that was known is remembered
    extract_enabled: bool = True  # whether it runs beside a face
    extract_min_messages: int = 2  # fewer give nothing (2.8)
    extract_turns: int = 10  # of the user, that one question is about
    extract_context_turns: int = 4  # before those, that help to understand them
    extract_chars: int = 8_000  # of all of them together
    extract_known: int = 20  # facts, and observations, that are known already and told along
    extract_attempts: int = 3  # then a turn is parked
    extract_retry_seconds: float = 60.0
    extract_lease_seconds: float = 600.0
    extract_poll_seconds: float = 5.0
    extract_listed: int = 1_000  # waiting turns of a user that are looked at
    extract_most_sources: int = 20  # of one statement
    extract_most_characters: int = _EXTRACTION.most_characters  # of one statement
    extract_most_items: int = _EXTRACTION.most_items  # of each sort, from one message
    extract_most_domains: int = _EXTRACTION.most_domains  # of one mention of a person
    extract_support: float = _SUPPORT.share  # of a drawn text's words with content, that stand in its message
    extract_support_own: float = _SUPPORT.own_share  # the same where the message answers a question that has the rest
    hot_bytes: int = 4_096  # of an agent's context: what it always has in mind
    hot_lines: int = 80
    # Episodes (constants.md 2.8)
    short_term_turns: int = 20  # the buffer; older turns stay stored
    session_gap_minutes: float = _EPISODES.session_gap_minutes
    episode_min_seconds: float = _EPISODES.episode_min_seconds
    episode_min_turns: int = _EPISODES.episode_min_turns
    episode_chars: int = _EPISODES.episode_chars
    episodes_listed: int = 200  # the newest; older ones are kept, and found by searching
    episodes_found: int = 500  # a search looks at so many episodes by their digest, the best by full text
    episode_turns_found: int = 1_000  # and at so many turns
    episodes_in_context: int = 5
    episode_weights: Mapping[str, float] = field(default_factory=lambda: dict(_EPISODE_SEARCH.weights))
    episode_recency: Mapping[str, float] = field(default_factory=lambda: dict(_EPISODE_SEARCH.recency))
    # The relationship (constants.md 2.8); what each number is stands with the rules.
    relationship_trust_start: float = _RELATIONSHIP.trust_start
    relationship_trust_sessions: float = _RELATIONSHIP.trust_sessions
    relationship_trust_streak: float = _RELATIONSHIP.trust_streak
    relationship_trust_streak_max: float = _RELATIONSHIP.trust_streak_max
    relationship_band_deep: float = _RELATIONSHIP.band_deep
    relationship_band_strong: float = _RELATIONSHIP.band_strong
    relationship_band_growing: float = _RELATIONSHIP.band_growing
    relationship_streak_shown_from: int = _RELATIONSHIP.streak_shown_from
    relationship_hours_kept: int = _RELATIONSHIP.hours_kept
    relationship_hours_shown_from: int = _RELATIONSHIP.hours_shown_from
    relationship_morning_until: int = _RELATIONSHIP.morning_until
    relationship_afternoon_until: int = _RELATIONSHIP.afternoon_until
    relationship_evening_until: int = _RELATIONSHIP.evening_until
    relationship_topics_kept: int = _RELATIONSHIP.topics_kept
    relationship_topics_shown: int = _RELATIONSHIP.topics_shown
    relationship_jokes_kept: int = _RELATIONSHIP.jokes_kept
    relationship_jokes_shown: int = _RELATIONSHIP.jokes_shown
    relationship_jokes_given: int = _RELATIONSHIP.jokes_given
    relationship_references_kept: int = _RELATIONSHIP.references_kept
    relationship_references_shown: int = _RELATIONSHIP.references_shown
    relationship_reference_context_chars: int = _RELATIONSHIP.reference_context_chars
    relationship_notes_kept: int = _RELATIONSHIP.notes_kept
    relationship_notes_shown: int = _RELATIONSHIP.notes_shown
    relationship_notes_shown_above: float = _RELATIONSHIP.notes_shown_above
    relationship_note_start: float = _RELATIONSHIP.note_start
    relationship_note_step: float = _RELATIONSHIP.note_step
    relationship_analysed_min_seconds: float = _RELATIONSHIP.analysed_min_seconds
    relationship_analysed_min_turns: int = _RELATIONSHIP.analysed_min_turns
    relationship_analysed_chars: int = _RELATIONSHIP.analysed_chars

    def episode_rules(self) -> EpisodeRules:
        """When an episode ends, and when it is summed up."""
        return EpisodeRules(
            session_gap_minutes=self.session_gap_minutes,
            episode_min_seconds=self.episode_min_seconds,
            episode_min_turns=self.episode_min_turns,
            episode_chars=self.episode_chars,
        )

    def episode_search_rules(self) -> EpisodeSearchRules:
        """What a match in each field of an episode is worth."""
        return EpisodeSearchRules(weights=self.episode_weights, recency=self.episode_recency)

    def relationship_rules(self) -> RelationshipRules:
        """How the relationship follows from episodes."""
        return RelationshipRules(
            **{each.name: getattr(self, f"relationship_{each.name}") for each in fields(RelationshipRules)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerSettings:
    """constants.md 2.6, operations.md Decisions."""

    default_domain: str = "general"
    decision_confidence: float = 0.9
    earlier_shown: int = 5
    why_chains: int = 3  # shown where no topic is called as asked


@dataclass(frozen=True, slots=True, kw_only=True)
class SleepSettings:
    """constants.md 2.7, operations.md Bounds of sleep. The beat of states comes each `decay.tick_seconds`."""

    enabled: bool = True  # whether `serve` and the Python client do it; `graph-memory work` does it in any case
    lease_seconds: float = 600.0  # of a run, unless renewed; a dead one is taken over when it ends
    cycle_hours: float = 6.0
    first_run_seconds: float = 30.0  # from the start of a worker to its first look for cycles
    poll_seconds: float = 60.0  # between two looks for users whose cycle or housekeeping is due
    due_users: int = 100  # most found by one look
    users_at_once: int = 2
    tell_seconds: float = 1.0  # a run under way stores how far it is no more often
    stop_seconds: float = 20.0  # how long a worker that is told to stop waits for the pieces under way
    follow_seconds: float = 1.0  # between two looks of whoever follows runs
    follow_runs: int = 20  # the latest runs that are looked at then
    plan_most: int = 200  # entries of a dry run's plan
    plan_characters: int = 200  # of a text in it
    notes_most: int = 100
    run_keep_days: float = 90.0  # of a report of a cycle or of housekeeping
    frequent_run_keep_days: float = 7.0  # of a report of links or of states
    snapshot_every_hours: float = 24.0  # of priorities: a later cycle of the same day takes none
    snapshot_window_days: float = 30.0  # what was said in it counts, and what it is compared with lies before it
    snapshot_keep_days: float = 90.0
    snapshot_mentions: int = 5_000  # most memories that one is made of, the latest
    snapshot_decisions: int = 100  # most decisions that may show a change to be meant
    snapshot_topics: int = _DRIFT.most_topics
    notice_memories: int = 10  # named in one notice
    notice_contradictions: int = 10
    notice_snapshots: int = 10  # of the week, of which the latest tells the drift
    notice_scan: int = 1_000  # memories looked at for those that fade soon
    stable_similarity: float = _DRIFT.stable_similarity
    changed_weight: float = _DRIFT.changed_weight
    promote_score: float = _PROMOTION.score
    promote_occurrences: int = _PROMOTION.occurrences
    promote_sessions: int = _PROMOTION.sessions  # 2 keeps out what one chat alone repeats
    promote_weights: Mapping[str, float] = field(default_factory=lambda: dict(_PROMOTION_WEIGHTS))
    promote_most: int = 200  # observations promoted in one run
    merge_least: int = _MERGE.least  # below so many long memories nothing is merged
    merge_neighbours: int = _MERGE.neighbours
    merge_min_chars: int = _MERGE.min_chars  # a merged text of so many characters or fewer is refused
    merge_max_chars: int = _MERGE.max_chars  # so is a longer one that nobody said
    merge_most: int = 1_000  # memories compared for merging in one run
    insight_episodes: int = 10
    insight_least: int = 3  # episodes
    insight_facts: int = 20  # known facts that are passed along
    insight_recurrences: int = 3  # episodes that a topic must come back in, by rules
    insights_max: int = 3
    audit_cosine: float = 0.75
    audit_pairs: int = 200
    audit_most: int = 1_000  # memories compared in one audit
    audit_rules_cosine: float = 0.85  # from here on the rules alone may find a contradiction
    medium_max_days: float = 30.0  # an observation not made again for longer is pruned
    medium_keep_occurrences: int = 5  # unless it was made so often
    prune_most: int = 1_000  # observations pruned in one run
    near_pool: int = 50  # candidates fetched from the vector index beside each memory that is compared
    # Clusters of episodes, and what is distilled from them
    episodic_eps: float = _CLUSTERS.eps  # the distance 1 - cosine within which memories are neighbours
    min_samples: int = _CLUSTERS.min_samples
    topic_cosine: float = _CLUSTERS.topic_cosine  # least mean cosine of a member's topic to those of the others
    max_sources: int = _CLUSTERS.most  # of one statement or schema, merged or not
    cluster_shrink: float = _CLUSTERS.shrink  # of the distance, while a cluster is too large or too loose
    cluster_max: int = 5_000  # memories of a bucket that one run looks at, the oldest first
    noise_days: float = 7.0  # what is like nothing else waits so long, unless something new comes beside it
    summary_characters: int = SUMMARY_CHARACTERS
    fade_min: float = 0.5  # what a source at the centroid keeps of its base strength once it was distilled
    fade_span: float = 0.4  # what one without likeness to it keeps beside that
    # Schemas
    schema_eps: float = 0.45
    schema_start: float = _SCHEMAS.start
    schema_active: float = _SCHEMAS.active
    schema_retire_days: float = _SCHEMAS.retire_days
    schema_again_hours: float = _SCHEMAS.again_hours  # an induction sooner after the last is the same one
    schema_same_cosine: float = _SCHEMAS.same_cosine

    def episodic_clusters(self) -> ClusterRules:
        """How episodes are clustered."""
        return self._clusters(self.episodic_eps)

    def schema_clusters(self) -> ClusterRules:
        """How statements are clustered."""
        return self._clusters(self.schema_eps)

    def _clusters(self, eps: float) -> ClusterRules:
        return ClusterRules(
            eps=eps,
            min_samples=self.min_samples,
            topic_cosine=self.topic_cosine,
            most=self.max_sources,
            shrink=self.cluster_shrink,
        )

    def schema_rules(self) -> SchemaRules:
        """How far a schema is believed, and when it retires."""
        return SchemaRules(
            start=self.schema_start,
            active=self.schema_active,
            retire_days=self.schema_retire_days,
            again_hours=self.schema_again_hours,
            same_cosine=self.schema_same_cosine,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """Lists."""

    first: int = 20
    most: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, frozen. Build with `from_environment`; nothing else reads the environment."""

    neo4j: Neo4jSettings = field(default_factory=Neo4jSettings)
    embedded: EmbeddedSettings = field(default_factory=EmbeddedSettings)
    embedder: EmbedderSettings = field(default_factory=EmbedderSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    serve: ServeSettings = field(default_factory=ServeSettings)
    writes: WriteSettings = field(default_factory=WriteSettings)
    enrichment: EnrichmentSettings = field(default_factory=EnrichmentSettings)
    limits: Limits = field(default_factory=Limits)
    pages: PageSettings = field(default_factory=PageSettings)
    decay: DecaySettings = field(default_factory=DecaySettings)
    salience: SalienceSettings = field(default_factory=SalienceSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    links: LinkSettings = field(default_factory=LinkSettings)
    curation: CurationSettings = field(default_factory=CurationSettings)
    ledger: LedgerSettings = field(default_factory=LedgerSettings)
    sleep: SleepSettings = field(default_factory=SleepSettings)
    people: PersonRules = field(default_factory=PersonRules)
    home: Path = field(default_factory=lambda: default_home({}))
    cache: Path = field(default_factory=lambda: default_cache({}))
    origins: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Settings from the environment and the TOML file it names.

        Raises: InvalidValueError that lists every unknown key and every value of the wrong type or range.
        """
        environment = os.environ if environment is None else environment
        home = default_home(environment)
        problems: list[Problem] = []
        path = Path(environment.get("GRAPH_MEMORY_CONFIG") or home / "config.toml")
        written = _from_file(path, required="GRAPH_MEMORY_CONFIG" in environment, problems=problems)
        written.update(_from_variables(environment, problems))
        _refuse_written_key(written, problems)
        settings = cls(home=home, cache=default_cache(environment))
        for group in _groups():
            chosen = {name: value for (group_name, name), (value, _) in written.items() if group_name == group}
            settings = replace(settings, **{group: _filled(getattr(settings, group), group, chosen, problems)})
        problems += _range_problems(settings)
        if problems:
            raise InvalidValueError("settings", problems)
        return replace(settings, origins={f"{g}.{n}": origin for (g, n), (_, origin) in written.items()})

    def listed(self) -> Iterable[tuple[str, object, str]]:
        """Every setting as (name, value, origin); secrets are hidden."""
        for group in _groups():
            values = getattr(self, group)
            for each in fields(values):
                name, value = f"{group}.{each.name}", getattr(values, each.name)
                shown = "********" if not each.repr and value is not None else value
                yield name, shown, self.origins.get(name, "default")

    def strength_curve(self) -> StrengthCurve:
        """The curve along which strength falls."""
        return StrengthCurve(
            half_life_hours=self.decay.half_life_hours,
            stability_gain=self.decay.stability_gain,
            stability_power=self.decay.stability_power,
            floor=self.decay.strength_floor,
            maximum=self.decay.strength_max,
            forget_threshold=self.decay.forget_threshold,
            arousal_gain=self.salience.arousal_strength_gain,
            time_scale=self.decay.time_scale,
        )

    def activation_curve(self) -> ActivationCurve:
        """The curve along which activation falls."""
        return ActivationCurve(
            min_age_hours=self.decay.min_age_hours,
            theta_dream=self.decay.theta_dream,
            theta_forgotten=self.decay.theta_forgotten,
            theta_archive=self.decay.theta_archive,
            time_scale=self.decay.time_scale,
        )

    def date_fingerprint(self) -> str:
        """Names the numbers behind the stored dates: settings with the same fingerprint give the same dates."""
        numbers = [float(getattr(getattr(self, group), name)) for group, name in map(_split, DATE_SETTINGS)]
        return hashlib.sha256(json.dumps([_DATE_FORMULAS, *numbers]).encode()).hexdigest()[:16]

    def tick(self) -> timedelta:
        """Real time between two beats of the state labels."""
        return timedelta(seconds=max(1.0, self.decay.tick_seconds / self.decay.time_scale))

    def reinforcement(self) -> Reinforcement:
        """The laws of use."""
        return Reinforcement(
            strength=self.strength_curve(),
            activation=self.activation_curve(),
            rules=AccessRules(
                boost_max=self.decay.boost_max,
                boost_tau_hours=self.decay.boost_tau_hours,
                spacing_gap_hours=self.decay.spacing_gap_hours,
                stamp_merge_seconds=self.decay.stamp_merge_seconds,
                max_stamps=self.decay.max_stamps,
                labile_hours=self.curation.labile_hours,
                confidence_delta=self.curation.delta_access,
                confidence_gap_hours=self.decay.confidence_gap_hours,
                suppression_factor=self.recall.rif_factor,
                suppression_interval_hours=self.recall.rif_interval_hours,
            ),
            arousal=ArousalRules(
                activation_decay=self.decay.activation_decay,
                decay_gain=self.salience.arousal_decay_gain,
                encoding_gain=self.salience.arousal_encoding_gain,
            ),
        )

    def succession_rules(self) -> SuccessionRules:
        """What it costs a memory to give way to another."""
        return SuccessionRules(
            strength=self.strength_curve(), penalty=self.penalty_rules(), confidence=self.confidence_rules()
        )

    def penalty_rules(self) -> PenaltyRules:
        """What a contradiction costs."""
        evidence = {Category(name): weight for name, weight in self.salience.category_evidence.items()}
        return PenaltyRules(
            beta_min=self.curation.beta_min, beta_max=self.curation.beta_max, category_evidence=evidence
        )

    def confidence_rules(self) -> ConfidenceRules:
        """How far each kind of evidence moves confidence."""
        return ConfidenceRules(
            confirm=self.curation.delta_confirm,
            re_exposure=self.curation.delta_re_exposure,
            access=self.curation.delta_access,
            enrich=self.curation.delta_enrich,
            weaken=self.curation.delta_weaken,
            contradict=self.curation.delta_contradict,
            arousal_gain=self.salience.arousal_confidence_gain,
        )

    def curation_rules(self) -> CurationRules:
        """What makes two statements the same, richer, or opposed."""
        return CurationRules(
            jaccard=self.curation.jaccard,
            merge_cosine=self.curation.merge_cosine,
            same_cosine=self.curation.same_cosine,
            lossless_repeats=self.curation.lossless_repeats,
        )

    def extraction_rules(self) -> ExtractionRules:
        """What one message can give."""
        return ExtractionRules(
            most_characters=self.curation.extract_most_characters,
            most_items=self.curation.extract_most_items,
            most_domains=self.curation.extract_most_domains,
        )

    def support_rules(self) -> SupportRules:
        """How much of a drawn text its message has to say."""
        return SupportRules(share=self.curation.extract_support, own_share=self.curation.extract_support_own)

    def drift_rules(self) -> DriftRules:
        """When the priorities of a user have changed."""
        return DriftRules(
            stable_similarity=self.sleep.stable_similarity,
            changed_weight=self.sleep.changed_weight,
            most_topics=self.sleep.snapshot_topics,
        )

    def answer_rules(self) -> AnswerRules:
        """What a language model's answer is held to."""
        return AnswerRules(
            support=self.model.support_share,
            most_characters=self.model.most_characters,
            extraction=self.extraction_rules(),
            extraction_support=self.support_rules(),
        )

    def promotion_rules(self) -> PromotionRules:
        """When an observation becomes an established fact."""
        weights: dict[str, Any] = dict(self.sleep.promote_weights)
        return PromotionRules(
            score=self.sleep.promote_score,
            occurrences=self.sleep.promote_occurrences,
            sessions=self.sleep.promote_sessions,
            time_scale=self.decay.time_scale,
            **weights,
        )

    def merge_rules(self) -> MergeRules:
        """The bounds of a merge."""
        return MergeRules(
            least=self.sleep.merge_least,
            neighbours=self.sleep.merge_neighbours,
            min_chars=self.sleep.merge_min_chars,
            max_chars=self.sleep.merge_max_chars,
            max_sources=self.sleep.max_sources,
        )

    def person_rules(self) -> PersonRules:
        """The numbers of people and of trust in them."""
        return self.people

    def tier_profile(self, name: str | None = None) -> TierProfile:
        """The named tier profile (default: the one in the settings), with its numbers overridden one by one."""
        profile = TIER_PROFILES[name or self.decay.tier_profile]
        given = {
            "active_days": self.decay.tier_active_days,
            "warm_days": self.decay.tier_warm_days,
            "cold_days": self.decay.tier_cold_days,
            "relevance_rate": self.decay.relevance_rate,
        }
        chosen: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        return replace(profile, relevance_floor=self.decay.relevance_floor, time_scale=self.decay.time_scale, **chosen)

    def initial_confidence(self, epistemic_type: EpistemicType, horizon: Horizon) -> float:
        """How much a new memory is believed when the caller does not say."""
        if horizon is Horizon.MEDIUM:
            return self.salience.medium_confidence
        return self.salience.initial_confidence[epistemic_type]


def default_home(environment: Mapping[str, str]) -> Path:
    """The folder of the product's data: `GRAPH_MEMORY_HOME`, or the user's data folder."""
    named = environment.get("GRAPH_MEMORY_HOME")
    return Path(named).expanduser().absolute() if named else Path(platformdirs.user_data_dir("graph-memory"))


def default_cache(environment: Mapping[str, str]) -> Path:
    """The folder of what was fetched: `GRAPH_MEMORY_CACHE`, or the user's cache folder; any home may share it."""
    named = environment.get("GRAPH_MEMORY_CACHE")
    return Path(named).expanduser().absolute() if named else Path(platformdirs.user_cache_dir("graph-memory"))


def _groups() -> list[str]:
    return [each.name for each in fields(Settings) if each.name not in ("home", "cache", "origins")]


def _split(name: str) -> tuple[str, str]:
    """Group and name of a setting."""
    group, _, rest = name.partition(".")
    return group, rest


_Written = dict[tuple[str, str], tuple[Any, str]]


def _from_file(path: Path, *, required: bool, problems: list[Problem]) -> _Written:
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        if required:
            problems.append(Problem("GRAPH_MEMORY_CONFIG", f"there is no file {path}"))
        return {}
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(Problem(str(path), f"cannot be read as TOML: {error}"))
        return {}
    written: _Written = {}
    for group, table in tables.items():
        if not isinstance(table, dict):
            problems.append(Problem(group, f"stands in {path} outside a table"))
            continue
        for name, value in table.items():
            written[group, name] = (value, str(path))
    _refuse_unknown(written, problems)
    return written


def _from_variables(environment: Mapping[str, str], problems: list[Problem]) -> _Written:
    written: _Written = {}
    for variable, place in _FOREIGN_KEYS.items():
        if value := environment.get(variable):
            written[place] = (value.strip() if variable == _MODEL_KEY else value, variable)
    for variable, value in environment.items():
        if not variable.startswith(_PREFIX) or variable in _OTHER_KEYS or variable.startswith(_TEST_PREFIX):
            continue
        group, _, name = variable.removeprefix(_PREFIX).lower().partition("__")
        written[group, name] = (value, variable)
    _refuse_unknown(written, problems)
    return written


def _refuse_written_key(written: _Written, problems: list[Problem]) -> None:
    """A secret that lies in a file is copied with it; its one place is its own variable."""
    _, origin = written.get(("model", "api_key"), (None, _MODEL_KEY))
    if origin != _MODEL_KEY:
        del written["model", "api_key"]
        problems.append(Problem(origin, f"the key of a language model is read from {_MODEL_KEY} alone"))


def _refuse_unknown(written: _Written, problems: list[Problem]) -> None:
    known = {(group, each.name) for group in _groups() for each in fields(getattr(Settings(), group))}
    for place in [place for place in written if place not in known]:
        _, origin = written.pop(place)
        problems.append(Problem(origin, f"there is no setting {'.'.join(place)}"))


def _filled(group: Any, group_name: str, chosen: Mapping[str, Any], problems: list[Problem]) -> Any:
    hints = typing.get_type_hints(type(group))
    values = {}
    for name, value in chosen.items():
        try:
            values[name] = _converted(value, hints[name], getattr(group, name))
        except (ValueError, TypeError) as error:
            problems.append(Problem(f"{group_name}.{name}", str(error)))
    return replace(group, **values)


def _converted(value: Any, hint: Any, default: Any) -> Any:
    """The value in the setting's own type; text from the environment is read by that type."""
    options = [option for option in typing.get_args(hint) if option is not types.NoneType]
    if isinstance(hint, types.UnionType):
        return _converted(value, options[0], default)
    if typing.get_origin(hint) is not None:
        return _merged_words(value, default) if str in typing.get_args(hint)[1:] else _merged_map(value, default)
    if hint is bool:
        return _as_bool(value)
    if hint is int and isinstance(value, float):
        raise ValueError(f"{value!r} is not a whole number")
    try:
        return hint(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a {'whole number' if hint is int else 'number'}") from None


def _as_bool(value: Any) -> bool:
    named = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    if isinstance(value, bool):
        return value
    if str(value).lower() not in named:
        raise ValueError(f"{value!r} is neither true nor false")
    return named[str(value).lower()]


def _merged_map(value: Any, default: Mapping[str, float]) -> Mapping[str, float]:
    """A table of numbers, or text like "lexical=0.5, semantic=1"; keys left out keep their default."""
    if isinstance(value, str):
        value = _pairs(value, ",")
    if not isinstance(value, Mapping):
        raise ValueError(f"{value!r} is not a table of numbers")
    given = {str(key).strip(): float(number) for key, number in value.items()}
    if isinstance(default, OpenTable):
        return OpenTable({**default, **given})
    _refuse_unknown_entries(given, default)
    return {**default, **given}


def _merged_words(value: Any, default: Mapping[str, str]) -> Mapping[str, str]:
    """A table of lists of words, or text like "why=+how come; when=when, since"; keys left out keep their default."""
    if isinstance(value, str):
        value = _pairs(value, ";")
    if not isinstance(value, Mapping):
        raise ValueError(f"{value!r} is not a table of words")
    given = {str(key).strip(): str(listed).strip() for key, listed in value.items()}
    _refuse_unknown_entries(given, default)
    return {**default, **{key: _added(listed, default[key]) for key, listed in given.items()}}


def _pairs(text: str, separator: str) -> dict[str, str]:
    """The entries of a table that was written as one line."""
    written = [pair.strip() for pair in text.split(separator) if pair.strip()]
    if unclear := [pair for pair in written if "=" not in pair]:
        raise ValueError(f"{unclear[0]!r} names no entry; write name=value")
    return {name: value for name, _, value in (pair.partition("=") for pair in written)}


def _added(listed: str, default: str) -> str:
    """The list, or the default with it where it begins with a plus sign."""
    return f"{default}, {listed[1:].strip()}" if listed.startswith("+") else listed


def _refuse_unknown_entries(given: Mapping[str, Any], default: Mapping[str, Any]) -> None:
    if unknown := sorted(set(given) - set(default)):
        raise ValueError(f"has no entry {', '.join(unknown)}; there are {', '.join(sorted(default))}")


# Within which bounds the numbers of each group lie.
_POSITIVE = {
    "decay": (
        *("half_life_hours", "time_scale", "forget_threshold", "activation_decay", "min_age_hours"),
        *("tick_seconds", "redate_batch", "redate_most"),
    ),
    "neo4j": ("max_connections", "busy_after_seconds", "connect_timeout_seconds", "retry_seconds"),
    "writes": ("group_rows",),
    "enrichment": ("batch", "lease_seconds", "max_attempts", "poll_seconds"),
    "recall": (
        *("max_k", "max_query_characters", "max_query_terms", "names_most_users", "most_words"),
        *("pool", "depth", "context_depth", "text_pool", "context_text_pool", "filtered_pool"),
        *("candidates", "candidates_for_each", "channel_min", "rrf_k"),
        *("depth_base", "depth_min", "depth_full_tokens", "depth_full_names", "intent_even_weight"),
        *("seeds", "hops", "hop_factor", "spread_fan", "signal_slope", "tie_days", "receipt_days"),
        *("context_tokens", *(f"mode_tokens_{mode}" for mode in RecallMode)),
    ),
    "links": (
        *("max_names_per_memory", "rare_names", "max_naming_memories", "max_named_memories", "hub_degree"),
        *("discover_seconds", "batch", "run_most", "lease_seconds", "max_attempts", "neighbours", "hops"),
        *("neighbour_pool", "temporal_window_hours"),
    ),
    "embedder": ("max_batch",),
    "model": (
        *("max_tokens", "timeout_seconds", "patience_seconds", "write_seconds", "at_once", "first_wait_seconds"),
        *("most_characters", "emotion_batch", "emotion_characters"),
    ),
    "pages": ("first", "most"),
    "sleep": (
        *("episodic_eps", "schema_eps", "min_samples", "max_sources", "cluster_max", "summary_characters"),
        "schema_retire_days",
        *("lease_seconds", "cycle_hours", "poll_seconds", "due_users", "users_at_once"),
        *(
            "follow_seconds",
            "follow_runs",
            "run_keep_days",
            "frequent_run_keep_days",
            "snapshot_every_hours",
            "snapshot_window_days",
        ),
        *("snapshot_keep_days", "snapshot_mentions", "snapshot_decisions", "snapshot_topics"),
        *("notice_memories", "notice_contradictions", "notice_snapshots", "notice_scan"),
        *("promote_most", "merge_neighbours", "merge_max_chars", "merge_most", "max_sources", "insight_episodes"),
        *("insight_facts", "insight_recurrences", "audit_pairs", "audit_most", "prune_most", "near_pool"),
    ),
    "curation": (
        *("extract_min_messages", "extract_most_characters", "extract_most_items", "extract_most_domains"),
        *("extract_turns", "extract_chars", "extract_attempts", "extract_lease_seconds", "extract_poll_seconds"),
        *("extract_listed", "extract_most_sources", "keys_days"),
        *("short_term_turns", "session_gap_minutes", "episode_chars", "episodes_listed", "episodes_found"),
        *("episode_turns_found", "relationship_analysed_chars"),
    ),
    "people": ("evidence_half_life_days", "recompute_every", "prompt_recency_days", "prompt_full_use"),
}
_PRICES = ("input_price", "output_price", "cache_read_price", "cache_write_price")
_NOT_NEGATIVE = {
    "sleep": (
        *("first_run_seconds", "tell_seconds", "stop_seconds", "plan_most", "plan_characters", "notes_most"),
        *("promote_occurrences", "promote_sessions", "promote_weights", "merge_least", "merge_min_chars"),
        *("insight_least", "insights_max", "medium_max_days", "medium_keep_occurrences"),
        *("noise_days", "schema_again_hours"),
    ),
    "model": (
        *("retries", "longest_wait_seconds", "day_cost", "day_calls", "user_day_cost", "user_day_calls"),
        *_PRICES,
    ),
    "curation": (
        *("episode_min_seconds", "episode_min_turns", "episodes_in_context", "episode_weights", "episode_recency"),
        *(f"relationship_{each.name}" for each in fields(RelationshipRules)),
    ),
    "recall": (
        *("names_refresh_seconds", "guessed_stems", "signal_pool", "day_grace_days", "date_factor", "sequence_seeds"),
        *("rif_scan", "rif_interval_hours", "context_observations", "overlay_min", "depth_gain", "intent_other_weight"),
        *("fan_power", "similar_factor", "next_factor", "channel_weights", "family_weights", "floor_weights"),
        *("intent_weights",),
        *("depth_weights", "signal_weights", "tie_weights"),
    ),
}
_SHARES = {
    "recall": (
        *("subject_mismatch", "sequence_weight", "rif_factor", "context_share", "min_match", "spread_floor"),
        *("signal_min_confidence",),
    ),
    "sleep": (
        *("stable_similarity", "changed_weight", "cluster_shrink", "fade_min", "fade_span"),
        *("schema_start", "schema_active"),
    ),
    "curation": ("extract_support", "extract_support_own"),
    "model": ("support_share",),
    "links": (
        *("entity_weight", "reference_weight", "min_weight", "hebbian_rate", "negative_step"),
        *("neighbour_factor", "accept_confidence", "temporal_floor", "emotion_min_intensity", "emotion_arousal_gap"),
    ),
}
_COSINES = {
    "recall": ("last_resort_cosine", "semantic_floor", "proactive_cosine", "rif_cosine"),
    "links": ("similar_cosine",),
    "sleep": ("audit_cosine", "audit_rules_cosine", "schema_same_cosine", "topic_cosine"),
}
_FINITE = ("recall", "links", "model")  # groups in which no number is without end


def _range_problems(settings: Settings) -> Iterable[Problem]:
    yield from _word_problems(settings)
    yield from _number_problems(settings)
    yield from _order_problems(settings)
    yield from _price_problems(settings.model)


def _word_problems(settings: Settings) -> Iterable[Problem]:
    """Of settings that take one of a few words."""
    words = (
        ("decay.tier_profile", settings.decay.tier_profile, TIER_PROFILES),
        ("recall.default_mode", settings.recall.default_mode, RecallMode),
        ("recall.ranking", settings.recall.ranking, RANKINGS),
        ("model.name", settings.model.name, LANGUAGE_MODELS),
    )
    for name, value, known in words:
        if value not in list(known):
            yield Problem(name, f"is {value!r}; there are {', '.join(sorted(known))}")


def _price_problems(model: ModelSettings) -> Iterable[Problem]:
    """Of models without a price: no budget could hold them."""
    if model.name == LANGUAGE_MODELS[0]:
        return
    for name in sorted({model.model_for(question) for question in Question}):
        for table in _PRICES:
            if name not in getattr(model, table):
                yield Problem(f"model.{table}", f"has no price for {name}")


def _number_problems(settings: Settings) -> Iterable[Problem]:
    """Of numbers, each by itself; in a table each entry."""
    bounds: Sequence[tuple[Mapping[str, Sequence[str]], Callable[[float], bool], str]] = (
        (_POSITIVE, lambda number: number > 0, "be greater than 0"),
        (_NOT_NEGATIVE, lambda number: number >= 0, "not be below 0"),
        (_SHARES, lambda number: 0 <= number <= 1, "lie in 0..1"),
        (_COSINES, lambda number: -1 <= number <= 1, "lie in -1..1"),
        ({group: _names_of_numbers(settings, group) for group in _FINITE}, math.isfinite, "be finite"),
    )
    wrong: dict[str, Problem] = {}  # one problem a number
    for tables, holds, rule in bounds:
        for group, names in tables.items():
            for name in names:
                for where, number in _numbers(f"{group}.{name}", getattr(getattr(settings, group), name)):
                    if not holds(number):
                        wrong.setdefault(where, Problem(where, f"is {number}; it must {rule}"))
    yield from wrong.values()
    if settings.recall.hop_factor > 1:
        yield Problem("recall.hop_factor", f"is {settings.recall.hop_factor}; activation must not grow on its way")
    if settings.links.max_per_memory < len(WALKED):
        yield Problem(
            "links.max_per_memory", f"is {settings.links.max_per_memory}; one of each of {len(WALKED)} families stays"
        )
    if settings.links.hops > 2:
        yield Problem("links.hops", f"is {settings.links.hops}; neighbours are one or two links away")
    if settings.recall.hops > 2:
        yield Problem("recall.hops", f"is {settings.recall.hops}; activation walks one or two links")
    for name in ("bolt_port", "http_port"):
        port = getattr(settings.embedded, name)
        if port is not None and not 1 <= port <= 65_535:
            yield Problem(f"embedded.{name}", f"is {port}; a port lies in 1..65535")


def _names_of_numbers(settings: Settings, group: str) -> list[str]:
    values = getattr(settings, group)
    return [each.name for each in fields(values) if list(_numbers(each.name, getattr(values, each.name)))]


def _numbers(where: str, value: object) -> Iterable[tuple[str, float]]:
    """The numbers of a setting, each with its name: one, those of a table, or none."""
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _numbers(f"{where}.{key}", entry)
    elif isinstance(value, int | float):
        yield where, value


def _order_problems(settings: Settings) -> Iterable[Problem]:
    """Of numbers that stand in order."""
    decay, recall = settings.decay, settings.recall
    if not decay.theta_dream > decay.theta_forgotten > decay.theta_archive:
        yield Problem("decay.theta_dream", "must lie above theta_forgotten, and that above theta_archive")
    sleep = settings.sleep
    if sleep.min_samples > sleep.max_sources:
        yield Problem("sleep.min_samples", f"is {sleep.min_samples}; sleep.max_sources is {sleep.max_sources}")
    if sleep.cluster_shrink >= 1:
        yield Problem("sleep.cluster_shrink", f"is {sleep.cluster_shrink}; it must be below 1")
    ordered = [
        *(("depth_min", "depth_max"), ("intent_gain_min", "intent_gain_max")),
        *(("depth_moderate_from", "depth_complex_above"), ("context_tokens", "context_tokens_max")),
        *(("depth", "pool"), ("context_depth", "pool")),
        *((f"mode_k_{mode}_min", f"mode_k_{mode}_max") for mode in RecallMode),
    ]
    for least, most in ordered:
        low, high = getattr(recall, least), getattr(recall, most)
        if not 0 <= low <= high:
            yield Problem(f"recall.{least}", f"is {low}; it must lie in 0..{high}, the value of recall.{most}")

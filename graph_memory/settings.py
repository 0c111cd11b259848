"""Every number and choice of the product, once, by name.

A setting comes from, in falling order of precedence: the environment (`GRAPH_MEMORY_DECAY__HALF_LIFE_HOURS`, and for
the server `NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`, `NEO4J_DATABASE`), a TOML file with a table for each group
(`GRAPH_MEMORY_CONFIG`, or `config.toml` in the home folder), the default here. Defaults: constants.md.
"""

import hashlib
import json
import os
import tomllib
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

import platformdirs

from graph_memory.domain.activation import ActivationCurve
from graph_memory.domain.confidence import ConfidenceRules
from graph_memory.domain.contradiction import PenaltyRules
from graph_memory.domain.curation import CurationRules
from graph_memory.domain.decay import StrengthCurve
from graph_memory.domain.draft import Limits
from graph_memory.domain.people import PersonRules
from graph_memory.domain.reinforcement import AccessRules, ArousalRules, Reinforcement
from graph_memory.domain.succession import SuccessionRules
from graph_memory.domain.tiers import TIER_PROFILES, TierProfile
from graph_memory.domain.vocabulary import Category, EpistemicType, Horizon, Kind, RecallMode
from graph_memory.errors import InvalidValueError, Problem

# Numbers of a rule stand with the rule; a setting takes its default from there.
_ACCESS, _AROUSAL, _BELIEFS = AccessRules(), ArousalRules(), ConfidenceRules()
_PENALTIES, _CURATION = PenaltyRules(), CurationRules()

_PREFIX = "GRAPH_MEMORY_"
_NEO4J_KEYS = {
    "NEO4J_URI": ("neo4j", "uri"),
    "NEO4J_USERNAME": ("neo4j", "username"),
    "NEO4J_PASSWORD": ("neo4j", "password"),
    "NEO4J_DATABASE": ("neo4j", "database"),
}
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """constants.md 2.5, operations.md Recall, ranking.md."""

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
    pool: int = 100  # candidates fetched from each index
    filtered_pool: int = 1_000  # the same when a filter has to be checked after the index
    channel_min: int = 20  # a channel gives max(channel_min, 2k) candidates
    rrf_k: float = 5.0
    channel_weights: Mapping[str, float] = field(
        default_factory=lambda: {"semantic": 1.0, "lexical": 1.0, "context": 1.0, "context_vector": 1.0}
    )
    semantic_floor: float = 0.0  # constants.md says 0.3; see docs/decisions
    subject_mismatch: float = 0.5
    sequence_weight: float = 0.15
    sequence_seeds: int = 3
    default_k: int = 10
    proactive_cosine: float = 0.7
    rif_cosine: float = 0.7
    rif_factor: float = _ACCESS.suppression_factor
    rif_scan: int = 50
    rif_interval_hours: float = _ACCESS.suppression_interval_hours
    default_mode: str = RecallMode.CUED
    receipt_days: float = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSettings:
    """constants.md 2.4."""

    entity_weight: float = 0.8
    max_names_per_memory: int = 20  # most names that enrichment links a memory to


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerSettings:
    """constants.md 2.6, operations.md Decisions."""

    default_domain: str = "general"
    decision_confidence: float = 0.9
    earlier_shown: int = 5
    why_chains: int = 3  # shown where no topic is called as asked


@dataclass(frozen=True, slots=True, kw_only=True)
class SleepSettings:
    """constants.md 2.7."""

    lease_seconds: float = 600.0


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
    for variable, place in _NEO4J_KEYS.items():
        if environment.get(variable):
            written[place] = (environment[variable], variable)
    for variable, value in environment.items():
        if not variable.startswith(_PREFIX) or variable in _OTHER_KEYS or variable.startswith(_TEST_PREFIX):
            continue
        group, _, name = variable.removeprefix(_PREFIX).lower().partition("__")
        written[group, name] = (value, variable)
    _refuse_unknown(written, problems)
    return written


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
        return _merged_map(value, default)
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
        value = dict(pair.split("=", 1) for pair in value.split(",") if "=" in pair)
    if not isinstance(value, Mapping):
        raise ValueError(f"{value!r} is not a table of numbers")
    given = {str(key).strip(): float(number) for key, number in value.items()}
    if unknown := sorted(set(given) - set(default)):
        raise ValueError(f"has no entry {', '.join(unknown)}; there are {', '.join(sorted(default))}")
    return {**default, **given}


def _range_problems(settings: Settings) -> Iterable[Problem]:
    if settings.decay.tier_profile not in TIER_PROFILES:
        known = ", ".join(sorted(TIER_PROFILES))
        yield Problem("decay.tier_profile", f"is {settings.decay.tier_profile!r}; there are {known}")
    positive = {
        "decay": (
            *("half_life_hours", "time_scale", "forget_threshold", "activation_decay", "min_age_hours"),
            *("tick_seconds", "redate_batch", "redate_most"),
        ),
        "neo4j": ("max_connections", "busy_after_seconds", "connect_timeout_seconds", "retry_seconds"),
        "writes": ("group_rows",),
        "enrichment": ("batch", "lease_seconds", "max_attempts", "poll_seconds"),
        "recall": ("max_k", "pool", "filtered_pool", "channel_min", "rrf_k", "max_query_terms", "default_k"),
        "embedder": ("max_batch",),
        "pages": ("first", "most"),
        "people": ("evidence_half_life_days", "recompute_every", "prompt_recency_days", "prompt_full_use"),
    }
    for group, names in positive.items():
        for name in names:
            value = getattr(getattr(settings, group), name)
            if not value > 0:
                yield Problem(f"{group}.{name}", f"is {value}; it must be greater than 0")
    if not settings.decay.theta_dream > settings.decay.theta_forgotten > settings.decay.theta_archive:
        yield Problem("decay.theta_dream", "must lie above theta_forgotten, and that above theta_archive")
    for name in ("bolt_port", "http_port"):
        port = getattr(settings.embedded, name)
        if port is not None and not 1 <= port <= 65_535:
            yield Problem(f"embedded.{name}", f"is {port}; a port lies in 1..65535")

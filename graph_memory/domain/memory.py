"""A memory as it is stored: what it says, where it belongs, how strong, how believed, and when it holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from graph_memory.domain.activation import ActivationFacts, StateDates
from graph_memory.domain.decay import FAR_FUTURE, StrengthFacts
from graph_memory.domain.decision import Decision, DecisionStatus
from graph_memory.domain.identity import name_key
from graph_memory.domain.observed import Observed
from graph_memory.domain.vocabulary import (
    Category,
    EnrichmentStatus,
    EpistemicType,
    Horizon,
    Kind,
    Lane,
    MemoryId,
    Source,
    State,
    UserId,
)

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    """Plutchik's eight, each 0..1, with arousal 0..1 and valence -1..1 (constants.md 2.1)."""

    joy: float = 0.0
    trust: float = 0.0
    fear: float = 0.0
    surprise: float = 0.0
    sadness: float = 0.0
    disgust: float = 0.0
    anger: float = 0.0
    anticipation: float = 0.0
    arousal: float = 0.0
    valence: float = 0.0


EMOTIONS = ("joy", "trust", "fear", "surprise", "sadness", "disgust", "anger", "anticipation")


@dataclass(frozen=True, slots=True)
class NamedDate:
    """Days that a text names, reckoned from the moment it was told: "last Thursday"."""

    text: str
    first_day: date
    last_day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """When a memory holds in the world, and when we held it true. Open ends are the far future."""

    valid_at: datetime
    created_at: datetime
    invalid_at: datetime = FAR_FUTURE
    invalidated_at: datetime = FAR_FUTURE  # when we learnt of the end
    expired_at: datetime = FAR_FUTURE

    def covers(self, *, as_of: datetime, known_at: datetime) -> bool:
        """Whether the memory was believed: known at `known_at`, true at `as_of`; an end counts once we knew of it."""
        ended = self.invalidated_at <= known_at and self.invalid_at <= as_of
        return self.created_at <= known_at < self.expired_at and self.valid_at <= as_of and not ended


@dataclass(frozen=True, slots=True, kw_only=True)
class PastInterval:
    """What a memory's dates were until it was restored."""

    valid_at: datetime
    invalid_at: datetime
    invalidated_at: datetime
    expired_at: datetime
    restored_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One remembered item with every stored fact that a reader may ask for, but no vectors."""

    id: MemoryId
    user_id: UserId
    text: str
    kind: Kind
    epistemic_type: EpistemicType
    category: Category
    horizon: Horizon
    bucket: str
    lane: Lane
    general: bool
    source: Source
    confirmed: bool
    confidence: float
    strength: StrengthFacts
    activation: ActivationFacts
    state: State  # the label for display; `states` decides
    states: StateDates
    visible_until: datetime
    access_count: int
    first_access_at: datetime | None  # None: never used since it was written
    last_accessed_at: datetime | None
    touched_at: datetime
    emotion: Emotion
    occurred_at: datetime
    interval: Interval
    past_intervals: tuple[PastInterval, ...] = ()  # in the order of their restores
    superseded_at: datetime = FAR_FUTURE
    labile_until: datetime | None = None
    labile_since: datetime | None = None  # when the window opened that labile_until closes
    last_suppressed_at: datetime | None = None
    refined_at: datetime | None = None
    observed: Observed | None = None  # None: once, when it was written
    enrichment: EnrichmentStatus = EnrichmentStatus.PENDING
    named_dates: tuple[NamedDate, ...] = ()
    dates_told_at: str = "created_at"  # from which instant they were reckoned: occurred_at, or created_at without one
    speaker: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    external_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    decision: Decision | None = None  # only of kind decision
    content_hash: str = ""  # what makes it the same one again (domain/identity.py)
    given_people: tuple[str, ...] = ()  # as the caller named them; links to persons are made from these and the text
    given_entities: tuple[str, ...] = ()
    dates_by: str = ""  # names the settings that its stored dates were solved with

    @property
    def subject_keys(self) -> tuple[str, ...]:
        """Whom the memory is about, folded: the speaker and the people that the caller named."""
        spoken = (self.speaker,) if self.speaker else ()
        return tuple(dict.fromkeys(name_key(name) for name in (*spoken, *self.given_people)))

    @property
    def evidence(self) -> Observed:
        """How often it was observed."""
        return self.observed or Observed.once(self.interval.created_at)

    @property
    def told_at(self) -> datetime:
        """The instant from which the days that its text names were reckoned."""
        return self.occurred_at if self.dates_told_at == "occurred_at" else self.interval.created_at

    @property
    def pinned(self) -> bool:
        return self.strength.pinned

    def believed(self, *, as_of: datetime, known_at: datetime) -> bool:
        """Whether the memory was believed at an instant of the world and one of ours (operations.md, Time)."""
        return self.interval_known(known_at).covers(as_of=as_of, known_at=known_at)

    def interval_known(self, known_at: datetime) -> Interval:
        """The dates as they were known: before a restore, those that it closed."""
        for past in self.past_intervals:
            if known_at < past.restored_at:
                return Interval(
                    valid_at=past.valid_at,
                    created_at=self.interval.created_at,
                    invalid_at=past.invalid_at,
                    invalidated_at=past.invalidated_at,
                    expired_at=past.expired_at,
                )
        return self.interval

    def decision_status(self, at: datetime) -> DecisionStatus | None:
        """Whether a decision stands at `at`: superseded once we know of its end and the end has come; else None."""
        if self.decision is None:
            return None
        ended = self.interval.invalidated_at <= at and self.interval.invalid_at <= at
        return DecisionStatus.SUPERSEDED if ended else DecisionStatus.ACTIVE

    def is_labile(self, at: datetime) -> bool:
        """Whether the window is open in which its content may be refined."""
        return self.labile_until is not None and at < self.labile_until

    def is_current(self, at: datetime) -> bool:
        """Whether the memory is believed at `at` and nothing has taken its place."""
        ends = (self.interval.invalid_at, self.interval.expired_at, self.superseded_at)
        return all(at < end for end in ends)

"""A life as values: what is true when, and everything that is said, decided and asked, in the order of its instants."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.vocabulary import Category
from tests.simulation.people import Acquaintance
from tests.simulation.topics import Telling


class Purpose(StrEnum):
    """Why something is asked."""

    NEED = "need"  # of a topic, because the day calls for it
    GROWING = "growing"  # of a curious fact, at growing gaps
    BURST = "burst"  # of a curious fact, as often, within three hours
    PROBE = "probe"  # by the observer, who uses nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """One value of a topic, and when it held."""

    topic: str
    version: int  # from 0
    text: str
    category: Category
    telling: Telling  # how it took the place of the version before
    valid_at: datetime
    invalid_at: datetime | None = None  # None: it still holds at the end of the life

    @property
    def key(self) -> str:
        return key_of(self.topic, self.version)

    def holds(self, at: datetime) -> bool:
        return self.valid_at <= at and (self.invalid_at is None or at < self.invalid_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a chat."""

    at: datetime
    by_user: bool
    text: str
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A fact that becomes known: a version of a topic, a curious fact, or a pinned rule."""

    at: datetime
    key: str
    text: str
    category: Category
    pinned: bool = False
    replaces: str | None = None  # the key of what no longer holds
    telling: Telling | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A habit that shows once more."""

    at: datetime
    key: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """Somebody is spoken of in a way that says something about them."""

    at: datetime
    person: Acquaintance
    context: str
    sentiment: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision, or what takes the place of one."""

    at: datetime
    domain: str
    topic: str
    version: int
    text: str
    reasoning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question and the topic or curious fact that it is after."""

    at: datetime
    question: str
    about: str
    purpose: Purpose


Happening = Stated | Observed | Met | Decided | Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One chat: its turns, and what comes of it, in order."""

    id: str
    turns: tuple[Turn, ...]
    happenings: tuple[Happening, ...]

    @property
    def starts_at(self) -> datetime:
        return self.turns[0].at

    @property
    def ends_at(self) -> datetime:
        return max(self.turns[-1].at, *(each.at for each in self.happenings), self.turns[-1].at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two curious facts told on one day and asked about equally often: at growing gaps, and in one burst."""

    growing: str
    burst: str
    late: bool  # whether the burst falls on the day of the last question at growing gaps, or on the second day


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Everything that happens between two instants."""

    starts_at: datetime
    ends_at: datetime
    truths: tuple[Truth, ...]
    sessions: tuple[Session, ...]
    pairs: tuple[Pair, ...]

    def turns(self) -> Iterator[Turn]:
        for session in self.sessions:
            yield from session.turns

    def happenings(self) -> Iterator[Happening]:
        for session in self.sessions:
            yield from session.happenings

    def told(self, topic: str, at: datetime) -> list[Truth]:
        """The versions of a topic that had come by then, in order."""
        return [each for each in self.truths if each.topic == topic and each.valid_at <= at]


def key_of(topic: str, version: int) -> str:
    """Names one version of a topic."""
    return f"{topic}/{version}"

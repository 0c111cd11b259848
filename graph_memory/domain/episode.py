"""Episodes: chat sessions with their turns, and how turns find the episode that they belong to.

A turn is one utterance; the last few of a user are the short-term buffer, all of them stay stored. An episode is a run
of turns whose gaps are no longer than the session gap. It is *open* until it is ended, then *due* until it is settled:
summed up, or passed over because it was too short. Only what is summed up counts towards the relationship.

Source: constants.md 1 (chat session) and 2.8 (Short-term, Episode; Agent Friday).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from graph_memory.domain.asked import EpisodeDigest, RelationshipSigns, Tone, Utterance
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.draft import Limits, date_problems, identifier_problems, name_problems
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import NodeId
from graph_memory.errors import InvalidValueError, Problem

TICK = timedelta(microseconds=1)  # turns without a time of their own come one after the other
_TOLERANCE_SECONDS = 1e-9


class Role(StrEnum):
    """Who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRules:
    """The numbers of episodes (settings `curation.*` of the same names)."""

    session_gap_minutes: float = 30.0  # a longer silence ends an episode
    episode_min_seconds: float = 60.0  # a shorter one is not summed up
    episode_min_turns: int = 2  # nor is one with fewer turns
    episode_chars: int = 8_000  # the end of an episode that the analyser sees

    @property
    def gap(self) -> timedelta:
        return timedelta(minutes=self.session_gap_minutes)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDraft:
    """One utterance as the caller gave it."""

    role: str
    content: str
    at: datetime | None = None  # None: now, behind the turn before it
    speaker: str | None = None  # a name, where one is known
    idempotency_key: str | None = None  # a turn with a key that was used before is not stored again


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One utterance as it is stored."""

    id: NodeId
    episode_id: NodeId
    role: Role
    text: str
    occurred_at: datetime
    speaker: str | None = None
    idempotency_key: str | None = None

    def utterance(self) -> Utterance:
        """The turn as a language model is given it."""
        return Utterance(role=self.role.value, text=self.text, at=self.occurred_at, speaker=self.speaker)


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One chat session, without its turns."""

    id: NodeId
    started_at: datetime
    ended_at: datetime = FAR_FUTURE
    last_turn_at: datetime | None = None
    turn_count: int = 0
    due_at: datetime | None = None  # when it is to be ended or settled if nobody does it before; None: settled
    digest: EpisodeDigest | None = None  # None: open, due, or too short to be summed up
    signs: RelationshipSigns | None = None  # what it showed of the relationship; None: not analysed

    @property
    def is_open(self) -> bool:
        return self.ended_at >= FAR_FUTURE

    @property
    def is_recorded(self) -> bool:
        """Whether it was summed up; what is not recorded counts nowhere."""
        return self.digest is not None

    @property
    def active_at(self) -> datetime:
        """The last sign of life."""
        return self.last_turn_at or self.started_at

    @property
    def duration_seconds(self) -> float | None:
        """How long it lasted, at least 0; None while it is open."""
        return None if self.is_open else max(0.0, (self.ended_at - self.started_at).total_seconds())

    @property
    def tone(self) -> Tone | None:
        return self.digest.tone if self.digest else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """What is written of one episode: the episode as it will be, and the turns that come to it."""

    episode: Episode
    turns: tuple[Turn, ...] = ()
    is_new: bool = False
    ends: bool = False


def begun(episode_id: NodeId, started_at: datetime, rules: EpisodeRules) -> Episode:
    """A new, open episode."""
    return Episode(id=episode_id, started_at=started_at, due_at=started_at + rules.gap)


def ended(episode: Episode, ended_at: datetime) -> Episode:
    """The episode, ended and due to be settled at once."""
    return replace(episode, ended_at=ended_at, due_at=ended_at)


def is_left_behind(episode: Episode, at: datetime, rules: EpisodeRules) -> bool:
    """Whether an open episode has been silent for longer than the session gap."""
    return episode.is_open and at - episode.active_at > rules.gap


def is_long_enough(episode: Episode, rules: EpisodeRules) -> bool:
    """Whether an ended episode is summed up: at least so many seconds, and at least so many turns."""
    seconds = episode.duration_seconds or 0.0
    long_enough = seconds >= rules.episode_min_seconds - _TOLERANCE_SECONDS
    return long_enough and episode.turn_count >= rules.episode_min_turns


def appended(
    episode: Episode, drafts: Sequence[TurnDraft], *, at: datetime, new_id: Callable[[], str], rules: EpisodeRules
) -> Segment:
    """The drafts as turns of a named, open episode. Raises InvalidValueError for a turn before the episode's start."""
    turns: list[Turn] = []
    active = episode.active_at
    for draft in drafts:
        said_at = _said_at(draft, at, active if episode.turn_count or turns else None, episode.started_at)
        turns.append(_turn(draft, said_at, episode.id, new_id))
        active = max(active, said_at)
    early = [_too_early(place, episode) for place, turn in enumerate(turns) if turn.occurred_at < episode.started_at]
    if early:
        raise InvalidValueError("turns", early)
    return Segment(episode=_with(episode, turns, rules), turns=tuple(turns))


def told(
    open_episode: Episode | None,
    drafts: Sequence[TurnDraft],
    *,
    at: datetime,
    new_id: Callable[[], str],
    rules: EpisodeRules,
) -> list[Segment]:
    """The drafts as turns of the open episode, if there is one, and of new ones behind each longer silence.

    The episode before a silence ends at its last turn. Raises InvalidValueError for a turn before the open episode.
    """
    segments: list[Segment] = []
    current = Segment(episode=open_episode) if open_episode else None
    for place, draft in enumerate(drafts):
        said_at = _said_at(draft, at, current.episode.active_at if current else None, at)
        if current is None or said_at - current.episode.active_at > rules.gap:
            segments += [_closed(current)] if current else []
            current = Segment(episode=begun(NodeId(new_id()), said_at, rules), is_new=True)
        elif said_at < current.episode.started_at:
            raise InvalidValueError("turns", [_too_early(place, current.episode)])
        turn = _turn(draft, said_at, current.episode.id, new_id)
        current = replace(current, episode=_with(current.episode, [turn], rules), turns=(*current.turns, turn))
    return [*segments, current] if current else segments


def turns_problems(drafts: Sequence[TurnDraft], limits: Limits) -> Iterable[Problem]:
    """What is wrong with turns, apart from their place in time."""
    if not drafts:
        yield Problem("turns", "must not be empty")
    if len(drafts) > limits.rows:
        yield Problem("turns", f"has {len(drafts)} turns; at most {limits.rows} are allowed at once")
        return
    for place, draft in enumerate(drafts):
        for problem in _turn_problems(draft, limits):
            yield Problem(f"turns[{place}].{problem.field}", problem.message)


def _turn_problems(draft: TurnDraft, limits: Limits) -> Iterable[Problem]:
    if role_of(draft.role) is None:
        yield Problem("role", f"is {draft.role!r}; it must be one of {', '.join(role.value for role in Role)}")
    yield from text_problems("content", draft.content, most_characters=limits.text_characters)
    yield from date_problems("at", draft.at)
    yield from name_problems("speaker", (draft.speaker,), limits)
    yield from identifier_problems("idempotency_key", draft.idempotency_key, limits)


def role_of(written: str) -> Role | None:
    """The role that a word names, in any case; None when it names none."""
    folded = written.strip().lower()
    return next((role for role in Role if role.value == folded), None)


def end_of(utterances: Sequence[Utterance], most_characters: int) -> tuple[Utterance, ...]:
    """The last utterances, at most so many characters together; the first of them is cut at its beginning."""
    kept: list[Utterance] = []
    left = most_characters
    for utterance in reversed(utterances):
        if left <= 0:
            break
        kept.append(replace(utterance, text=utterance.text[-left:]))
        left -= len(utterance.text)
    return tuple(reversed(kept))


def without_exchanges(turns: Sequence[Turn], erased: frozenset[NodeId]) -> tuple[Turn, ...]:
    """Turns in order without some of them and without the replies that follow those, up to what the user says next.

    A reply repeats what it replies to, so it goes with it.
    """
    kept: list[Turn] = []
    replying = False
    for turn in turns:
        if turn.id in erased:
            replying = True
        elif replying and turn.role is Role.ASSISTANT:
            continue
        else:
            replying = False
            kept.append(turn)
    return tuple(kept)


def _said_at(draft: TurnDraft, now: datetime, active: datetime | None, earliest: datetime) -> datetime:
    """When a turn was said: as given, else now, but never before the turn ahead of it."""
    if draft.at is not None:
        return draft.at
    return max(now, earliest if active is None else active + TICK)


def _turn(draft: TurnDraft, said_at: datetime, episode_id: NodeId, new_id: Callable[[], str]) -> Turn:
    return Turn(
        id=NodeId(new_id()),
        episode_id=episode_id,
        role=role_of(draft.role) or Role.USER,
        text=draft.content,
        occurred_at=said_at,
        speaker=draft.speaker,
        idempotency_key=draft.idempotency_key,
    )


def _with(episode: Episode, turns: Sequence[Turn], rules: EpisodeRules) -> Episode:
    last = max((turn.occurred_at for turn in turns), default=None)
    latest = episode.last_turn_at if last is None else max(last, episode.last_turn_at or last)
    grown = replace(episode, last_turn_at=latest, turn_count=episode.turn_count + len(turns))
    return replace(grown, due_at=grown.active_at + rules.gap)


def _closed(segment: Segment) -> Segment:
    return replace(segment, episode=ended(segment.episode, segment.episode.active_at), ends=True)


def _too_early(place: int, episode: Episode) -> Problem:
    return Problem(f"turns[{place}].at", f"lies before the start of the episode at {episode.started_at.isoformat()}")

"""Conversations in the format of LoCoMo (Maharana et al. 2024): sessions of dated turns, with questions about them.

One memory a turn. A session has one date, so each turn is dated by it plus its position in the session in seconds:
the order of the turns is kept, and the day and minute stay those of the session. Dates are read as UTC.

What cannot be read is listed with its place and reason; the rest is read.
"""

import json
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.memory import Json
from graph_memory.domain.vocabulary import Kind, Source
from graph_memory.errors import InvalidValueError, Problem

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}  # 5, adversarial, has no evidence

_SESSION = re.compile(r"session_(\d+)")
_TURN_ID = re.compile(r"D:?(\d+):(\d+)")
_DATE = re.compile(r"(\d{1,2}):(\d{2}) ?([ap])m on (\d{1,2}) ([a-z]+),? (\d{4})", re.IGNORECASE)
_MONTHS = "january february march april may june july august september october november december".split()


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of a file that could not be read."""

    place: str
    reason: str
    turns: int = 1  # how many turns were lost with it


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a conversation, with the external ids of the turns that hold its answer."""

    text: str
    category: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation: its turns, in order, and the questions that they answer."""

    id: str
    turns: tuple[MemoryDraft, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class LocomoFile:
    """What a file holds, and what of it could not be read."""

    conversations: tuple[Conversation, ...]
    unread: tuple[Unread, ...]

    @property
    def turns(self) -> int:
        return sum(len(each.turns) for each in self.conversations)


def read_locomo(path: Path) -> LocomoFile:
    """The conversations of a file. Raises InvalidValueError that names the file, the place and the reason."""
    try:
        document: Json = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InvalidValueError(str(path), [Problem("file", f"cannot be read: {error.strerror}")]) from error
    except UnicodeDecodeError as error:
        raise InvalidValueError(str(path), [Problem(f"byte {error.start}", "is no UTF-8")]) from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidValueError(str(path), [Problem(place, f"is no JSON: {error.msg}")]) from error
    return parse_locomo(document, name=str(path))


def parse_locomo(document: Json, *, name: str) -> LocomoFile:
    """The same for a document in hand. Raises InvalidValueError when nothing in it can be read."""
    if not isinstance(document, list):
        raise InvalidValueError(name, [Problem("top level", "must be a list of conversations")])
    reader = _Reader()
    conversations = tuple(reader.conversations(document))
    if reader.unread and not conversations:
        raise InvalidValueError(name, [Problem(each.place, each.reason) for each in reader.unread])
    return LocomoFile(conversations=conversations, unread=tuple(reader.unread))


class _Reader:
    """Reads the conversations of one file and notes what it cannot read."""

    def __init__(self) -> None:
        self.unread: list[Unread] = []
        self._seen: set[str] = set()

    def conversations(self, values: Iterable[Json]) -> Iterable[Conversation]:
        for position, value in enumerate(values):
            try:
                yield self._conversation(value, f"[{position}]")
            except _UnreadableError as found:
                self.unread.append(found.unread)

    def _conversation(self, value: Json, place: str) -> Conversation:
        if not isinstance(value, dict):
            raise _UnreadableError(place, "must be an object with sample_id, conversation and qa", turns=0)
        identifier, sessions = value.get("sample_id"), value.get("conversation")
        if not isinstance(identifier, str) or not identifier.strip():
            raise _UnreadableError(f"{place}.sample_id", "must be a text", turns=_turns_in(sessions))
        if not isinstance(sessions, dict):
            raise _UnreadableError(f"{place}.conversation", "must be an object of sessions", turns=0)
        if identifier in self._seen:
            raise _UnreadableError(f"{place}.sample_id", f"{identifier!r} was there before", turns=_turns_in(sessions))
        self._seen.add(identifier)
        turns = tuple(self._turns(identifier, sessions, f"{place}.conversation"))
        known = {key: each.external_id for each in turns if (key := _turn_key(each.external_id or ""))}
        return Conversation(identifier, turns, tuple(_questions(value.get("qa"), known)))

    def _turns(self, identifier: str, sessions: Mapping[str, Json], place: str) -> Iterable[MemoryDraft]:
        numbers = sorted(int(match[1]) for key in sessions if (match := _SESSION.fullmatch(key)))
        seen: set[str] = set()
        for number in numbers:
            key = f"session_{number}"
            rows = sessions[key]
            began_at = _instant(sessions.get(f"{key}_date_time"))
            if not isinstance(rows, list):
                self.unread.append(Unread(f"{place}.{key}", "must be a list of turns", 0))
            elif began_at is None:
                reason = 'must be a date like "1:56 pm on 8 May, 2023"'
                self.unread.append(Unread(f"{place}.{key}_date_time", reason, len(rows)))
            else:
                yield from self._session(identifier, _Session(key, began_at, tuple(rows)), f"{place}.{key}", seen)

    def _session(self, identifier: str, session: "_Session", place: str, seen: set[str]) -> Iterable[MemoryDraft]:
        for position in range(len(session.rows)):
            try:
                turn = _turn(identifier, session, position, f"{place}[{position}]", seen)
            except _UnreadableError as found:
                self.unread.append(found.unread)
            else:
                seen.add(str(turn.external_id))
                yield turn


@dataclass(frozen=True, slots=True)
class _Session:
    key: str
    began_at: datetime
    rows: tuple[Json, ...]


class _UnreadableError(Exception):
    """Ends the reading of one part."""

    def __init__(self, place: str, reason: str, *, turns: int = 1) -> None:
        self.unread = Unread(place, reason, turns)
        super().__init__(reason)


def _turn(identifier: str, session: _Session, position: int, place: str, seen: Container[str]) -> MemoryDraft:
    """The turn at a position of a session; `seen` holds the external ids that are taken. Raises _UnreadableError."""
    row = session.rows[position]
    if not isinstance(row, dict):
        raise _UnreadableError(place, "must be an object with speaker, dia_id and text")
    turn_id, speaker, text = row.get("dia_id"), row.get("speaker"), _text(row)
    if not isinstance(turn_id, str) or not turn_id.strip():
        raise _UnreadableError(f"{place}.dia_id", "must be a text")
    if f"{identifier}/{turn_id}" in seen:
        raise _UnreadableError(f"{place}.dia_id", f"{turn_id!r} was there before")
    if not isinstance(speaker, str) or not speaker.strip():
        raise _UnreadableError(f"{place}.speaker", "must be a name")
    if not text:
        raise _UnreadableError(f"{place}.text", "is empty, and there is no caption")
    return MemoryDraft(
        text=text,
        kind=Kind.EPISODIC,
        source=Source.IMPORTED,
        speaker=speaker.strip(),
        session_id=f"{identifier}/{session.key}",
        external_id=f"{identifier}/{turn_id}",
        idempotency_key=f"locomo/{identifier}/{turn_id}",
        occurred_at=session.began_at + timedelta(seconds=position),
    )


def _text(row: Mapping[str, Json]) -> str:
    """What was said, with the caption of a shared picture in brackets."""
    text, caption = row.get("text"), row.get("blip_caption")
    said = text.strip() if isinstance(text, str) else ""
    shown = f" [{caption.strip()}]" if isinstance(caption, str) and caption.strip() else ""
    return (said + shown).strip()


def _instant(written: Json) -> datetime | None:
    """The date of a session; None when it is none. Month names are English whatever the machine's language is."""
    match = _DATE.fullmatch(written.strip()) if isinstance(written, str) else None
    if match is None or match[5].lower() not in _MONTHS:
        return None
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    month = _MONTHS.index(match[5].lower()) + 1
    try:
        return datetime(int(match[6]), month, int(match[4]), hour, int(match[2]), tzinfo=UTC)
    except ValueError:
        return None


def _questions(rows: Json, known: Mapping[tuple[int, int], str | None]) -> Iterable[Question]:
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, dict) or not isinstance(row.get("question"), str):
            continue
        category, evidence = row.get("category"), tuple(_evidence(row.get("evidence"), known))
        if isinstance(category, int) and category in CATEGORIES and evidence:
            yield Question(str(row["question"]), CATEGORIES[category], evidence)


def _evidence(written: Json, known: Mapping[tuple[int, int], str | None]) -> Iterable[str]:
    """The external ids of the turns named; several may stand in one text, and unknown ones are dropped."""
    texts = [each for each in written if isinstance(each, str)] if isinstance(written, list) else []
    keys = [(int(match[1]), int(match[2])) for text in texts for match in _TURN_ID.finditer(text)]
    return [found for key in dict.fromkeys(keys) if (found := known.get(key))]


def _turn_key(external_id: str) -> tuple[int, int] | None:
    match = _TURN_ID.fullmatch(external_id.rpartition("/")[2])
    return (int(match[1]), int(match[2])) if match else None


def _turns_in(sessions: Json) -> int:
    rows = sessions.values() if isinstance(sessions, dict) else ()
    return sum(len(each) for each in rows if isinstance(each, list))

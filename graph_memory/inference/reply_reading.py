"""Reads the parts of a reply: every value is checked for its type, and a bad item costs itself alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from graph_memory.domain.loose_json import json_values
from graph_memory.domain.text import is_blank

T = TypeVar("T")
Word = TypeVar("Word", bound=StrEnum)
Item = Mapping[str, Any]


class UnreadableReplyError(Exception):
    """A reply, or an item in it, is not what was asked for; the text says what is missing."""


def reply_of(text: str, known: Sequence[str], main: str | None) -> Item:
    """What a reply says under the names that are known.

    Objects in a row are taken together: their lists are joined, of anything else the first counts. A list without a
    name, and an object that is an item of it, belong to the `main` list.

    Raises: UnreadableReplyError where none of it is there.
    """
    parts = list(_named(json_values(text), known, main))
    if not parts:
        raise UnreadableReplyError(f"it holds no JSON object with {', '.join(known)}")
    joined: dict[str, Any] = {}
    for name, value in (pair for part in parts for pair in part.items()):
        both_lists = isinstance(value, list) and isinstance(joined.get(name), list)
        joined[name] = joined[name] + value if both_lists else joined.get(name, value)
    return joined


def _named(values: Iterable[Any], known: Sequence[str], main: str | None) -> Iterable[Item]:
    for value in values:
        if isinstance(value, dict) and not value.keys().isdisjoint(known):
            yield value
        elif main is None and isinstance(value, list):
            yield from _named(value, known, None)
        elif main is not None and isinstance(value, dict) and value:
            yield {main: [value]}
        elif main is not None and value and all(isinstance(each, dict | str) for each in value):
            yield {main: value}


def items(reply: Item, name: str, read: Callable[[Item], T]) -> tuple[tuple[T, ...], int]:
    """The readable items of a list, and how many were not."""
    listed = reply.get(name) or []
    if not isinstance(listed, list):
        raise UnreadableReplyError(f"{name} is no list")
    kept = []
    for each in listed:
        try:
            kept.append(read(each if isinstance(each, Mapping) else {"text": each}))
        except UnreadableReplyError:
            continue
    return tuple(kept), len(listed) - len(kept)


def texts(item: Item, name: str) -> tuple[str, ...]:
    """The texts of a list; what is no text is left out."""
    listed = item.get(name) or []
    return tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()


def text(item: Item, name: str = "text") -> str:
    """A text. Raises UnreadableReplyError where there is none."""
    if (found := optional_text(item, name)) is None:
        raise UnreadableReplyError(f"it has no {name}")
    return found


def optional_text(item: Item, name: str) -> str | None:
    """A text, or None."""
    found = item.get(name)
    return found.strip() if isinstance(found, str) and not is_blank(found) else None


def number(item: Item, name: str, otherwise: float | None = None) -> float:
    """A number, also one that was written as text. Raises UnreadableReplyError where there is none."""
    found = item.get(name, otherwise)
    try:
        if isinstance(found, bool) or found is None:
            raise ValueError
        return float(found)
    except (TypeError, ValueError, OverflowError):
        raise UnreadableReplyError(f"{name} is no number") from None


def place(item: Item, name: str, among: Sequence[T]) -> T:
    """The one whose number an item names. Raises UnreadableReplyError where there is none of that number."""
    found = number(item, name)
    if not (found.is_integer() and 0 <= found < len(among)):
        raise UnreadableReplyError(f"{name} names none of those given")
    return among[int(found)]


def yes(item: Item, name: str) -> bool:
    """Whether it says yes, and nothing else."""
    return item.get(name) is True


def word(item: Item, name: str, words: type[Word], otherwise: Word | None = None) -> Word:
    """One of a closed set of words, in any case; another word is `otherwise`, or an UnreadableReplyError."""
    found = str(item.get(name) or "").strip().casefold()
    for each in words:
        if each.value.casefold() == found:
            return each
    if otherwise is None:
        raise UnreadableReplyError(f"{name} is none of {', '.join(words)}")
    return otherwise

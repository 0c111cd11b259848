"""JSON out of a reply that holds more or less than JSON.

A model asked for JSON may put a sentence before it, a fence around it, a comma too many into it, or two objects one
after the other. Whatever can be read without guessing is read; nothing is invented.

Source: cases.md 30.
"""

import json
import re
from typing import Any

# A quoted string, kept as it is, or a comma with nothing after it but the end of an object or a list.
_STRING_OR_LAST_COMMA = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])')
_OPENING = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder()
_MOST_ATTEMPTS = 200  # places at which a value might begin; prose full of brackets is not searched for ever


def json_values(text: str) -> list[Any]:
    """The objects and lists of JSON that stand in `text`, in order; those inside another are part of it."""
    values: list[Any] = []
    rest = text
    for _ in range(_MOST_ATTEMPTS):
        opening = _OPENING.search(rest)
        if opening is None:
            break
        rest = rest[opening.start() :]
        found = _first_value(rest) or _first_value(_without_last_commas(rest))
        if found is None:
            rest = rest[1:]
        else:
            value, rest = found
            values.append(value)
    return values


def _first_value(text: str) -> tuple[Any, str] | None:
    """The value that `text` begins with, and what follows it."""
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value, text[end:]


def _without_last_commas(text: str) -> str:
    return _STRING_OR_LAST_COMMA.sub(lambda found: found.group() if found.group() != "," else "", text)

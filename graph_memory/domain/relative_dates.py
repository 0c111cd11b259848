"""Days that a text names, in English and Spanish, seen from the instant at which it was said.

A mention is a span of calendar days in the speaker's zone, first to last day. What could be meant in two ways gives
nothing: a wrong date is worse than none. The rules where a language leaves room:

- A week is Monday to Sunday. The unit gives the width: "three days ago" is a day, "two weeks ago" the week around that
  day, "a month ago" a calendar month, "two years ago" a calendar year. "The last three days" run from three days ago up
  to today.
- "Last Thursday" is the latest Thursday before today. "This Thursday" is the first from today on, in a clause of the
  past the latest up to today. English "next Thursday" and "next weekend" give nothing while this week's is still to
  come, since people disagree which one is meant; Spanish "el próximo jueves" is the first after today.
- A weekday without "last" or "next" needs a hint that it is a date ("on Sunday", "el domingo", "Sunday morning", the end
  of a clause) and a clause that shows its tense: the past gives the latest before today, the future the first after.
- A month or a day without a year is the latest that has begun in a clause of the past, the first that has not ended in
  one of the future, else the one nearest to today; a tie goes to the past.
- "In three days" in a clause of the past is a duration and gives nothing; so do vague numbers ("a few days ago"),
  recurring days ("every Sunday", "on Mondays") and days counted from elsewhere ("three days later").
- "5/8/2023" is read only where day and month cannot be taken for each other; dates with dots have the day first.

Each rule runs only when a text holds one of its trigger words, so that a text without dates costs one pass.

Source: cases.md 11; constants.md 2.5 (the date that a query names).
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import Enum, IntEnum

from graph_memory.errors import InvalidValueError, Problem

type_Span = tuple[date, date]  # first and last day, both included


@dataclass(frozen=True, slots=True)
class DateMention:
    """Words from character `start` up to but not including `end` that name the days from first to last, both included."""

    text: str
    start: int
    end: int
    first_day: date
    last_day: date

    def covers(self, day: date) -> bool:
        """Whether `day` is one of the days named."""
        return self.first_day <= day <= self.last_day


def date_mentions(text: str, at: datetime, *, zone: tzinfo = UTC) -> list[DateMention]:
    """The days that `text` names, from left to right, without overlaps.

    Args:
        at: the instant at which the text was said or asked, with an offset.
        zone: whose calendar "today" is read in.

    Raises: InvalidValueError when `at` has no offset.
    """
    if at.tzinfo is None:
        raise InvalidValueError("date_mentions", [Problem("at", "has no offset from UTC")])
    present = set(_WORD.findall(_folded(text)))
    rules = [rule for rule in _RULES if not rule.triggers.isdisjoint(present) or (rule.by_digits and _DIGIT.search(text))]
    if not rules:
        return []
    view = _View(text, at.astimezone(zone))
    found = [(match, rule.resolve) for rule in rules for match in rule.pattern.finditer(text)]
    mentions = (_mention(view, match, resolve) for match, resolve in _longest_apart(found))
    return [mention for mention in mentions if mention]

"""How often something was observed, and in how many chat sessions: the evidence that an observation gathers.

Source: constants.md 2.8 (Agent Friday).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """When something was observed first and last, how often, and in how many chat sessions."""

    occurrences: int = 1
    session_count: int = 1
    first_at: datetime
    last_at: datetime

    @classmethod
    def once(cls, at: datetime) -> Self:
        """Observed a first time."""
        return cls(first_at=at, last_at=at)

    @property
    def span(self) -> timedelta:
        """From the first time to the last."""
        return self.last_at - self.first_at

    def again(self, at: datetime, *, session_gap: timedelta) -> Self:
        """Observed once more; in another chat session if more than `session_gap` has passed since the last time.

        An observation told late counts as one more, and moves no date back.
        """
        return replace(
            self,
            occurrences=self.occurrences + 1,
            session_count=self.session_count + (at - self.last_at > session_gap),
            last_at=max(self.last_at, at),
        )

    def joined(self, other: "Observed") -> "Observed":
        """What was observed of two statements that turn out to be one. Sessions may be the same: the most stands."""
        return Observed(
            occurrences=self.occurrences + other.occurrences,
            session_count=max(self.session_count, other.session_count),
            first_at=min(self.first_at, other.first_at),
            last_at=max(self.last_at, other.last_at),
        )

"""What the core asks of the ledger of model calls, and of who can say what a call would cost."""

from datetime import date
from typing import Any, Protocol

from graph_memory.domain.asked import Question
from graph_memory.domain.model_usage import BookedUse, UsageReport, Use
from graph_memory.domain.vocabulary import UserId


class ModelLedger(Protocol):
    """Keeps what language models were used for: one row for each user, day (of UTC), question and model."""

    async def book(self, booked: BookedUse) -> None:
        """Adds a use to its row."""

    async def report(self, user_id: UserId, *, since: date | None = None) -> UsageReport:
        """What one user's questions used from a day on, that day included; None: ever."""

    async def used_by_all(self, day: date) -> Use:
        """What all users together used on a day; tells nothing of any one of them."""


class CallEstimates(Protocol):
    """Says beforehand what questions would cost."""

    def estimate(self, question: Question, *given: Any, **known: Any) -> Use:
        """The most that a question would use, if it were asked with this; nothing where rules answer it."""

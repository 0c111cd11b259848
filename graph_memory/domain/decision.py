"""Entries of the decision ledger (constants.md 2.6)."""

from dataclasses import dataclass
from enum import StrEnum

from graph_memory.domain.identity import name_key


class Outcome(StrEnum):
    """What came of a decision."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    REVERSED = "reversed"
    ABANDONED = "abandoned"


class DecisionStatus(StrEnum):
    """Whether a decision stands."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a decision has beside its text."""

    domain: str
    topic_key: str
    reasoning: str | None = None
    outcome: Outcome = Outcome.PENDING

    @property
    def head_key(self) -> str:
        """What only one current decision of a user may hold."""
        return head_key(self.domain, self.topic_key)


def topic_key(topic: str) -> str:
    """The folded form in which topics and domains are compared."""
    return name_key(topic)


def head_key(domain: str, topic: str) -> str:
    """One text for a domain and a topic, both folded."""
    return f"{topic_key(domain)}\x1f{topic_key(topic)}"

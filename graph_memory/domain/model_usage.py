"""What calls of a language model cost, and when a day's budget is spent. Money is in dollars, a day is one of UTC."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Self

from graph_memory.domain.asked import Question
from graph_memory.domain.vocabulary import UserId

_MILLION = 1_000_000
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Tokens of one call or many, as a service counts them: what was read anew, and from and into its cache apart."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def read(self) -> int:
        """All that went in."""
        return self.input + self.cache_read + self.cache_write

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            input=self.input + other.input,
            output=self.output + other.output,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrice:
    """What a million tokens of a model cost."""

    input: float
    output: float
    cache_read: float
    cache_write: float

    def of(self, tokens: Tokens) -> float:
        """The cost of these tokens."""
        return (
            tokens.input * self.input
            + tokens.output * self.output
            + tokens.cache_read * self.cache_read
            + tokens.cache_write * self.cache_write
        ) / _MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What was used: calls that were answered, calls that were not, tokens, and what they cost."""

    calls: int = 0
    failures: int = 0
    tokens: Tokens = field(default_factory=Tokens)
    cost: float = 0.0

    def __add__(self, other: "Use") -> "Use":
        return Use(
            calls=self.calls + other.calls,
            failures=self.failures + other.failures,
            tokens=self.tokens + other.tokens,
            cost=self.cost + other.cost,
        )

    @classmethod
    def sum(cls, uses: Iterable["Use"]) -> "Use":
        """All of them together."""
        return sum(uses, cls())


def together(*uses: Mapping[Question, Use]) -> dict[Question, Use]:
    """Uses by question, all of them together, in the order of the questions."""
    return {
        question: Use.sum(each.get(question, Use()) for each in uses)
        for question in Question
        if any(question in each for each in uses)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedUse:
    """A use as the ledger takes it: whose, on which day, for what, of which model."""

    user_id: UserId
    day: date
    question: Question
    model: str
    use: Use


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReport:
    """What one user's questions used, in all and by question."""

    total: Use
    by_question: Mapping[Question, Use]

    @classmethod
    def of(cls, by_question: Mapping[Question, Use]) -> Self:
        return cls(total=Use.sum(by_question.values()), by_question=dict(by_question))


@dataclass(frozen=True, slots=True, kw_only=True)
class DayBudget:
    """What a day may cost, for all users together and for one (settings `model.day_*`)."""

    cost: float
    calls: int
    user_cost: float
    user_calls: int

    def refusal(self, *, everyone: Use, user: Use, next_cost: float) -> str | None:
        """Why a further call that may cost `next_cost` is not to be made; None: there is room for it.

        Args:
            everyone: used today by all users together, calls under way included.
            user: the same of the one who asks.
        """
        for whose, used, cost, calls in (
            ("the day's", everyone, self.cost, self.calls),
            ("the user's", user, self.user_cost, self.user_calls),
        ):
            if used.cost + next_cost > cost + _TOLERANCE:
                return f"{whose} budget of {cost:g} dollars for a language model is spent"
            if used.calls + used.failures + 1 > calls:
                return f"{whose} budget of {calls} calls of a language model is spent"
        return None

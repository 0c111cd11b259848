"""Promotion: when an observation has gathered enough evidence to be an established fact.

Source: constants.md 2.7, step 1 (Agent Friday); vector V36.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from graph_memory.domain.observed import Observed
from graph_memory.domain.vocabulary import Category

_TOLERANCE = 1e-9
_CATEGORIES = {
    Category.PREFERENCE: Category.PREFERENCE,
    Category.PATTERN: Category.PREFERENCE,
    Category.CONTEXT: Category.PROFESSIONAL,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionRules:
    """The weights of the score, what it must reach, and what must hold beside it (settings `sleep.promote_*`)."""

    score: float = 10.0
    occurrences: int = 3
    sessions: int = 1  # 2 keeps out what one chat alone repeats
    occurrence_weight: float = 2.0
    occurrences_counted: int = 10
    session_weight: float = 2.0
    sessions_counted: int = 5
    long_span_days: float = 7.0
    long_span_bonus: float = 5.0
    span_days: float = 3.0
    span_bonus: float = 3.0
    sure_confidence: float = 0.9
    sure_bonus: float = 3.0
    long_idle_days: float = 14.0
    long_idle_penalty: float = 5.0
    idle_days: float = 7.0
    idle_penalty: float = 2.0
    time_scale: float = 1.0  # how much faster than the clock time passes

    def score_of(self, observed: Observed, *, confidence: float, at: datetime) -> float:
        """How much speaks for an observation at `at`: often, in many sessions, over a long time, sure, and lately.

        2·min(occurrences, 10) + 2·min(sessions, 5) + span + sureness - idleness, in -1..38 by the defaults. A span
        counts from its number of days on, idleness only beyond it. Time ahead of `at` counts as none.

        Args:
            confidence: of the observation, 0..1; sums of tenths count as the tenth they mean.
        """
        return (
            self.occurrence_weight * min(observed.occurrences, self.occurrences_counted)
            + self.session_weight * min(observed.session_count, self.sessions_counted)
            + self._for_span(observed.span * self.time_scale)
            + (self.sure_bonus if confidence >= self.sure_confidence - _TOLERANCE else 0.0)
            - self._for_idleness((at - observed.last_at) * self.time_scale)
        )

    def promotes(self, observed: Observed, *, confidence: float, at: datetime) -> bool:
        """Whether the observation is to become an established fact."""
        enough = observed.occurrences >= self.occurrences and observed.session_count >= self.sessions
        return enough and self.score_of(observed, confidence=confidence, at=at) >= self.score - _TOLERANCE

    def _for_span(self, span: timedelta) -> float:
        if span >= timedelta(days=self.long_span_days):
            return self.long_span_bonus
        return self.span_bonus if span >= timedelta(days=self.span_days) else 0.0

    def _for_idleness(self, idle: timedelta) -> float:
        if idle > timedelta(days=self.long_idle_days):
            return self.long_idle_penalty
        return self.idle_penalty if idle > timedelta(days=self.idle_days) else 0.0


def promoted_category(category: Category) -> Category:
    """What an observation's category becomes with its promotion."""
    return _CATEGORIES.get(category, Category.IDENTITY)

"""Base-level activation: how ready a memory is, from the log of its uses, and the dates of its states.

B = ln( sum over stamps of e·t^(-d) ), t in hours. The creation stamp counts e, the encoding factor, any other 1.
A state is left at the instant at which B falls below its threshold; these instants are stored as dates.

Source: constants.md 2.2 (Mnemosyne; Anderson and Schooler 1991, Petrov 2006); the dates: operations.md, Time.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import exp, log

from graph_memory.domain.decay import FAR_FUTURE, after_hours, hours_between
from graph_memory.domain.vocabulary import State


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationFacts:
    """The access log of a memory: the creation stamp first, then the newest uses, oldest first."""

    stamps: tuple[datetime, ...]
    encoding_factor: float = 1.0  # e = 1 + 0.5·arousal, fixed when the emotion is tagged
    decay: float = 0.5  # d_eff = d(1 - 0.4·arousal)


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDates:
    """When a memory leaves each state."""

    dream_at: datetime
    forgotten_at: datetime
    archive_at: datetime

    def state(self, at: datetime) -> State:
        """The state at `at`."""
        if at >= self.archive_at:
            return State.ARCHIVE
        if at >= self.forgotten_at:
            return State.FORGOTTEN
        return State.DREAM if at >= self.dream_at else State.CORE

    @property
    def decreed(self) -> bool:
        """Whether they were set to one instant by a deliberate act (negation) instead of solved from the uses."""
        return self.dream_at == self.archive_at < FAR_FUTURE


def all_at(instant: datetime) -> StateDates:
    """Every date at one instant: now for what was negated, the far future for what is pinned."""
    return StateDates(dream_at=instant, forgotten_at=instant, archive_at=instant)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationCurve:
    """The numbers of activation (settings `decay.*`) and what follows from them."""

    min_age_hours: float
    theta_dream: float
    theta_forgotten: float
    theta_archive: float
    time_scale: float = 1.0

    def base_level(self, facts: ActivationFacts, at: datetime) -> float:
        """B at `at`, without boost and noise."""
        creation, *uses = (self._term(stamp, at, facts.decay) for stamp in facts.stamps)
        return log(facts.encoding_factor * creation + sum(uses))

    def state_dates(self, facts: ActivationFacts, *, pinned: bool = False) -> StateDates:
        """The instants at which B falls below each threshold; the far future when pinned."""
        if pinned:
            return all_at(FAR_FUTURE)
        return StateDates(
            dream_at=self._falls_below(self.theta_dream, facts),
            forgotten_at=self._falls_below(self.theta_forgotten, facts),
            archive_at=self._falls_below(self.theta_archive, facts),
        )

    def _falls_below(self, theta: float, facts: ActivationFacts) -> datetime:
        """Closed for one stamp; else bisected to a minute between the two closed bounds around it."""
        newest = max(facts.stamps)
        if len(facts.stamps) == 1:
            return self._one_stamp(theta, newest, facts.encoding_factor, facts.decay)
        newest_weight = facts.encoding_factor if newest == facts.stamps[0] else 1.0
        low = self._one_stamp(theta, newest, newest_weight, facts.decay)
        high = self._one_stamp(theta, newest, facts.encoding_factor + len(facts.stamps) - 1, facts.decay)
        while high - low > timedelta(minutes=1) / self.time_scale:
            middle = low + (high - low) / 2
            low, high = (middle, high) if self.base_level(facts, middle) >= theta else (low, middle)
        return high

    def _term(self, stamp: datetime, at: datetime, decay: float) -> float:
        age = hours_between(stamp, at, time_scale=self.time_scale)
        return float(max(self.min_age_hours, age) ** -decay)

    def _one_stamp(self, theta: float, stamp: datetime, weight: float, decay: float) -> datetime:
        return after_hours(stamp, (weight * exp(-theta)) ** (1.0 / decay), time_scale=self.time_scale)

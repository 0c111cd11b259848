"""How one memory gives way to another: what changes of the older one, in one step.

A `supersede` says that the world changed; a conflict also weakens the older memory and the belief in it. Nothing is
removed. Source: constants.md 2.6, operations.md (supersede, restore).
"""

from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory.domain.activation import all_at
from graph_memory.domain.confidence import ConfidenceRules, Evidence
from graph_memory.domain.contradiction import Conflict, PenaltyRules, closing
from graph_memory.domain.decay import StrengthCurve
from graph_memory.domain.decision import Outcome
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Category, State


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessionRules:
    """The curve and the prices that a succession is reckoned with."""

    strength: StrengthCurve
    penalty: PenaltyRules
    confidence: ConfidenceRules

    def superseded(self, old: Memory, *, invalid_at: datetime, at: datetime) -> Memory:
        """The older memory when the world has changed: ended there, kept here."""
        interval = replace(old.interval, invalid_at=invalid_at, invalidated_at=at)
        return replace(old, interval=interval, superseded_at=at)

    def contradicted(
        self,
        old: Memory,
        *,
        by: Category,
        conflict: Conflict,
        valid_at: datetime,
        at: datetime,
        arousal: float = 0.0,
    ) -> Memory:
        """The older memory when the newer one, of category `by`, excludes it (`replace`) or denies it (`negate`)."""
        ends = closing(conflict, valid_at=valid_at, at=at)
        beta = self.penalty.beta(self.strength.strength(old.strength, at), by)
        strength = replace(old.strength, base_strength=old.strength.base_strength * beta)
        evidence = Evidence.CONTRADICT if conflict is Conflict.NEGATE else Evidence.WEAKEN
        ended = self.superseded(old, invalid_at=ends.invalid_at, at=at)
        return replace(
            ended,
            interval=replace(ended.interval, expired_at=min(old.interval.expired_at, ends.expired_at)),
            strength=strength,
            visible_until=self.strength.visible_until(strength),
            confidence=self.confidence.moved(old.confidence, evidence, arousal=arousal),
            states=all_at(at) if ends.archived else old.states,
            state=State.ARCHIVE if ends.archived else old.state,
        )


def reversed_outcome(decision_holder: Memory) -> Memory:
    """The older decision when the newer one takes it back."""
    if decision_holder.decision is None:
        return decision_holder
    return replace(decision_holder, decision=replace(decision_holder.decision, outcome=Outcome.REVERSED))

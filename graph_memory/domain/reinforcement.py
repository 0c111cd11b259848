"""What use does to a memory: one access event, the suppression of its competitors, the tag of its emotion.

Each takes a memory and an instant and gives the memory as it then is. Source: constants.md 2.1 to 2.3 and 2.9
(Agenternal, agent-memory-skill; Anderson, Bjork and Bjork 1994; Nader, Schafe and LeDoux 2000; McGaugh 2004).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import exp

from graph_memory.domain.activation import ActivationCurve, ActivationFacts, StateDates
from graph_memory.domain.bounds import within_one
from graph_memory.domain.decay import StrengthCurve, StrengthFacts, hours_between
from graph_memory.domain.memory import Emotion, Memory
from graph_memory.domain.tiers import TierProfile, tier
from graph_memory.domain.vocabulary import Kind, State, Tier

_TOLERANCE = 1e-9  # thresholds are compared with it (constants.md section 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRules:
    """The numbers of an access event (settings `decay.*`, `curation.*`)."""

    boost_max: float = 0.15
    boost_tau_hours: float = 24.0
    spacing_gap_hours: float = 12.0
    stamp_merge_seconds: float = 60.0
    max_stamps: int = 50
    labile_hours: float = 6.0
    confidence_delta: float = 0.0
    confidence_gap_hours: float = 24.0
    suppression_factor: float = 0.97
    suppression_interval_hours: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArousalRules:
    """What arousal does to activation (settings `salience.*`, `decay.activation_decay`)."""

    activation_decay: float = 0.5
    decay_gain: float = 0.4
    encoding_gain: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforcement:
    """The laws of use, with their curves."""

    strength: StrengthCurve
    activation: ActivationCurve
    rules: AccessRules
    arousal: ArousalRules

    def boost(self, strength: float, idle_hours: float) -> float:
        """Alpha, what an access adds to a strength of 0..2: less to what is strong, less to what was just used."""
        rest = 1.0 - exp(-idle_hours / self.rules.boost_tau_hours)
        return self.rules.boost_max * (1.0 - strength / self.strength.maximum) * rest

    def accessed(self, memory: Memory, at: datetime, *, profile: TierProfile) -> Memory:
        """The memory after one use at `at`; unchanged when that is no event of its own.

        A use within a minute of the last one belongs to it; one before the last one comes too late to count.
        """
        if not self._is_event(memory, at):
            return memory
        strength = self._strengthened(memory, at)
        facts = self._stamped(memory.activation, at)
        return replace(
            memory,
            strength=strength,
            visible_until=self.strength.visible_until(strength),
            activation=facts,
            access_count=memory.access_count + 1,
            first_access_at=memory.first_access_at or at,
            last_accessed_at=at,
            state=memory.state if memory.states.decreed else State.CORE,
            states=self._states(memory, facts),
            touched_at=graduated_touch(memory.touched_at, at, profile=profile, pinned=memory.pinned),
            labile_since=memory.labile_since if memory.is_labile(at) else at,
            labile_until=self._labile_until(memory, at),
            confidence=self._believed(memory, at),
        )

    def tagged(self, memory: Memory, emotion: Emotion) -> Memory:
        """The memory with its emotion, which slows its decay and raises its first stamp from now on."""
        strength = replace(memory.strength, arousal=emotion.arousal)
        facts = replace(
            memory.activation,
            decay=self._decay(emotion),
            encoding_factor=1.0 + self.arousal.encoding_gain * emotion.arousal,
        )
        return replace(
            memory,
            emotion=emotion,
            strength=strength,
            activation=facts,
            visible_until=self.strength.visible_until(strength),
            states=self._states(memory, facts),
        )

    def pinned(self, memory: Memory, pinned: bool) -> Memory:
        """The memory with its pin set or taken off; what it would be without the pin was kept all along."""
        turned = replace(memory, strength=replace(memory.strength, pinned=pinned))
        return replace(
            turned,
            visible_until=self.strength.visible_until(turned.strength),
            states=self._states(turned, turned.activation),
        )

    def redated(self, memory: Memory) -> Memory:
        """The memory with the dates that these curves give.

        Its encoding factor stays too: it was fixed when the emotion was tagged.
        """
        facts = replace(memory.activation, decay=self._decay(memory.emotion))
        return replace(
            memory,
            activation=facts,
            visible_until=self.strength.visible_until(memory.strength),
            states=self._states(memory, facts),
        )

    def weakened(self, memory: Memory, factor: float) -> Memory:
        """The memory with its base strength multiplied; its anchor stays (penalties, suppression, fading)."""
        strength = replace(memory.strength, base_strength=memory.strength.base_strength * factor)
        return replace(memory, strength=strength, visible_until=self.strength.visible_until(strength))

    def suppressed(self, memory: Memory, at: datetime) -> Memory:
        """The memory after it lost against another in a recall; unchanged when exempt or suppressed of late.

        Exempt: schemas, what is pinned, hidden, archived, ended, expired or superseded.
        """
        recently = memory.last_suppressed_at is not None and (
            hours_between(memory.last_suppressed_at, at, time_scale=self.strength.time_scale)
            < self.rules.suppression_interval_hours - _TOLERANCE
        )
        if recently or self._is_exempt(memory, at):
            return memory
        return replace(self.weakened(memory, self.rules.suppression_factor), last_suppressed_at=at)

    def _decay(self, emotion: Emotion) -> float:
        """d_eff, slower the more arousal there was."""
        return self.arousal.activation_decay * (1.0 - self.arousal.decay_gain * emotion.arousal)

    def _states(self, memory: Memory, facts: ActivationFacts) -> StateDates:
        """The state dates that a log of uses gives; what was negated stays in the archive until it is restored."""
        if memory.states.decreed:
            return memory.states
        return self.activation.state_dates(facts, pinned=memory.pinned)

    def _is_exempt(self, memory: Memory, at: datetime) -> bool:
        return (
            memory.kind is Kind.SCHEMA
            or memory.pinned
            or memory.visible_until <= at
            or memory.states.state(at) is State.ARCHIVE
            or not memory.is_current(at)
        )

    def _is_event(self, memory: Memory, at: datetime) -> bool:
        if memory.last_accessed_at is None:
            return at >= memory.interval.created_at
        return at - memory.last_accessed_at >= timedelta(seconds=self.rules.stamp_merge_seconds)

    def _idle_hours(self, memory: Memory, at: datetime) -> float:
        since = memory.last_accessed_at or memory.interval.created_at
        return hours_between(since, at, time_scale=self.strength.time_scale)

    def _strengthened(self, memory: Memory, at: datetime) -> StrengthFacts:
        now, idle = self.strength.strength(memory.strength, at), self._idle_hours(memory, at)
        spaced = idle >= self.rules.spacing_gap_hours - _TOLERANCE
        return replace(
            memory.strength,
            base_strength=min(self.strength.maximum, now + self.boost(now, idle)),
            anchor_at=at,
            spaced_access_count=memory.strength.spaced_access_count + spaced,
        )

    def _labile_until(self, memory: Memory, at: datetime) -> datetime:
        fresh = at + timedelta(hours=self.rules.labile_hours / self.strength.time_scale)
        return max(fresh, memory.labile_until) if memory.labile_until else fresh

    def _believed(self, memory: Memory, at: datetime) -> float:
        if self._idle_hours(memory, at) < self.rules.confidence_gap_hours:
            return memory.confidence
        return within_one(memory.confidence + self.rules.confidence_delta)

    def _stamped(self, facts: ActivationFacts, at: datetime) -> ActivationFacts:
        """The log with one more use: the creation stamp and the newest others."""
        creation, *uses = facts.stamps
        return replace(facts, stamps=(creation, *[*uses, at][-(self.rules.max_stamps - 1) :]))


def graduated_touch(touched_at: datetime, at: datetime, *, profile: TierProfile, pinned: bool = False) -> datetime:
    """The touch date that a use at `at` gives: back-dated, so that a memory climbs one tier and no more."""
    ages = {
        Tier.ARCHIVE: (profile.warm_days + profile.cold_days) // 2,
        Tier.COLD: (profile.active_days + profile.warm_days) // 2,
        Tier.WARM: profile.active_days // 2,
        Tier.ACTIVE: 0,
    }
    standing = tier(touched_at, at, profile=profile)
    days = 0 if pinned or standing is None else ages[standing]
    return at - timedelta(days=days) / profile.time_scale

"""Confidence: how much a memory is believed. It moves on evidence only; neither time nor use moves it.

Source: constants.md 2.9, confidence (Mnemosyne; weaken from the literature, the rest ours); bands: 2.1.
"""

from dataclasses import dataclass
from enum import StrEnum

from graph_memory.domain.bounds import within_one

_TOLERANCE = 1e-9


class Evidence(StrEnum):
    """What moves confidence. A member's value is also the action of the Change that records it."""

    CONFIRM = "confirm"  # the user said so, or an observation was made again
    RE_EXPOSURE = "re_exposure"  # told again
    ACCESS = "access"  # used, at most once a day
    ENRICH = "enrich"  # told again, with more
    WEAKEN = "weaken"  # doubted, or replaced by a newer value
    CONTRADICT = "contradict"  # denied


class Conviction(StrEnum):
    """Confidence in words."""

    VERY_STRONG = "very_strong"
    STRONG = "strong"
    MODERATE = "moderate"
    WEAK = "weak"
    VERY_WEAK = "very_weak"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceRules:
    """How far each kind of evidence moves confidence (settings `curation.delta_*`), and how arousal raises that."""

    confirm: float = 0.10
    re_exposure: float = 0.05
    access: float = 0.0  # use is not evidence
    enrich: float = 0.05
    weaken: float = -0.15
    contradict: float = -0.30
    arousal_gain: float = 0.5  # salience.arousal_confidence_gain

    def delta(self, evidence: Evidence, *, arousal: float = 0.0) -> float:
        """How far `evidence` moves confidence where there is room: its setting times 1 + g·a.

        Args:
            arousal: a, of the utterance that is the evidence, 0..1 (clamped); 0 if unknown.
        """
        settings = {
            Evidence.CONFIRM: self.confirm,
            Evidence.RE_EXPOSURE: self.re_exposure,
            Evidence.ACCESS: self.access,
            Evidence.ENRICH: self.enrich,
            Evidence.WEAKEN: self.weaken,
            Evidence.CONTRADICT: self.contradict,
        }
        return settings[evidence] * (1.0 + self.arousal_gain * within_one(arousal))

    def moved(self, confidence: float, evidence: Evidence, *, arousal: float = 0.0) -> float:
        """Confidence after `evidence`, in 0..1."""
        return within_one(confidence + self.delta(evidence, arousal=arousal))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvictionBands:
    """From which confidence on each word is used."""

    very_strong: float = 0.9
    strong: float = 0.7
    moderate: float = 0.5
    weak: float = 0.3

    def conviction(self, confidence: float) -> Conviction:
        """The word for `confidence`; sums of tenths count as the tenth they mean."""
        bands = (
            (self.very_strong, Conviction.VERY_STRONG),
            (self.strong, Conviction.STRONG),
            (self.moderate, Conviction.MODERATE),
            (self.weak, Conviction.WEAK),
        )
        return next((word for least, word in bands if confidence >= least - _TOLERANCE), Conviction.VERY_WEAK)

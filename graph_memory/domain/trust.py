"""How far a person is trusted: four dimensions and expertise by domain, from weighted pieces of evidence.

Every fifth piece all dimensions are computed anew from the evidence kept; between, a piece moves its dimension by a
step. Trust that is not used fades a little; the fading is computed when trust is read and never stored.

The sign of a piece is that of its type where the type has an opposite (a broken promise lowers reliability, whatever
the feeling in the words); for emotional support and for expertise, which have none, it is the sign of the impact.

Source: constants.md 2.8, Person trust.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from math import fsum

from graph_memory.domain.bounds import within_one
from graph_memory.domain.people import Evidence, EvidenceType, PersonRules, days_between, domain_key

_TOLERANCE = 1e-9

# Which dimension a type speaks of, and whether for or against it.
_PAIRS = {
    EvidenceType.PROMISE_KEPT: ("reliability", 1),
    EvidenceType.PROMISE_BROKEN: ("reliability", -1),
    EvidenceType.ACCURATE_INFO: ("information", 1),
    EvidenceType.INACCURATE_INFO: ("information", -1),
    EvidenceType.HELPFUL_ACTION: ("timeliness", 1),
    EvidenceType.UNHELPFUL_ACTION: ("timeliness", -1),
}


class TrustLabel(StrEnum):
    """Overall trust in words."""

    VERY_HIGH = "very high"
    HIGH = "high"
    MODERATE = "moderate"
    DEVELOPING = "developing"
    LOW = "low"
    VERY_LOW = "very low"


class Trend(StrEnum):
    """Which way the last feelings point."""

    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """The dimensions of trust in one person, each 0..1; expertise by folded domain."""

    reliability: float = 0.5
    emotional: float = 0.5
    timeliness: float = 0.5
    information: float = 0.5
    expertise: Mapping[str, float] = field(default_factory=dict)

    def overall(self, rules: PersonRules) -> float:
        """The weighted mean of the dimensions, 0..1; without any expertise that dimension stays at the start."""
        known = self.expertise.values()
        mean_expertise = fsum(known) / len(known) if known else rules.start_trust
        return (
            rules.weight_reliability * self.reliability
            + rules.weight_emotional * self.emotional
            + rules.weight_timeliness * self.timeliness
            + rules.weight_information * self.information
            + rules.weight_expertise * mean_expertise
        )


def fresh_trust(rules: PersonRules) -> Trust:
    """Trust in a person of whom nothing is known."""
    start = rules.start_trust
    return Trust(reliability=start, emotional=start, timeliness=start, information=start)


def evidence_weight(piece: Evidence, at: datetime, rules: PersonRules) -> float:
    """How much a piece counts at `at`: halved with every half-life, never nothing. 0.5^(age / 30 d)·max(0.1, |i|)."""
    return _recency(piece, at, rules) * max(rules.least_impact, abs(piece.impact))


def trust_from(evidence: Iterable[Evidence], at: datetime, rules: PersonRules) -> Trust:
    """All dimensions computed anew from the evidence kept; the order of the pieces does not matter."""
    weighed = [(piece, evidence_weight(piece, at, rules)) for piece in evidence]
    pairs = {name: _share_for(weighed, name, rules) for name in ("reliability", "information", "timeliness")}
    return Trust(emotional=_emotional(weighed, rules), expertise=_expertise(weighed), **pairs)


def trust_moved(trust: Trust, piece: Evidence, rules: PersonRules) -> Trust:
    """Trust after one more piece, without computing it anew: a step of 0.15·impact in the dimensions it speaks of."""
    moved: dict[str, float] = {}
    if piece.type in _PAIRS:
        name, sign = _PAIRS[piece.type]
        moved[name] = within_one(getattr(trust, name) + sign * rules.step * abs(piece.impact))
    if piece.type is EvidenceType.EMOTIONAL_SUPPORT:
        moved["emotional"] = within_one(trust.emotional + rules.step * piece.impact)
    expertise = dict(trust.expertise)
    for domain in _domains(piece):
        expertise[domain] = within_one(expertise.get(domain, rules.start_trust) + rules.step * piece.impact)
    return replace(trust, expertise=expertise, **moved)


def trust_after(
    trust: Trust, piece: Evidence, *, kept: Sequence[Evidence], pieces_seen: int, at: datetime, rules: PersonRules
) -> Trust:
    """Trust after a new piece of evidence.

    Args:
        trust: as it is stored, without the fading of reads.
        piece: the new one.
        kept: the evidence kept, the new piece among it.
        pieces_seen: how many pieces there ever were, the new one counted.
        at: now.
        rules: the numbers.
    """
    if pieces_seen % rules.recompute_every == 0:
        return trust_from(kept, at, rules)
    return trust_moved(trust, piece, rules)


def trust_read(trust: Trust, *, last_seen_at: datetime, at: datetime, rules: PersonRules) -> Trust:
    """Trust as it is at `at`: every dimension faded by the days without an interaction."""
    days = days_between(last_seen_at, at)
    return Trust(
        reliability=faded(trust.reliability, days, rules),
        emotional=faded(trust.emotional, days, rules),
        timeliness=faded(trust.timeliness, days, rules),
        information=faded(trust.information, days, rules),
        expertise={domain: faded(value, days, rules) for domain, value in trust.expertise.items()},
    )


def faded(value: float, idle_days: float, rules: PersonRules) -> float:
    """max(0.3, v·(1 - 0.001·days)) after more than a day; what is at the floor or below does not move."""
    if idle_days <= rules.decay_after_days or value <= rules.decay_floor:
        return value
    return max(rules.decay_floor, value * (1.0 - rules.decay_per_day * idle_days))


def trust_label(overall: float, rules: PersonRules) -> TrustLabel:
    """Overall trust in words."""
    bounds = (
        (rules.label_very_high, TrustLabel.VERY_HIGH),
        (rules.label_high, TrustLabel.HIGH),
        (rules.label_moderate, TrustLabel.MODERATE),
        (rules.label_developing, TrustLabel.DEVELOPING),
        (rules.label_low, TrustLabel.LOW),
    )
    return next((label for bound, label in bounds if overall >= bound - _TOLERANCE), TrustLabel.VERY_LOW)


def sentiment_trend(sentiments: Sequence[float], rules: PersonRules) -> Trend | None:
    """Which way the last five feelings point, oldest first; None with fewer than three."""
    last = sentiments[-rules.trend_last :]
    if len(last) < rules.trend_least:
        return None
    mean = fsum(last) / len(last)
    if abs(mean) <= rules.trend_beyond + _TOLERANCE:
        return Trend.NEUTRAL
    return Trend.POSITIVE if mean > 0 else Trend.NEGATIVE


_Weighed = Sequence[tuple[Evidence, float]]


def _recency(piece: Evidence, at: datetime, rules: PersonRules) -> float:
    return float(0.5 ** (days_between(piece.at, at) / rules.evidence_half_life_days))


def _share_for(weighed: _Weighed, dimension: str, rules: PersonRules) -> float:
    """Of the weight that speaks of a dimension, the share that speaks for it."""
    told = [(_PAIRS[piece.type][1], weight) for piece, weight in weighed if _speaks_of(piece, dimension)]
    total = fsum(weight for _, weight in told)
    return fsum(weight for sign, weight in told if sign > 0) / total if total else rules.start_trust


def _speaks_of(piece: Evidence, dimension: str) -> bool:
    return piece.type in _PAIRS and _PAIRS[piece.type][0] == dimension


def _emotional(weighed: _Weighed, rules: PersonRules) -> float:
    """(Weighted mean of the signs + 1) / 2; an impact of 0 has sign 0."""
    told = [(piece.impact, weight) for piece, weight in weighed if piece.type is EvidenceType.EMOTIONAL_SUPPORT]
    total = fsum(weight for _, weight in told)
    if not total:
        return rules.start_trust
    return within_one((fsum(_sign(impact) * weight for impact, weight in told) / total + 1.0) / 2.0)


def _expertise(weighed: _Weighed) -> dict[str, float]:
    """For each domain, the share of the weight whose impact is above 0."""
    by_domain: dict[str, list[tuple[float, float]]] = {}
    for piece, weight in weighed:
        for domain in _domains(piece):
            by_domain.setdefault(domain, []).append((piece.impact, weight))
    return {domain: _positive_share(told) for domain, told in sorted(by_domain.items())}


def _positive_share(told: Sequence[tuple[float, float]]) -> float:
    total = fsum(weight for _, weight in told)  # 0 only when a weight has faded below the smallest float
    return fsum(weight for impact, weight in told if impact > 0) / total if total else 0.0


def _domains(piece: Evidence) -> list[str]:
    return sorted({key for domain in piece.domains if (key := domain_key(domain))})


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)

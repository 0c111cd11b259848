"""Which people, and how much about each, is kept and shown.

Source: constants.md 2.8, Person trust: the caps, the prompt list, the queries.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import exp

from graph_memory.domain.people import Communication, Evidence, PersonRules, days_between, domain_key
from graph_memory.domain.trust import Trust, trust_read
from graph_memory.domain.vocabulary import NodeId


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPerson:
    """What the lists need of a person. `trust` is as stored, without the fading of reads."""

    id: NodeId
    name: str
    trust: Trust
    interactions: int
    last_seen_at: datetime

    def trust_at(self, at: datetime, rules: PersonRules) -> Trust:
        return trust_read(self.trust, last_seen_at=self.last_seen_at, at=at, rules=rules)


def keeping_score(piece: Evidence, at: datetime, rules: PersonRules) -> float:
    """Which evidence stays under the cap: 0.7·0.5^(age / 30 d) + 0.3·|impact|, 0..1."""
    recency = 0.5 ** (days_between(piece.at, at) / rules.evidence_half_life_days)
    return float(rules.keep_recency * recency + rules.keep_impact * abs(piece.impact))


def evidence_kept(evidence: Iterable[Evidence], at: datetime, rules: PersonRules) -> list[Evidence]:
    """The evidence to keep, oldest first: 90 days of it, at most 50 pieces; the 5 strongest stay always."""
    strongest, others = _split(evidence, _strength, rules.evidence_always)
    young = [piece for piece in others if days_between(piece.at, at) <= rules.evidence_days]
    best, _ = _split(
        young, lambda piece: (keeping_score(piece, at, rules), piece.at), rules.most_evidence - len(strongest)
    )
    return sorted([*strongest, *best], key=lambda piece: piece.at)


def strongest_evidence(evidence: Iterable[Evidence], rules: PersonRules) -> list[Evidence]:
    """The pieces shown with a person: largest impact first, then the newest."""
    return sorted(evidence, key=_strength, reverse=True)[: rules.view_evidence]


def communications_kept(communications: Iterable[Communication], rules: PersonRules) -> list[Communication]:
    """The newest communications, oldest first."""
    return sorted(communications, key=lambda each: each.at)[-rules.most_communications :]


def sentiments_kept(sentiments: Sequence[float], new: float, rules: PersonRules) -> list[float]:
    """The last feelings, oldest first, after a new one; 0 tells nothing and is not stored."""
    return [*sentiments, *([new] if new else [])][-rules.most_sentiments :]


def people_listed(people: Iterable[KnownPerson], rules: PersonRules) -> list[KnownPerson]:
    """The people in the list: over the cap those with the fewest interactions, then the longest unseen, go out."""
    return sorted(people, key=lambda person: (person.interactions, person.last_seen_at), reverse=True)[
        : rules.most_people
    ]


def prompt_score(person: KnownPerson, at: datetime, rules: PersonRules) -> float:
    """How much an agent should be told of a person: seen lately, trusted or distrusted, often dealt with. 0..0.85."""
    recency = exp(-days_between(person.last_seen_at, at) / rules.prompt_recency_days)
    conviction = abs(person.trust_at(at, rules).overall(rules) - rules.start_trust)
    use = min(person.interactions / rules.prompt_full_use, 1.0)
    return rules.prompt_recency * recency + rules.prompt_trust * conviction + rules.prompt_use * use


def prompt_list(people: Iterable[KnownPerson], at: datetime, rules: PersonRules) -> list[KnownPerson]:
    """The people to put into a prompt, best first."""
    return _best(people, lambda person: prompt_score(person, at, rules), rules.prompt_most)


def most_trusted(people: Iterable[KnownPerson], at: datetime, rules: PersonRules) -> list[KnownPerson]:
    """The people trusted most at `at`."""
    return _best(people, lambda person: person.trust_at(at, rules).overall(rules), rules.listed)


def most_recent(people: Iterable[KnownPerson], rules: PersonRules) -> list[KnownPerson]:
    """The people seen last."""
    return sorted(people, key=lambda person: (person.last_seen_at, person.id), reverse=True)[: rules.listed]


def by_domain(people: Iterable[KnownPerson], domain: str, at: datetime, rules: PersonRules) -> list[KnownPerson]:
    """The people with evidence in a domain, the most expert first."""
    key = domain_key(domain)
    experts = [person for person in people if key in person.trust.expertise]
    return _best(experts, lambda person: person.trust_at(at, rules).expertise[key], len(experts))


def shown_expertise(trust: Trust, rules: PersonRules) -> list[tuple[str, float]]:
    """The domains shown with a person, the strongest first."""
    return sorted(trust.expertise.items(), key=lambda pair: (-pair[1], pair[0]))[: rules.view_expertises]


def _strength(piece: Evidence) -> tuple[float, datetime]:
    return abs(piece.impact), piece.at


def _split(
    evidence: Iterable[Evidence], rank: Callable[[Evidence], tuple[float, datetime]], count: int
) -> tuple[list[Evidence], list[Evidence]]:
    ranked = sorted(evidence, key=rank, reverse=True)
    return ranked[: max(0, count)], ranked[max(0, count) :]


def _best(people: Iterable[KnownPerson], score: Callable[[KnownPerson], float], count: int) -> list[KnownPerson]:
    return sorted(people, key=lambda person: (-score(person), person.id))[:count]

"""What a conversation says that is worth keeping, found by rules, without a model.

Only who speaks for themselves states anything: the user, or a third person by name; what an assistant says is its own
guess. A question, a supposition, another's words in quotation marks and small talk state nothing. A statement is kept
as it was said, letter for letter, in the language of its message; in English and Spanish the rules know forms of words
that tell what lasts, in other languages they say nothing. What the text of a fact leaves open, who speaks and when, is
known from its message.

Source: constants.md 2.1, 2.8 and 2.10; cases.md groups D and I.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, tzinfo
from typing import Any, TypeVar

from graph_memory.domain.asked import Extraction, PersonMention, StatedDecision, StatedFact, Utterance
from graph_memory.domain.claim_forms import REASONED, Claim, ClaimKind, claim_in
from graph_memory.domain.clauses import Clause, clauses_of
from graph_memory.domain.draft import is_user
from graph_memory.domain.identity import name_key
from graph_memory.domain.life_domains import domains_of
from graph_memory.domain.person_mentions import is_self, persons_in, shown_by
from graph_memory.domain.relative_dates import DateMention, date_mentions
from graph_memory.domain.sentiment import sentiment
from graph_memory.domain.text import normalised

Stated = TypeVar("Stated", StatedFact, StatedDecision)

MACHINES = frozenset({"assistant", "agent", "ai", "bot", "model", "system", "developer", "tool", "function"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionRules:
    """The bounds of what one message can give (settings `curation.extract_*`)."""

    most_characters: int = 500  # of one statement
    most_items: int = 20  # of each sort, from one message
    most_domains: int = 3


def extract_by_rules(
    utterances: Sequence[Utterance],
    *,
    zone: tzinfo = UTC,
    rules: ExtractionRules | None = None,
) -> Extraction:
    """What the messages say of lasting things: facts, habits, decisions, and persons.

    Args:
        utterances: the messages, oldest first; each is read with its own time and speaker.
        zone: whose calendar the days are read in that a text names.
    """
    rules = rules or ExtractionRules()
    found = Extraction()
    for place, utterance in enumerate(utterances):
        if speaks_for_itself(utterance):
            found = _joined(found, _of_message(place, utterance, own_names(utterances), zone, rules))
    return _each_once(found)


def speaks_for_itself(utterance: Utterance) -> bool:
    """Whether what a message says is said by a person of themselves, and not guessed by a machine."""
    return name_key(utterance.role) not in MACHINES


def voice_of(utterance: Utterance) -> str | None:
    """Who speaks, as a memory keeps it: None is the user."""
    if utterance.speaker and not is_user(utterance.speaker):
        return utterance.speaker
    return None if is_user(utterance.role) else utterance.role


def own_names(utterances: Iterable[Utterance]) -> frozenset[str]:
    """The names that the user goes by in these messages."""
    return frozenset(each.speaker for each in utterances if each.speaker and is_user(each.role))


def of_utterance(found: Extraction, place: int) -> Extraction:
    """What one of the messages says, as if it were the only one."""

    def own(items: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(replace(each, utterance=0) for each in items if each.utterance == place)

    return Extraction(
        facts=own(found.facts),
        observations=own(found.observations),
        decisions=own(found.decisions),
        persons=own(found.persons),
    )


def day_named(text: str, at: datetime, *, zone: tzinfo = UTC) -> datetime | None:
    """The beginning of the first day that `text` names, seen from the instant `at` at which it was said."""
    mentions = date_mentions(text, at, zone=zone)
    return _beginning(mentions[0], zone) if mentions else None


def once_a_message(stated: Iterable[Stated]) -> tuple[Stated, ...]:
    """The first of those that one message says in the same words."""
    kept: dict[tuple[int, str], Stated] = {}
    for each in stated:
        kept.setdefault((each.utterance, normalised(each.text)), each)
    return tuple(kept.values())


def _of_message(
    place: int, utterance: Utterance, own: frozenset[str], zone: tzinfo, rules: ExtractionRules
) -> Extraction:
    facts: list[StatedFact] = []
    observations: list[StatedFact] = []
    decisions: list[StatedDecision] = []
    persons: list[PersonMention] = []
    speakers = own | ({utterance.speaker} if utterance.speaker else set())
    for clause in _claiming(utterance.text, rules):
        persons += _persons(clause, place, speakers, rules)
        named = date_mentions(clause.text, utterance.at, zone=zone)
        claim = claim_in(clause.text, is_dated=bool(named))
        if claim is None:
            continue
        if claim.kind is ClaimKind.DECISION:
            decisions.append(_decision(clause.text, place))
        else:
            (observations if claim.kind is ClaimKind.OBSERVATION else facts).append(
                _fact(clause.text, claim, place, named, zone)
            )
    most = rules.most_items
    return Extraction(
        facts=tuple(facts[:most]),
        observations=tuple(observations[:most]),
        decisions=tuple(decisions[:most]),
        persons=tuple(persons[:most]),
    )


def _claiming(text: str, rules: ExtractionRules) -> Iterator[Clause]:
    return (each for each in clauses_of(text) if each.claims and len(each.text) <= rules.most_characters)


def _fact(text: str, claim: Claim, place: int, named: Sequence[DateMention], zone: tzinfo) -> StatedFact:
    day = _beginning(named[0], zone) if named else None
    return StatedFact(text=text, category=claim.category, utterance=place, occurred_at=day)


def _decision(text: str, place: int) -> StatedDecision:
    """What was decided, and why where a "because" says so."""
    domain = next(iter(domains_of(text)), None)
    reason = REASONED.search(text)
    if reason is None:
        return StatedDecision(text=text, utterance=place, domain=domain)
    reasoning = text[reason.end() :].strip(" ,;:")
    return StatedDecision(
        text=text[: reason.start()].rstrip(" ,;:"), utterance=place, reasoning=reasoning or None, domain=domain
    )


def _persons(clause: Clause, place: int, speakers: frozenset[str], rules: ExtractionRules) -> Iterator[PersonMention]:
    names = [name for name in persons_in(clause.text) if not is_self(name, speakers)]
    if not names:
        return
    kind, felt = shown_by(clause.text, sentiment(clause.text))
    for name in names:
        yield PersonMention(
            name=name,
            utterance=place,
            context=clause.text,
            sentiment=felt,
            domains=domains_of(clause.text, most=rules.most_domains),
            evidence_type=kind.value,
        )


def _beginning(mention: DateMention, zone: tzinfo) -> datetime:
    return datetime.combine(mention.first_day, time.min, tzinfo=zone).astimezone(UTC)


def _joined(first: Extraction, second: Extraction) -> Extraction:
    return Extraction(
        facts=first.facts + second.facts,
        observations=first.observations + second.observations,
        decisions=first.decisions + second.decisions,
        persons=first.persons + second.persons,
    )


def _each_once(found: Extraction) -> Extraction:
    """The same without repeats: what one message says twice is said once."""
    return Extraction(
        facts=once_a_message(found.facts),
        observations=once_a_message(found.observations),
        decisions=once_a_message(found.decisions),
        persons=tuple(dict.fromkeys(found.persons)),
    )

"""Judgements on bare texts by the rules of curation: what a new statement is to known ones, without a model.

Nothing but the texts and their cosines is given, so subjects and speakers count as equal and the new statement as
later; whoever acts on the answer holds it to the memories' own subjects, speakers and dates.

Source: constants.md 2.3, 2.6, 2.9 (without a model).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from graph_memory.domain.asked import (
    ContradictionProposal,
    CurationProposal,
    RefinementProposal,
    RefinementVerdict,
)
from graph_memory.domain.asked import Statement as Given
from graph_memory.domain.contradiction import same_attribute
from graph_memory.domain.curation import Candidate, CurationRules, Update, Verdict, curate, judge
from graph_memory.domain.statement import Statement, read
from graph_memory.domain.vocabulary import DEFAULT_BUCKET, WriteOperation

_EARLIER = datetime(1970, 1, 1, tzinfo=UTC)
_LATER = _EARLIER + timedelta(seconds=1)


def curated_by_rules(
    text: str, candidates: Sequence[Given], cosines: Sequence[float], rules: CurationRules
) -> CurationProposal:
    """What a new statement is to the known ones; `cosines` are those between it and each of them."""
    olds = [Candidate(_known(each.text), cosine) for each, cosine in zip(candidates, cosines, strict=True)]
    verdict, closest = curate(_new(text), olds, rules)
    target = next((given.id for given, old in zip(candidates, olds, strict=True) if old is closest), None)
    return CurationProposal(
        operation=verdict.operation,
        replacing=verdict.update is Update.REPLACING,
        target_id=None if verdict.operation is WriteOperation.ADD else target,
        text=text if verdict.update is Update.ENRICHING else None,
        reason=verdict.reason,
    )


def contradicted_by_rules(
    newer: str, candidates: Sequence[Given], cosines: Sequence[float], rules: CurationRules
) -> tuple[ContradictionProposal, ...]:
    """The candidates that a newer statement excludes."""
    judged = (
        (given, judge(_new(newer), _known(given.text), cosine, rules))
        for given, cosine in zip(candidates, cosines, strict=True)
    )
    return tuple(_conflicts(newer, judged, rules))


def refined_by_rules(known: str, said: str, cosine: float, rules: CurationRules) -> RefinementProposal:
    """What a new turn makes of a labile memory."""
    verdict = judge(_new(said), _known(known), cosine, rules)
    if verdict.update is Update.ENRICHING:
        return RefinementProposal(verdict=RefinementVerdict.REFINE, text=said, reason=verdict.reason)
    if verdict.conflict:
        return RefinementProposal(verdict=RefinementVerdict.CONTRADICT, reason=verdict.reason)
    return RefinementProposal(verdict=RefinementVerdict.UNRELATED, reason=verdict.reason)


def _conflicts(
    newer: str, judged: Iterable[tuple[Given, Verdict]], rules: CurationRules
) -> Iterable[ContradictionProposal]:
    for given, verdict in judged:
        if verdict.conflict is not None:
            alike = same_attribute(read(newer, rules.wording), read(given.text, rules.wording))
            yield ContradictionProposal(
                id=given.id,
                conflicts=alike,
                same_subject=alike,
                same_attribute=alike,
                conflict=verdict.conflict,
                reason=verdict.reason,
            )


def _known(text: str) -> Statement:
    return Statement(text=text, bucket=DEFAULT_BUCKET, valid_at=_EARLIER, created_at=_EARLIER)


def _new(text: str) -> Statement:
    return replace(_known(text), valid_at=_LATER, created_at=_LATER)

"""Curation before writing, by rules: is this known already, richer, a newer value, a denial, or simply new?

The rules need no model. They never lose what is new: in doubt both statements stay.

Source: constants.md 2.9 (Mnemosyne; duplicates: Agent Friday), operations.md, curation; cases.md group G.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from graph_memory.domain.contradiction import (
    Conflict,
    Side,
    changes_number,
    denies,
    same_attribute,
    says_no_more,
    turns_to_opposite,
    winner,
)
from graph_memory.domain.statement import Reading, Statement, Wording, jaccard, read
from graph_memory.domain.text import normalised
from graph_memory.domain.vocabulary import Kind, WriteOperation

_TOLERANCE = 1e-9


class Update(StrEnum):
    """What an UPDATE does with the old text."""

    ENRICHING = "enriching"
    REPLACING = "replacing"


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationRules:
    """The numbers and words of curation (settings `curation.*`)."""

    jaccard: float = 0.8
    merge_cosine: float = 0.85
    same_cosine: float = 0.95
    # A repeat may not swap or add a word. Without this, close enough is the same, and a changed word can be lost.
    lossless_repeats: bool = True
    wording: Wording = field(default_factory=Wording)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An old statement that may be the same as, or stand against, the new one."""

    statement: Statement
    cosine: float  # to the new one, -1..1


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What to do with a new statement beside one old one, and why.

    With a `conflict`, `winner` tells which statement stays; without a winner both stay and are only linked. The
    operation is DELETE or UPDATE replacing only where the new statement wins.
    """

    operation: WriteOperation
    reason: str
    update: Update | None = None
    conflict: Conflict | None = None
    winner: Side | None = None


class Likeness(StrEnum):
    """What the duplicate check finds."""

    NONE = "none"
    OPPOSITE = "opposite"
    SUBJECT = "subject"
    DUPLICATE = "duplicate"


def likeness(new: Reading, old: Reading, cosine: float, rules: CurationRules) -> Likeness:
    """The duplicate check: polarity, then shared tokens, then meaning; texts without content are like nothing."""
    shared = jaccard(new.tokens, old.tokens)
    if not (new.tokens and old.tokens) or not _is_close(shared, cosine, rules):
        return Likeness.NONE
    if new.denies_unlike(old):
        return Likeness.OPPOSITE
    same = _reaches(shared, rules.jaccard) or _reaches(cosine, rules.same_cosine)
    return Likeness.DUPLICATE if same else Likeness.SUBJECT


def judge(new: Statement, old: Statement, cosine: float, rules: CurationRules) -> Verdict:
    """What the rules make of `new` beside `old`.

    An episodic memory is a repeat or it is new. Otherwise a pair that is not like enough is new; opposite polarity
    denies; another number, date or opposite replaces; what says no more is known; what says more enriches.

    Args:
        cosine: between the embeddings of the two texts, -1..1.
    """
    if Kind.EPISODIC in (new.kind, old.kind):
        return _judge_episode(new, old)
    if new.kind is not old.kind:
        return _added("of another kind")
    return _judge_reading(new, old, read(new.text, rules.wording), cosine, rules)


def curate(new: Statement, candidates: Iterable[Candidate], rules: CurationRules) -> tuple[Verdict, Candidate | None]:
    """The verdict of the closest candidate that is anything to the new statement; ADD beside none."""
    for candidate in sorted(candidates, key=lambda each: -each.cosine):
        verdict = judge(new, candidate.statement, candidate.cosine, rules)
        if verdict.operation is not WriteOperation.ADD or verdict.conflict:
            return verdict, candidate
    return _added("like nothing known"), None


def _judge_episode(new: Statement, old: Statement) -> Verdict:
    same_event = new.kind is old.kind and new.occurred_at == old.occurred_at and new.same_speaker(old)
    if same_event and normalised(new.text) == normalised(old.text):
        return _known("the same words, speaker and time")
    return _added("episodes are never changed")


def _judge_reading(new: Statement, old: Statement, reading: Reading, cosine: float, rules: CurationRules) -> Verdict:
    known = read(old.text, rules.wording)
    one_voice = new.same_speaker(old) or not (reading.speaks_of_self or known.speaks_of_self)
    if one_voice and reading.words == known.words and normalised(new.text) == normalised(old.text):
        return _known("the same words")
    found = likeness(reading, known, cosine, rules)
    if found is Likeness.NONE:
        return _added("not like enough")
    if conflict := _conflict(reading, known, found):
        return _judge_conflict(conflict, new, old, reading, known)
    if found is Likeness.OPPOSITE or not one_voice:
        return _added("opposite polarity, but no denial" if one_voice else "another speaker's own words")
    if found is Likeness.DUPLICATE and _repeats(reading, known, rules):
        return _known("a duplicate")
    if new.bucket == old.bucket and _enriches(reading, known, rules):
        return Verdict(operation=WriteOperation.UPDATE, update=Update.ENRICHING, reason="says the same and more")
    return _added("says something else")


def _conflict(new: Reading, old: Reading, found: Likeness) -> Conflict | None:
    if found is Likeness.OPPOSITE:
        return Conflict.NEGATE if denies(new, old) else None
    return Conflict.REPLACE if changes_number(new, old) or turns_to_opposite(new, old) else None


def _judge_conflict(conflict: Conflict, new: Statement, old: Statement, reading: Reading, known: Reading) -> Verdict:
    """Without a model a conflict takes the very same subjects and speaker (operations.md)."""
    if new.subjects != old.subjects or not new.same_speaker(old) or not same_attribute(reading, known):
        return _added(f"would {conflict}, but of another subject or attribute")
    stays = winner(new, old)
    if stays is not Side.NEW:
        return Verdict(
            operation=WriteOperation.ADD, conflict=conflict, winner=stays, reason="conflicts, but is not newer"
        )
    if conflict is Conflict.NEGATE:
        return Verdict(operation=WriteOperation.DELETE, conflict=conflict, winner=stays, reason="opposite polarity")
    return Verdict(
        operation=WriteOperation.UPDATE,
        update=Update.REPLACING,
        conflict=conflict,
        winner=stays,
        reason="another value of the same attribute",
    )


def _repeats(new: Reading, old: Reading, rules: CurationRules) -> bool:
    return not rules.lossless_repeats or (new.denials == old.denials and says_no_more(new, old))


def _enriches(new: Reading, old: Reading, rules: CurationRules) -> bool:
    if not old.tokens <= new.tokens:
        return False
    return not rules.lossless_repeats or (new.denials == old.denials and says_no_more(old, new))


def _is_close(shared: float, cosine: float, rules: CurationRules) -> bool:
    return _reaches(shared, rules.jaccard) or _reaches(cosine, rules.merge_cosine)


def _reaches(value: float, threshold: float) -> bool:
    return value >= threshold - _TOLERANCE


def _added(reason: str) -> Verdict:
    return Verdict(operation=WriteOperation.ADD, reason=reason)


def _known(reason: str) -> Verdict:
    return Verdict(operation=WriteOperation.NONE, reason=reason)

"""Merging: when equivalent facts become one, and in which words.

A merge never loses a word. One of two facts must say, in order, all that the other says; and the text of the merge must
say all that each part says, and nothing that no part says; a part that it does not cover stays by itself. So facts on
different things stay apart however near their vectors are, and merging ends: each merge leaves one statement fewer.

Source: constants.md 2.7, step 2 (Agent Friday; what may be merged is ours); cases.md 25.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce

from graph_memory.domain.asked import Statement as Given
from graph_memory.domain.contradiction import says_no_more
from graph_memory.domain.curation import CurationRules, Likeness, likeness
from graph_memory.domain.memory import Memory
from graph_memory.domain.observed import Observed
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.statement import Reading, Statement, Wording, jaccard, read
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import Kind, MemoryId, Source, State
from graph_memory.domain.word_forms import WordForms, is_number, number

_TOLERANCE = 1e-9
_ALIKE = frozenset((Likeness.SUBJECT, Likeness.DUPLICATE))


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRules:
    """The bounds of a merge (settings `sleep.merge_*`, `sleep.max_sources`)."""

    least: int = 3  # below so many long memories nothing is merged
    neighbours: int = 5  # most that go into one at a time
    min_chars: int = 5  # a text of so many characters or fewer is refused
    max_chars: int = 500  # the same of a longer one, unless a part said it in these words
    max_sources: int = 20  # memories that the merged one may be distilled from


def may_merge(first: Statement, other: Statement, cosine: float, rules: CurationRules) -> bool:
    """Whether two facts say one thing: near, of one voice and subject, and one of them says all that the other says."""
    if not (first.kind is other.kind is Kind.SEMANTIC and first.bucket == other.bucket):
        return False
    ours, theirs = read(first.text, rules.wording), read(other.text, rules.wording)
    one_voice = first.same_speaker(other) or not (ours.speaks_of_self or theirs.speaks_of_self)
    if not one_voice or first.subjects != other.subjects or not _agree(ours, theirs):
        return False
    if likeness(ours, theirs, cosine, rules) not in _ALIKE:
        return False
    return says_no_more(ours, theirs) or says_no_more(theirs, ours)


def may_be_reworded(first: str, other: str, rules: CurationRules) -> bool:
    """Whether two facts are so alike that a text which neither of them has may stand for both.

    Two that both say more than a third may say it of different things: only a word or so may come to what it says.
    """
    shared = jaccard(read(first, rules.wording).tokens, read(other, rules.wording).tokens)
    return shared >= rules.jaccard - _TOLERANCE


def covered(text: str, parts: Sequence[str], rules: MergeRules, wording: Wording) -> tuple[bool, ...]:
    """Which of the parts a merged text takes in; none where the text is refused: too short, too long, or with words
    that no part says.
    """
    if not _is_sound(text, parts, rules):
        return (False,) * len(parts)
    merged, told = read(text, wording), [read(part, wording) for part in parts]
    said = WordForms(word for part in told for word in part.words)
    if not all(word in said for word in merged.tokens):
        return (False,) * len(parts)
    return tuple(_agree(merged, part) and says_no_more(part, merged) for part in told)


def merged_by_rules(statements: Sequence[Given]) -> str:
    """The text, of those given, that says all of the first and of most of the others; of equals the first."""
    texts, rules = [each.text for each in statements], MergeRules()
    taken_in = {text: covered(text, texts, rules, Wording()) for text in texts}
    return max(texts, key=lambda text: (taken_in[text][0], sum(taken_in[text])))


def first_of(memory: Memory) -> tuple[bool, datetime, MemoryId]:
    """Sorts first the memory of a group that keeps its id: what is pinned, then what was told first."""
    return not memory.pinned, memory.interval.created_at, memory.id


def merged(first: Memory, others: Sequence[Memory], text: str, *, laws: Reinforcement) -> Memory:
    """The first memory when the others have gone into it.

    It has the best of each, so that it is nowhere harder to find than any of them was: the largest base strength, the
    latest anchor and touch, the most spaced uses, all their stamps, the surest belief; it holds from the earliest day.
    """
    members = (first, *others)
    strength = replace(
        first.strength,
        base_strength=max(each.strength.base_strength for each in members),
        anchor_at=max(each.strength.anchor_at for each in members),
        spaced_access_count=max(each.strength.spaced_access_count for each in members),
    )
    activation = replace(first.activation, stamps=_stamps(members, laws.rules.max_stamps))
    return replace(
        first,
        text=text,
        source=next((each.source for each in members if each.text == text), Source.CONSOLIDATED),
        confirmed=any(each.confirmed for each in members),
        confidence=max(each.confidence for each in members),
        strength=strength,
        visible_until=laws.strength.visible_until(strength),
        activation=activation,
        states=laws.activation.state_dates(activation, pinned=first.pinned),
        state=min((each.state for each in members), key=list(State).index),
        access_count=sum(each.access_count for each in members),
        first_access_at=min((each.first_access_at for each in members if each.first_access_at), default=None),
        last_accessed_at=max((each.last_accessed_at for each in members if each.last_accessed_at), default=None),
        touched_at=max(each.touched_at for each in members),
        interval=replace(first.interval, valid_at=min(each.interval.valid_at for each in members)),
        observed=reduce(Observed.joined, (each.evidence for each in members)),
        tags=tuple(dict.fromkeys(tag for each in members for tag in each.tags)),
    )


def _stamps(members: Sequence[Memory], most: int) -> tuple[datetime, ...]:
    """One log of all their uses: the first creation, and the newest others, each instant once."""
    creation, *uses = sorted({stamp for each in members for stamp in each.activation.stamps})
    return (creation, *uses[-(most - 1) :])


def _is_sound(text: str, parts: Sequence[str], rules: MergeRules) -> bool:
    if text_problems("text", text, most_characters=len(text)) or len(text.strip()) <= rules.min_chars:
        return False
    return len(text) <= rules.max_chars or text in parts


def _agree(one: Reading, other: Reading) -> bool:
    """Whether both deny equally often and name the same numbers and dates."""
    return one.denials == other.denials and _numbers(one) == _numbers(other)


def _numbers(reading: Reading) -> frozenset[str]:
    return frozenset(number(word) for word in reading.words if is_number(word))

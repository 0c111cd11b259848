"""Words that stand for one another: forms of a word, spellings of a number, names of a relation, opposites.

Small English tables, enough to compare two short statements without a dictionary. A word that no table knows is only
ever equal to itself and to its regular forms.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import chain

# Two words are forms of one when they share a beginning of three letters and their endings stand in one row.
_ENDINGS = tuple(map(frozenset, (("", "s", "es", "ed", "ing"), ("e", "es", "ed", "ing"), ("y", "ies", "ied", "ying"))))
_BEGINNING = 3

_CARDINALS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
""".split()
_ORDINALS = {"first": "1st", "second": "2nd", "third": "3rd"} | {
    f"{stem}th": f"{number}th" for number, stem in enumerate("four fif six seven eigh nin ten eleven twelf".split(), 4)
}
_LARGE = {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
_LARGE |= {"hundred": "100", "thousand": "1000", "million": "1000000"}
_CALENDAR = """
    january february march april may june july august september october november december sept tues thurs
    monday tuesday wednesday thursday friday saturday sunday
""".split()
_NUMBERS = (
    {word: str(number) for number, word in enumerate(_CARDINALS)}
    | _ORDINALS
    | _LARGE
    | {word: word[:3] for word in _CALENDAR}
    | {word[:3]: word[:3] for word in _CALENDAR}
)

# Verbs of one kind of relation; a subject has one value at a time of those in the first table.
_SINGLE_VALUED = """
    live reside dwell settle move relocate; work; study; cost; weigh; measure; earn; marry; prefer; start begin;
    end finish; open; close; arrive
""".split(";")
_MANY_VALUED = "like love enjoy adore hate dislike detest loathe; cycle bike".split(";")


def _forms(verb: str) -> set[str]:
    """A regular verb in its forms."""
    stem = verb.removesuffix("e")
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return {verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"}
    return {verb, f"{verb}s", f"{verb}es", f"{stem}ed", f"{stem}ing"}


def _relations(rows: list[str]) -> dict[str, str]:
    """Each form of each verb, with the first verb of its row as the name of the relation."""
    return {form: row.split()[0] for row in rows for verb in row.split() for form in _forms(verb)}


_ONE_VALUE = _relations(_SINGLE_VALUED)
_RELATIONS = _ONE_VALUE | _relations(_MANY_VALUED)

# Values that exclude each other when they are said of the same thing.
_STATES = """
    open/closed opened/closed alive/dead married/single married/divorced single/divorced married/unmarried
    awake/asleep hot/cold warm/cold hot/cool big/small large/small tall/short long/short high/low full/empty early/late
    fast/slow cheap/expensive rich/poor young/old new/old clean/dirty wet/dry heavy/light strong/weak loud/quiet
    noisy/quiet light/dark happy/sad happy/unhappy healthy/sick healthy/ill well/ill easy/difficult easy/hard
    safe/dangerous safe/unsafe true/false right/wrong possible/impossible allowed/forbidden employed/unemployed
    present/absent available/unavailable broken/repaired broken/fixed locked/unlocked public/private
    vegetarian/carnivore on/off
""".split()
# Verbs that do, each form with its like.
_VERBS = """
    like/hate like/dislike love/hate love/dislike enjoy/hate enjoy/dislike adore/hate adore/dislike trust/distrust
    accept/reject accept/refuse win/lose remember/forget pass/fail
""".split()


def _verb_pairs(pair: str) -> set[frozenset[str]]:
    first, second = pair.split("/")
    forms = zip(_conjugated(first), _conjugated(second), strict=True)
    return {frozenset(each) for each in forms}


def _conjugated(verb: str) -> tuple[str, str, str]:
    endings = ("es", "ed") if verb.endswith("s") else ("s", "d" if verb.endswith("e") else "ed")
    return verb, verb + endings[0], verb + endings[1]


_OPPOSITES = frozenset(
    chain((frozenset(pair.split("/")) for pair in _STATES), chain.from_iterable(map(_verb_pairs, _VERBS)))
)


def has_digit(word: str) -> bool:
    """Whether any character of `word` is a digit."""
    return not word.isalpha() and any(map(str.isdigit, word))


def is_number(word: str) -> bool:
    """Whether `word` counts or dates: it has a digit, or it names a number, a month or a weekday."""
    return word in _NUMBERS or has_digit(word)


def number(word: str) -> str:
    """A number or date in one spelling ("two" as "2", "first" as "1st"); any other word as it is."""
    return _NUMBERS.get(word, word)


def same_word(first: str, second: str) -> bool:
    """Whether two words are equal but for a regular English ending; numbers only when they are the same number."""
    if first == second:
        return True
    if first[:_BEGINNING] != second[:_BEGINNING] or is_number(first) or is_number(second):
        return is_number(first) and number(first) == number(second)
    return _endings_agree(first, second)


class WordForms:
    """A set of words that holds each in all its regular forms: `word in forms` when `same_word` finds it among them."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(words)

    def __contains__(self, word: str) -> bool:
        if word in self._words:
            return True
        if is_number(word):
            return number(word) in self._numbers
        alike = self._alike.get(word[:_BEGINNING], ())
        return any(_endings_agree(word, other) and not is_number(other) for other in alike)

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(map(number, self._words))

    @cached_property
    def _alike(self) -> dict[str, list[str]]:
        """The words by their beginnings."""
        alike: dict[str, list[str]] = {}
        for word in self._words:
            alike.setdefault(word[:_BEGINNING], []).append(word)
        return alike


def related(first: str, second: str) -> bool:
    """Whether two words can name one relation: forms of one word, verbs of one kind, or opposites."""
    relation = _RELATIONS.get(first)
    if relation is not None and relation == _RELATIONS.get(second):
        return True
    return same_word(first, second) or are_opposites(first, second)


def are_opposites(first: str, second: str) -> bool:
    """Whether the two exclude each other."""
    return frozenset((first, second)) in _OPPOSITES


def has_one_value(relation: str) -> bool:
    """Whether a subject stands in this relation to one thing at a time, as one lives in one place."""
    return relation in _ONE_VALUE


def _endings_agree(first: str, second: str) -> bool:
    common = next(
        (place for place, (ours, theirs) in enumerate(zip(first, second, strict=False)) if ours != theirs),
        min(len(first), len(second)),
    )
    if common < _BEGINNING:
        return False
    ends = {_undoubled(first, common), _undoubled(second, common)}
    return any(ends <= row for row in _ENDINGS)


def _undoubled(word: str, common: int) -> str:
    """What follows the common beginning; "stopping" after "stop" is "ing"."""
    ending = word[common:]
    return ending[1:] if ending[:1] == word[common - 1] and len(ending) > 1 else ending

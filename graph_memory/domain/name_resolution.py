"""Which known person a name means, or that it is somebody new.

Exact forms first: an alias, then a primary name, compared folded (case, blanks and accents' encoding do not count).
Then near spellings, with care, because a wrong merge does more harm than a person too many, which a merge puts right:

- Only names are compared, never addresses, handles or numbers; word by word, with as many words on both sides.
- A differing word needs 6 letters on both sides for one edit, 8 for two, and the same first and last letter: "Ana" and
  "Ann", "Marta" and "Maria", "Daniel" and "Daniela" are different people.
- What could mean two people equally well means nobody.

Source: constants.md 2.8, Name resolution; cases.md 27. The minimum lengths are ours.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graph_memory.domain.identity import name_key, tidy_name
from graph_memory.domain.people import PersonRules
from graph_memory.domain.vocabulary import NodeId

_PHONE = re.compile(r"\+?[\d\s()-]+")
_LEAST_PHONE_DIGITS = 7
_MOST_EDITS = 2


class AliasType(StrEnum):
    """What an alias is."""

    NAME = "name"
    EMAIL = "email"
    HANDLE = "handle"
    PHONE = "phone"
    NICKNAME = "nickname"


_SPELT_OUT = frozenset({AliasType.NAME, AliasType.NICKNAME})  # those in which a slip of the pen is likely


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a person, and how sure it is, 0..1."""

    text: str
    type: AliasType
    confidence: float

    @property
    def key(self) -> str:
        return alias_key(self.text)


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """A known person by every name."""

    id: NodeId
    name: str
    aliases: tuple[Alias, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """Whom a name means. Without a person it is somebody new; `rivals` tells who was equally likely."""

    person_id: NodeId | None = None
    confidence: float = 0.0
    new_alias: Alias | None = None  # a spelling to store with the person
    rivals: tuple[NodeId, ...] = ()


@dataclass(frozen=True, slots=True)
class _Match:
    person: NamedPerson
    confidence: float
    rank: tuple[bool, float]  # decides between matches: exact before near, then how sure
    spelling: tuple[AliasType, float] | None  # type and confidence of the alias that the spelling would be


def alias_type(text: str, *, primary_name: str = "") -> AliasType:
    """What an alias is, by its form.

    What has no other form is a name when it has several words or shares one with the primary name, else a nickname.
    """
    text = text.strip()
    if text.startswith("@"):
        return AliasType.HANDLE
    if "@" in text and "." in text:
        return AliasType.EMAIL
    if _is_phone(text):
        return AliasType.PHONE
    words = name_key(text).split()
    shares_a_word = not set(words).isdisjoint(name_key(primary_name).split())
    return AliasType.NAME if len(words) > 1 or shares_a_word else AliasType.NICKNAME


def alias_key(text: str) -> str:
    """The form in which two spellings of an alias are one; of a phone number only the digits count."""
    return "".join(filter(str.isdigit, text)) if _is_phone(text) else name_key(text)


def _is_phone(text: str) -> bool:
    return _PHONE.fullmatch(text.strip()) is not None and sum(map(str.isdigit, text)) >= _LEAST_PHONE_DIGITS


def alias_by_hand(text: str, person: NamedPerson, rules: PersonRules) -> Alias:
    """An alias that the user gives to a person."""
    return Alias(tidy_name(text), alias_type(text, primary_name=person.name), rules.alias_by_hand)


def resolve(name: str, people: Sequence[NamedPerson], rules: PersonRules) -> Resolution:
    """Whom `name` means among `people`, how sure that is, and the alias to store, if any.

    The surest kind of match decides: alias 1.0, primary name 0.95, one edit 0.8, unique first name 0.75, two edits
    0.65. A spelling that nobody has yet is a new alias: of an exact match at the confidence of that match, of a near
    one at 0.85 or 0.7. A first name is not stored: it stops being unique when a namesake comes.
    """
    key = alias_key(name)
    if not key:
        return Resolution()
    matches = [match for person in people for match in _matches(key, person, rules)]
    if not matches:
        return Resolution()
    best = max(match.rank for match in matches)
    winners = {match.person.id: match for match in matches if match.rank == best}
    if len(winners) > 1:
        return Resolution(rivals=tuple(sorted(winners)))
    [match] = winners.values()
    return Resolution(match.person.id, match.confidence, _spelling(name, match))


def edit_distance(one: str, other: str, *, most: int) -> int:
    """Letters to insert, drop or replace between two words (Levenshtein); above `most` it is most + 1."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, start=1):
        diagonal, row[0] = row[0], index
        for column, against in enumerate(other, start=1):
            kept = diagonal + (letter != against)
            diagonal, row[column] = row[column], min(kept, row[column] + 1, row[column - 1] + 1)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _matches(key: str, person: NamedPerson, rules: PersonRules) -> Iterable[_Match]:
    for alias in person.aliases:
        if alias.key == key:
            # Ranked by its own confidence: an alias guessed from a slip must not beat the person who has that name.
            yield _Match(person, rules.match_alias, (True, alias.confidence), (alias.type, alias.confidence))
    if alias_key(person.name) == key:
        yield _Match(person, rules.match_name, (True, rules.match_name), (AliasType.NAME, rules.match_name))
        return
    known = _sure_names(person, rules)
    near = {1: (rules.match_one_edit, rules.alias_one_edit), 2: (rules.match_two_edits, rules.alias_two_edits)}
    if pair := near.get(min(_edits(key, each, rules) for each in known)):
        yield _Match(person, pair[0], (False, pair[0]), (AliasType.NAME, pair[1]))
    if any(len(words := each.split()) > 1 and words[0] == key for each in known):
        yield _Match(person, rules.match_first_name, (False, rules.match_first_name), None)


def _sure_names(person: NamedPerson, rules: PersonRules) -> list[str]:
    """The names that near ones are compared with: none that was itself guessed, or guesses would lead to guesses."""
    sure = (alias for alias in person.aliases if alias.confidence >= rules.alias_by_hand and alias.type in _SPELT_OUT)
    return [name_key(person.name), *(alias.key for alias in sure)]


def _edits(key: str, known: str, rules: PersonRules) -> int:
    """Edits between two names, word by word; more than two when they must not be taken for one another."""
    words, others = key.split(), known.split()
    if len(words) != len(others):
        return _MOST_EDITS + 1
    differing = [(one, other) for one, other in zip(words, others, strict=True) if one != other]
    if any((one[0], one[-1]) != (other[0], other[-1]) for one, other in differing):
        return _MOST_EDITS + 1  # names are told apart by their ends
    edits = sum(edit_distance(one, other, most=_MOST_EDITS) for one, other in differing)
    letters = rules.one_edit_letters if edits == 1 else rules.two_edits_letters
    near = all(_could_be_a_slip(one, other, letters) for one, other in differing)
    return edits if near else _MOST_EDITS + 1


def _could_be_a_slip(one: str, other: str, letters: int) -> bool:
    """Short words and those with digits differ on purpose; slips of the pen are in long words."""
    return min(len(one), len(other)) >= letters and one.isalpha() and other.isalpha()


def _spelling(name: str, match: _Match) -> Alias | None:
    """The spelling as an alias, unless the person has it or it should not be stored."""
    text = tidy_name(name)
    known = {tidy_name(match.person.name), *(tidy_name(alias.text) for alias in match.person.aliases)}
    if match.spelling is None or text in known:
        return None
    return Alias(text, *match.spelling)

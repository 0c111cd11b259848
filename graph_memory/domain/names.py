"""Names in texts: those already known, those that a text shows by capital letters, and those of other memories."""

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from graph_memory.domain.identity import name_key
from graph_memory.domain.text import SIGN, UNSPACED
from graph_memory.domain.vocabulary import MemoryId, NodeId

# A word with its signs; where a script writes without blanks, one character.
_SPACED_WORD = rf"[^\W{UNSPACED}]+(?:{SIGN}[^\W{UNSPACED}]*)*"
_TOKEN = re.compile(rf"{_SPACED_WORD}(?:['’.-]{_SPACED_WORD})*|[{UNSPACED}]{SIGN}*")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_POSSESSIVE = re.compile(r"['’]s?$")
_SENTENCE_END = re.compile(r"[.!?:;\n…\"“”()\[\]]\s*$")
_MOST_WORDS_IN_A_NAME = 5

# [[target]], [[target#heading]], [[target|as shown]], as wikis and note books write them; or an id as we make them.
_REFERENCE = re.compile(
    r"\[\[(?P<name>[^\[\]|#\n]{1,256})(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]"
    r"|(?<![\w-])(?P<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![\w-])"
)
_HEADING = re.compile(r"^#+\s+")

# Words that English writes with a capital though they name nobody, and openers that stand before a name.
_NEVER_NAMES = frozenset(
    """
    i i'm i'll i'd i've ok okay oh hey hi hello wow yeah yes yep no nope thanks thank congrats congratulations
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec
    the a an this that these those my our your his her its their we you he she it they and but or so if as at by for
    from in of on to with without about after before when while where why who what which how do does did is are was
    were be been have has had can could will would should may might must not just then there here now today tomorrow
    yesterday good great glad nice cool awesome amazing sounds sorry sure well really also let's dear please maybe
    mr mrs ms dr prof sir madam lol omg btw
    """.split()
)

_HEADED = re.compile(r"\s*(?:#+\s+)?(?P<heading>[^\n:]{2,80}?)(?::\s+|\s*\n)(?=\S)")
_BRACKETED = re.compile(r"\([^)]*\)")


class NameKind(StrEnum):
    """What a name belongs to."""

    PERSON = "person"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name or alias, folded, that this user's graph already has a node for."""

    key: str
    kind: NameKind
    node_id: NodeId
    node_key: str  # the folded name of the node itself


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a text, from character `start` up to but not including `end`."""

    name: str
    start: int
    end: int

    @property
    def key(self) -> str:
        return name_key(self.name)


@dataclass(frozen=True, slots=True)
class CalledMemory:
    """A memory by what a text can name it with."""

    id: MemoryId
    external_id: str | None
    title: str

    def is_called(self, name: str) -> bool:
        """Whether it bears a name: its id, the caller's id of it, or its title in any spelling."""
        return name in (self.id, self.external_id) or name_key(name) == name_key(self.title)


@dataclass(frozen=True, slots=True)
class MemoryReference:
    """A name that a text calls other memories by, those that bear it, and the weight of a link to each of them."""

    name: str
    targets: tuple[MemoryId, ...] = ()  # none: nobody is called so, or too many are
    weight: float = 0.0


class NameBook:
    """The known names of one user, to find them in texts; the longest name wins."""

    def __init__(self, names: Iterable[KnownName]) -> None:
        self._by_key: dict[str, KnownName] = {}
        self._keys_by_node: dict[NodeId, set[str]] = {}
        for name in names:
            held = self._by_key.get(name.key)
            if held is None or (held.kind is NameKind.ENTITY and name.kind is NameKind.PERSON):
                self._by_key[name.key] = name
            self._keys_by_node.setdefault(name.node_id, set()).update((name.key, name.node_key))
        # A text may have more words than its name's key: where accents are written as characters of their own.
        spelt_out = (unicodedata.normalize("NFKD", key) for key in self._by_key)
        self._most_words = max((len(_tokens(key)) for key in chain(self._by_key, spelt_out)), default=0)

    def __len__(self) -> int:
        return len(self._by_key)

    def get(self, name: str) -> KnownName | None:
        """The node that a name stands for."""
        return self._by_key.get(name_key(name))

    def keys_of(self, known: KnownName) -> set[str]:
        """Every folded name of the node that a name stands for."""
        return self._keys_by_node[known.node_id]

    def find(self, text: str) -> list[tuple[Mention, KnownName]]:
        """Every known name in `text`, from left to right, without overlaps.

        Where a script writes without blanks, a name may stand inside a run of characters; a name of one character is
        found only by itself, since it is a part of many words.
        """
        tokens = _tokens(text)
        found: list[tuple[Mention, KnownName]] = []
        position = 0
        while position < len(tokens):
            match = self._longest_from(text, tokens, position)
            if match:
                mention, known, position = match
                found.append((mention, known))
            else:
                position += 1
        return found

    def _longest_from(
        self, text: str, tokens: Sequence[tuple[str, int, int]], position: int
    ) -> tuple[Mention, KnownName, int] | None:
        for last in range(min(len(tokens), position + self._most_words), position, -1):
            start, end = tokens[position][1], tokens[last - 1][2]
            known = self._by_key.get(name_key(text[start:end]))
            if known and _names_somebody(text, start, end, known):
                return Mention(text[start:end], start, end), known, last
        return None


def _names_somebody(text: str, start: int, end: int, known: KnownName) -> bool:
    if len(known.key) == 1 and _UNSPACED.match(known.key):
        return not _UNSPACED.search(text[max(0, start - 1) : start] + text[end : end + 1])
    return text[start].isupper() or known.key not in _NEVER_NAMES


def capitalised_names(text: str) -> list[Mention]:
    """Names that capital letters show: runs of capitalised words, but for a sentence's own first word.

    Conservative: a single capitalised word at the start of a sentence is not taken, since any word stands so.
    Scripts without capitals give none.
    """
    mentions: list[Mention] = []
    run: list[tuple[str, int, int]] = []
    previous_end = 0
    for token in [*_tokens(text), None]:
        gap = text[previous_end : token[1]] if token else "\n"
        if run and (token is None or gap.strip() or not _is_capitalised(token[0])):
            mentions += _name_of(text, run)
            run = []
        if token:
            if _is_capitalised(token[0]):
                run.append(token)
            previous_end = token[2]
    return mentions


def referred_names(text: str) -> list[str]:
    """The names that a text calls other memories by, in wiki links or as ids, each once, from left to right."""
    found = (match["id"] or " ".join(match["name"].split()) for match in _REFERENCE.finditer(text))
    return list(dict.fromkeys(name for name in found if name))


def heading_of(text: str) -> str | None:
    """What a text is about, where it begins by saying so, as "Oak desk: bought in May" does; else None.

    A heading is short, begins with a capital or a digit, and stands before a colon or on a line of its own; what it
    adds in brackets is no part of it.
    """
    found = _HEADED.match(text)
    if found is None:
        return None
    heading = " ".join(_BRACKETED.sub(" ", found["heading"]).split())
    tokens = heading.split()
    if not 1 <= len(tokens) <= _MOST_WORDS_IN_A_NAME or not (heading[0].isupper() or heading[0].isdigit()):
        return None
    return None if name_key(heading) in _NEVER_NAMES else heading


def title_of(text: str) -> str:
    """What a memory is titled: its first line, without the signs of a heading."""
    return _HEADING.sub("", text.strip().split("\n", 1)[0]).strip()


def reference_to(
    name: str, memories: Iterable[CalledMemory], *, by: MemoryId, weight: float, least_weight: float, most: int
) -> MemoryReference:
    """Which memories the text of `by` means by a name.

    Args:
        memories: candidates of the same user; a memory never means itself.
        weight: w of a link to the only bearer of the name, 0..1; n bearers are linked with w / √n, as activation that
            meets a fan is shared among its branches.
        least_weight: a link never weighs less.
        most: a name that more memories bear means none of them.

    Source: constants.md 2.4 and 2.5 (REFERS_TO, fan normalisation).
    """
    bearers = sorted({memory.id for memory in memories if memory.id != by and memory.is_called(name)})
    if not bearers or len(bearers) > most:
        return MemoryReference(name)
    return MemoryReference(name, tuple(bearers), max(least_weight, weight / math.sqrt(len(bearers))))


def mention_weight(known_by: int, *, weight: float, rare_names: float, least_weight: float) -> float:
    """How much a link from a memory to a person or entity weighs when it is made.

    w(n) = w / (1 + ln(1 + n / r)): the rarer a name, the more it tells; at n = r it weighs about 0.59 of a new one.

    Args:
        known_by: n, how many memories referred to the node before, at least 0.
        weight: w of a name that is new, 0..1.
        rare_names: r, greater than 0.
        least_weight: the weight never falls below it, 0..w.

    Returns: a weight in least_weight..w, falling as n grows.

    Source: constants.md 2.4 (`links.entity_weight`, `links.min_weight`); the fan effect: Anderson 1974.
    """
    return max(least_weight, weight / (1.0 + math.log1p(known_by / rare_names)))


def _name_of(text: str, run: list[tuple[str, int, int]]) -> list[Mention]:
    opens = not text[: run[0][1]].strip() or _SENTENCE_END.search(text[: run[0][1]].rstrip(" ")) is not None
    while run and run[0][0].lower() in _NEVER_NAMES:
        run, opens = run[1:], False
    while run and run[-1][0].lower() in _NEVER_NAMES:
        run = run[:-1]
    if not run or (opens and len(run) == 1 and not _is_acronym(run[0][0])):
        return []
    start, end = run[0][1], run[-1][2]
    name = text[start:end]
    return [Mention(name, start, end)] if len(name) > 1 and len(run) <= _MOST_WORDS_IN_A_NAME else []


def _tokens(text: str) -> list[tuple[str, int, int]]:
    """Words with their bounds; a possessive ending is no part of a name."""
    tokens = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        if not word.isalnum():
            word = _POSSESSIVE.sub("", word)
        if word:
            tokens.append((word, match.start(), match.start() + len(word)))
    return tokens


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and word.lower() not in {"i", "i'm", "i’m", "i'll", "i'd", "i've"}


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper() and word.lower() not in _NEVER_NAMES

"""Text as it is stored, compared and looked for: well-formed, normalised, cut into words.

Scripts without blanks between words are cut into overlapping pairs of characters, so that a keyword inside a
sentence is found without a dictionary.
"""

import re
import unicodedata
from itertools import pairwise

from graph_memory.errors import Problem

# Parts of a class of characters: Han, Kana, Hangul, Bopomofo, and the scripts of South-East Asia, which have no blanks.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003134f"
)
# Patterns of vowel signs and accents, which stand on a letter and belong to its word; Python counts them out. Those
# beyond the first plane are asked for apart: with them in one class, a search takes eight times as long.
_SIGNS = tuple(
    "".join(chr(point) for point in plane if unicodedata.category(chr(point))[0] == "M")
    for plane in (range(0x300, 0x10000), range(0x10000, 0x20000))
)
SIGN = rf"(?:[{_SIGNS[0]}]|(?![\x00-\uffff])[{_SIGNS[1]}])"
WORD = rf"\w+(?:{SIGN}\w*)*"
_UNSPACED = re.compile(f"[{UNSPACED}]+")
_WORD = re.compile(rf"{WORD}(?:[.'’]{WORD})*")  # with the points and apostrophes inside it: 3.14, it's, O'Brien
_BLANKS = re.compile(r"\s+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def is_blank(text: str) -> bool:
    """Whether a reader would see nothing: only separators, controls and zero-width characters."""
    return all(unicodedata.category(character)[0] in "ZC" for character in text)


def text_problems(field: str, text: str, *, most_characters: int, blank_allowed: bool = False) -> list[Problem]:
    """What keeps `text` from being stored whole and found again; empty when nothing does."""
    problems = []
    if not blank_allowed and is_blank(text):
        problems.append(Problem(field, "must not be empty or blank"))
    if len(text) > most_characters:
        problems.append(Problem(field, f"has {len(text)} characters; at most {most_characters} are allowed"))
    if "\x00" in text:
        problems.append(Problem(field, f"holds the character U+0000 at position {text.index(chr(0))}"))
    if (lone := _lone_surrogate(text)) is not None:
        problems.append(Problem(field, f"is not valid Unicode: half of a surrogate pair at position {lone}"))
    return problems


def normalised(text: str) -> str:
    """NFKC, case-folded, blanks collapsed: the form in which two texts are compared (constants.md 2.1)."""
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def words(text: str) -> list[str]:
    """The words of `text` in lower case, without punctuation, in order; runs without blanks stay whole."""
    return [word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", text))]


def spaced_words(text: str) -> list[str]:
    """The same without runs of the scripts that write without blanks."""
    return words(_UNSPACED.sub(" ", unicodedata.normalize("NFKC", text)))


def script_terms(text: str) -> list[str]:
    """Overlapping pairs of characters of the scripts that write without blanks, each as one plain word.

    A pair is spelt by its code points ("u9493u9c7c"), which no analyser splits or stems. A run of a single
    character gives that character; longer runs give their single characters too, so that one is found alone.
    """
    terms: dict[str, None] = {}
    for run in _UNSPACED.findall(unicodedata.normalize("NFKC", text)):
        for first, second in pairwise(run):
            terms[_spelt(first) + _spelt(second)] = None
        for character in run:
            terms[_spelt(character)] = None
    return list(terms)


def script_query_terms(text: str) -> list[str]:
    """The terms to look for: pairs where a run has them, the single character where it has not."""
    terms: dict[str, None] = {}
    for run in _UNSPACED.findall(unicodedata.normalize("NFKC", text)):
        pairs = [_spelt(first) + _spelt(second) for first, second in pairwise(run)]
        terms.update(dict.fromkeys(pairs or [_spelt(run)]))
    return list(terms)


def _spelt(character: str) -> str:
    return f"u{ord(character):x}"


def _lone_surrogate(text: str) -> int | None:
    found = _SURROGATE.search(text)
    return found.start() if found else None

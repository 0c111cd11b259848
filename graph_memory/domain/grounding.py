"""Whether a text that a model wrote rests on the texts that it was given, judged by words alone.

Three questions: do enough of its words stand in the sources, affirmed where it affirms and denied where it denies, does
it name somebody whom they do not name, does it give a number that they do not give. And a fourth: is it a refusal
instead of an answer. All are strict; what is really said passes, and a doubt costs one item, never a memory.

Source: cases.md 31 and 33; the support test is ours.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from graph_memory.domain.names import capitalised_names
from graph_memory.domain.statement import Reading, Wording, read
from graph_memory.domain.text import WORD, normalised
from graph_memory.domain.word_forms import WordForms, is_number, number, related

_TOLERANCE = 1e-9
_WORDING = Wording()
# Words by which a report names the two who speak, whatever they said.
_SPEAKERS = frozenset("user assistant speaker agent usuario usuaria asistente".split())
# Where what is denied may end: "No, I row" and "I row, but not on Fridays" deny in one of their two parts.
_PART_ENDS = re.compile(
    r"[.!?…;:,]+(?=\s|$)|[。！？؟、，،]|\n+|\s+[–—-]+\s+|—"
    r"|\b(?:but|though|although|because|since|while|pero|aunque|porque|mais|parce que|aber|weil)\b",
    re.IGNORECASE,
)
_SENTENCE_WORD = re.compile(rf"{WORD}(?:['’]{WORD})*")

_SORRY = (
    r"(?:(?:i['’]?m|i am) (?:(?:really|very|so) )?sorry|sorry|i apologi[sz]e|unfortunately|as an ai(?: language model)?"
    r"|lo siento|désolée?|(?:es )?tut mir leid)"
)
_UNABLE = r"(?:can(?:['’]?t| ?not)|could(?: not|n['’]t)|(?:wo|wi)n['’]t(?: be able)?|will not|am (?:not able|unable))"
_ANSWERING = r"(?:help|assist|comply|fulfil|answer|continue|complete|process|provide|support|do that|engage|respond)"
_REFUSALS = (
    rf"i(?: {_UNABLE}|['’]m (?:not able|unable))(?: to)? {_ANSWERING}",
    r"i (?:must|have to|need to) decline",
    r"no puedo (?:ayudar|responder|cumplir|continuar|proporcionar)",
    r"je ne (?:peux|suis) pas .{0,30}\b(?:aider|répondre)",
    r"(?:ich kann|dabei kann ich|da kann ich) .{0,40}\bnicht .{0,20}(?:helfen|antworten)",
)
_REFUSAL = re.compile(rf"\W*(?:{_SORRY}\W+)?(?:(?:but|that|pero|mais|aber) )*(?:{'|'.join(_REFUSALS)})", re.IGNORECASE)
_OWN_WORDS = 2 / 3


def is_refusal(text: str) -> bool:
    """Whether a text says that the model will not answer."""
    return _REFUSAL.match(" ".join(text.split())) is not None


def refuses(text: str, sources: Sequence[str]) -> bool:
    """Whether a text is a refusal of the model's, and not what the sources say in much the same words."""
    if not is_refusal(text):
        return False
    denied = read(text, _WORDING).denials % 2
    alike = [source for source in sources if read(source, _WORDING).denials % 2 == denied]
    return support(text, alike) < _OWN_WORDS - _TOLERANCE


def support(text: str, sources: Iterable[str]) -> float:
    """Share of the words with content of `text` that stand in the sources in some form, 0..1.

    What a part of the text affirms has to be affirmed there, and what it denies denied: the opposite of a statement is
    no support for it. Names count either way, but nothing rests on names alone where something is said of them. A text
    without content has none. Words that only name who speaks ("the user") do not count on either side.
    """
    given = list(sources)
    said = [part for source in given for part in _parts(source)]
    names = frozenset(word for source in given for word in _name_words(source))
    tokens, found = set[tuple[bool, str]](), set[tuple[bool, str]]()
    for part in _parts(text):
        own = {(_denies(part), token) for token in part.tokens - _SPEAKERS}
        tokens |= own
        found |= {(denies, token) for denies, token in own if _stands(token, _tokens(said, denies=denies))}
    if found:
        found |= {(denies, token) for denies, token in tokens if token in names}
    return len(found) / len(tokens) if tokens else 0.0


def _parts(text: str) -> Iterator[Reading]:
    return (read(part, _WORDING) for part in _PART_ENDS.split(text))


def _denies(part: Reading) -> bool:
    return part.denials % 2 == 1


def _tokens(parts: Iterable[Reading], *, denies: bool) -> frozenset[str]:
    """What is denied in these parts, or what is affirmed."""
    return frozenset[str]().union(*(part.tokens for part in parts if _denies(part) is denies)) - _SPEAKERS


def _stands(token: str, known: frozenset[str]) -> bool:
    return token in known or any(related(token, each) for each in known)


def _name_words(text: str) -> Iterator[str]:
    """The words of names in a text; one that is nothing but capitalised words is a name as a whole."""
    is_name = all(word[:1].isupper() for word in text.split())
    named = [text] if is_name else [name.name for name in capitalised_names(text)]
    return (word for name in named for word in read(name, _WORDING).words)


def is_supported(text: str, sources: Iterable[str], *, least: float) -> bool:
    """Whether at least this share of its content stands in the sources, and something of it does."""
    share = support(text, sources)
    return share > 0.0 and share >= least - _TOLERANCE


def names_nobody_new(text: str, sources: Sequence[str]) -> bool:
    """Whether every name that capital letters show in `text` stands in the sources, word by word."""
    known = WordForms(_words(sources))
    return all(word in known for name in capitalised_names(text) for word in _words([name.name]))


def counts_nothing_new(text: str, sources: Sequence[str]) -> bool:
    """Whether every number and date in `text` stands in the sources, in any spelling."""
    known = _numbers(sources)
    return _numbers([text]) <= known


def keeps_all(text: str, sources: Sequence[str]) -> bool:
    """Whether `text` still has every name and every number of the sources."""
    if not _numbers(sources) <= _numbers([text]):
        return False
    kept = WordForms(_words([text]))
    named = (word for source in sources for name in capitalised_names(source) for word in _words([name.name]))
    return all(word in kept for word in named)


def is_named(name: str, sources: Iterable[str]) -> bool:
    """Whether a name stands in the sources: all its words, one after the other, as words."""
    wanted = _ordered([name])
    if not wanted:
        return False
    return any(_holds(_ordered([source]), wanted) for source in sources)


def _holds(words: Sequence[str], wanted: Sequence[str]) -> bool:
    width = len(wanted)
    if any(list(words[start : start + width]) == list(wanted) for start in range(len(words) - width + 1)):
        return True
    # Scripts without blanks, where a name is part of a longer run of characters.
    return not " ".join(wanted).isascii() and any("".join(wanted) in word for word in words)


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(_ordered(texts))


def _ordered(texts: Iterable[str]) -> list[str]:
    found = (word for text in texts for word in _SENTENCE_WORD.findall(normalised(text)))
    return [re.sub(r"['’]s?$", "", word) for word in found]


def _numbers(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(number(word) for text in texts for word in read(text, _WORDING).words if is_number(word))

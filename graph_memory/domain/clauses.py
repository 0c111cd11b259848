"""An utterance, cut into clauses that each claim something, in English and Spanish; what only asks or quotes is marked.

Every clause is a piece of the utterance, letter for letter. It is cut where a new subject or a question begins, never
inside quotation marks; fillers at its beginning ("well, so, by the way") are left out. Not grammar: lists of words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graph_memory.domain.text import is_blank, normalised

# What is not the speaker's own prose: code, quoted lines of a letter, addresses, what a picture is said to show.
_NO_PROSE = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*|https?://\S+|(?<!\[)\[(?!\[)[^\[\]\n]*\](?!\])",
    re.DOTALL | re.MULTILINE,
)
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|‘[^’\n]{2,}’(?!\w)|(?<!\w)'[^'\n]{2,}'(?!\w)")
_ABBREVIATION = re.compile(r"\b(?:mrs?|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|sra?|dra?)\.$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…]+[\"”»’')\]]*(?=\s|$)|[。！？؟]|\n+")

_QUESTION_OPENERS = """
    what how where when who whom whose why which do does did are is was were am have has had can could would will should
    shall may might won't isn't aren't don't doesn't didn't qué cómo dónde cuándo quién por cuál cuánto
""".split()
_SUBJECTS = (
    r"I(?:['’](?:m|ve|ll|d))?|we(?:['’](?:re|ve|ll|d))?"
    r"|yo|me|nos|nosotr[oa]s|vivo|trabajo|soy|tengo|prefiero|odio|estudio|suelo|decid[ií]|decidimos"
)
# "my dog" may go on with a list, "my dog eats" is a clause of its own.
_OWNED = (
    r"(?:my|our|mi|nuestr[oa])\s+\w+(?:\s+[A-Z]\w+)?\s+(?:is|are|was|were|has|have|had|works?|lives?|likes?|loves?"
    r"|hates?"
    r"|said|says|told|thinks?|wants?|studies|plays?|teaches|moved|got|just|also|who|es|está|vive|trabaja|tiene|estudia)"
)
_MODALS = "would|could|might|should|wouldn['’]t|couldn['’]t|maybe|perhaps"
_ASKING = "what|how|where|when|who|why|do|did|are|have|don['’]t|isn['’]t|right|no|qué|cómo|dónde"
_NEW_CLAUSE = re.compile(
    rf"\s*[,;:—–-]?\s+(?:and|but|so|then|yet|y|e|pero|así que|aunque|though|although)\s+"
    rf"(?=(?:(?:also|then|now|además|luego)\s+)?(?:{_SUBJECTS}|{_OWNED}|{_MODALS})\b)"
    rf"|\s*;\s+|\s*—\s*|\s+[–-]{{1,2}}\s+|,\s+(?=(?:{_SUBJECTS}|{_OWNED})\b)"
    rf"|,?\s+(?:and|but|so|y|pero)\s+(?=(?:{_ASKING})\b[^?]*\?)|,\s+(?=(?:{_ASKING})\b[^?]*\?)",
    re.IGNORECASE,
)
# What stands before "and I" without a verb of its own: "my wife and I", "Ana and I".
_SUBJECT_ALONE = re.compile(
    r"\W*(?:(?:and|but|so|well|oh|yeah|y|pero),?\s+)*(?:(?i:my|our|mi)(?:\s+\w+){1,3}|[A-Z]\w+)\W*"
)
_FILLERS = re.compile(
    r"""(?:[\s,;:!.…–—-]
      |(?:well|so|oh|ah|yeah|yep|and|but|also|plus|anyway|actually|honestly|basically|lol|haha+|btw|fyi|um+|uh+|hmm+
      |by\ the\ way|to\ be\ honest|in\ fact|you\ know|just\ so\ you\ know|for\ the\ record|as\ you\ know|of\ course
      |(?:please\ )?(?:remember|note|keep\ in\ mind|don['’]t\ forget)(?:\ that)?
      |bueno|pues|además|por\ cierto|la\ verdad\ es\ que|recuerda\ que|ten\ en\ cuenta\ que|y|pero
      )(?!\w|['’]\w|\s+(?:much|many|far)\b)
      |(?:yes|no|nope|ok|okay|right|sure|see|look|like|cool|nice|great|wow|sí|si|vale|claro|mira
      |(?:hey|hi|hello|thanks|thank\ you|oye|hola|gracias)(?:\s+\w+)?)(?=\s*[,!.:;…–—-])
    )+""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSING = re.compile(r"[\s.,;:!…。！]+$")
_SUPPOSED_SENTENCE = re.compile(
    r"\b(?:if|unless|suppose|supposing|imagine|pretend|hypothetically|wish|what if|as though|let['’]s say"
    r"|si|ojalá|imagina|imaginemos|supongamos|como si|a menos que)\b",
    re.IGNORECASE,
)
_SUPPOSED_CLAUSE = re.compile(
    r"\b(?:would|could|might|should|maybe|perhaps|possibly|probably|supposedly|i['’]d|we['’]d|he['’]d|she['’]d"
    r"|they['’]d"
    r"|quizás?|tal vez|a lo mejor|podría|debería|sería|tendría|me gustaría|quisiera)\b",
    re.IGNORECASE,
)
_ARGUED = re.compile(r"\bto be (?:honest|fair|clear)\b|\bas if\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of an utterance: the characters from `start` up to but not including `end`."""

    text: str
    start: int
    end: int
    claims: bool  # False: it asks, supposes, or says another's words


def clauses_of(text: str) -> list[Clause]:
    """The clauses of `text`, from left to right. What is no prose is left out."""
    prose = _NO_PROSE.sub(lambda match: _blank(match.group()), text)
    shielded = _QUOTED.sub(lambda match: '"' + "_" * (len(match.group()) - 2) + '"', prose)
    return [clause for start, end in _sentences(shielded) for clause in _of_sentence(text, shielded, start, end)]


def _of_sentence(text: str, shielded: str, start: int, end: int) -> Iterator[Clause]:
    sentence = shielded[start:end]
    supposed = _SUPPOSED_SENTENCE.search(_ARGUED.sub("", sentence)) is not None
    asks = sentence.rstrip(" \"”»’')").endswith(("?", "？", "؟")) or sentence.lstrip().startswith("¿")
    pieces = list(_pieces(sentence))
    opens_as_question = asks and _opens_as_question(sentence)
    for place, (first, last) in enumerate(pieces):
        first = _after_fillers(sentence, first, last)
        piece = _CLOSING.sub("", sentence[first:last])
        if is_blank(piece) or not any(map(str.isalnum, piece.replace("_", ""))):
            continue
        questioned = asks and (opens_as_question or place == len(pieces) - 1)
        claims = not (supposed or questioned or _SUPPOSED_CLAUSE.search(piece))
        begin = start + first
        yield Clause(text[begin : begin + len(piece)], begin, begin + len(piece), claims)


def _sentences(shielded: str) -> Iterator[tuple[int, int]]:
    """The bounds of sentences, their closing signs among them."""
    start = 0
    for match in _SENTENCE_END.finditer(shielded):
        if _ABBREVIATION.search(shielded[start : match.end()]):
            continue
        yield start, match.end()
        start = match.end()
    if start < len(shielded):
        yield start, len(shielded)


def _pieces(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _NEW_CLAUSE.finditer(sentence):
        if not _SUBJECT_ALONE.fullmatch(sentence, start, match.start()):
            yield start, match.start()
            start = match.end()
    yield start, len(sentence)


def _after_fillers(sentence: str, first: int, last: int) -> int:
    match = _FILLERS.match(sentence, first, last)
    return match.end() if match else first


def _opens_as_question(sentence: str) -> bool:
    words = normalised(sentence).lstrip("¿ \"'“«(").replace("’", "'").split(maxsplit=1)
    return bool(words) and (sentence.lstrip().startswith("¿") or words[0].strip(",") in _QUESTION_OPENERS)


def _blank(text: str) -> str:
    return "".join("\n" if character == "\n" else " " for character in text)

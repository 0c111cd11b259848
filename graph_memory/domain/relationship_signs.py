"""What a conversation shows of how user and agent stand, by rules: only what the user says in so many words.

Jokes and references are taken where they are called that, wishes on how to be spoken with where they are plain, a mood
where it is named in the first person. Anything subtler is left to a model.

Source: constants.md 2.8 (relationship table), 2.10 (relationship); the rules are ours, English first.
"""

import re
from collections.abc import Iterable, Sequence

from graph_memory.domain.asked import RelationshipSigns, Utterance
from graph_memory.domain.date_language import MONTHS, WEEKDAYS, folded
from graph_memory.domain.draft import is_user
from graph_memory.domain.identity import name_key, tidy_name
from graph_memory.domain.text import normalised

_MOST_CHARACTERS = 80
_MOST_OF_EACH = 3  # in one conversation

_JOKE = re.compile(
    r"\b(?:our|the)\s+(?:old\s+|little\s+)?(?:inside|running)\s+joke\s*(?:about|that|is|was|of|with|:|,|-)\s*"
    r"(?P<text>[^.!?\n]+)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\b(?:remember\s+(?:when|how|the\s+time)\s+(?=we\b|you\s+and\s+i\b)|like\s+(?:that|the)\s+time\s+(?=we\b)"
    r"|as\s+we\s+(?:talked\s+about|discussed|said)\s+(?:last\s+\w+|the\s+other\s+day|yesterday|before)\s*[,:]?\s*)"
    r"(?P<text>[^.!?,;\n]{3,})",
    re.IGNORECASE,
)
_WISHES: tuple[tuple[str, str, str], ...] = (
    # trait, value, what says so
    ("length", "brief", r"keep (?:it|them|your (?:answers|replies)) (?:short|brief)"),
    ("length", "brief", r"(?:be (?:brief|concise)|(?:shorter|briefer) (?:answers|replies)|less words)"),
    ("length", "detailed", r"(?:give me|i(?:'d| would) like|i want) (?:more|all the) details?"),
    ("length", "detailed", r"(?:longer|more detailed) (?:answers|replies|explanations)"),
    ("tone", "direct", r"(?:be (?:direct|blunt|straight with me)|don't sugar-?coat)"),
    ("tone", "gentle", r"be (?:gentle|kind|patient) with me"),
    ("tone", "formal", r"be (?:more )?formal"),
    ("tone", "informal", r"(?:be (?:more )?(?:casual|informal)|less formal)"),
    ("emojis", "none", r"(?:no (?:more )?emojis?|(?:don't|stop) us(?:e|ing) emojis?|without emojis?)"),
    ("format", "lists", r"(?:use|give me|answer (?:in|with)) (?:bullet points|lists)"),
    ("format", "no lists", r"(?:no (?:more )?|don't use |without )(?:bullet points|lists)"),
    (
        "format",
        "step by step",
        r"(?:explain|tell|show|take|walk) (?:it |me |this )*(?:through (?:it|this) )?step by step",
    ),
)
_WISH_PATTERNS = tuple((trait, value, re.compile(rf"\b{said}\b", re.IGNORECASE)) for trait, value, said in _WISHES)
# A name has a capital, so that "call me later" asks for no name; "she will call me Monday" asks for none either.
_CALLED = re.compile(r"(?<![Ww]ill )(?<!would )(?<!to )\b[Cc]all me (?P<name>[A-ZÀ-Þ][\w'’-]{0,30})")
_LANGUAGE = re.compile(
    r"\b(?:speak|talk|answer|reply|write)(?: to me)? (?:in )?(?P<language>english|spanish|french|german|italian|dutch"
    r"|portuguese|catalan|polish|japanese|chinese|korean|arabic)\b",
    re.IGNORECASE,
)
_NO_NAMES = frozenset((*MONTHS, *WEEKDAYS, "i", "me"))
_MOODS = """
    happy sad angry tired exhausted calm relaxed anxious worried nervous stressed excited lonely bored proud grateful
    hopeful frustrated upset overwhelmed content cheerful relieved disappointed afraid scared
""".split()
_MOOD = re.compile(
    r"\b(?:i(?:'m| am| feel)|i(?:'m| am) feeling)\s+(?:(?:so|really|very|quite|pretty|a\s+bit|just|rather|still)\s+)*"
    rf"(?P<mood>{'|'.join(_MOODS)})\b",
    re.IGNORECASE,
)
_APOSTROPHES = str.maketrans("’ʼ", "''")


def signs_by_rules(utterances: Sequence[Utterance], known_jokes: Sequence[str] = ()) -> RelationshipSigns:
    """What the user's own turns say of the relationship.

    Args:
        utterances: the turns in order.
        known_jokes: jokes that are known already and are not new.
    """
    said = [each.text.translate(_APOSTROPHES) for each in utterances if is_user(each.role)]
    known = set(map(normalised, known_jokes))
    jokes = [joke for joke in _found(_JOKE, said) if normalised(joke) not in known]
    return RelationshipSigns(
        new_inside_jokes=tuple(jokes[:_MOST_OF_EACH]),
        shared_references=tuple(list(_found(_REFERENCE, said))[:_MOST_OF_EACH]),
        communication_notes=dict(_notes(said)),
        mood=_mood(said),
    )


def _found(pattern: re.Pattern[str], said: Iterable[str]) -> Iterable[str]:
    """What the pattern quotes, each once."""
    quoted = (match["text"].strip(" ,;:'\"") for text in said for match in pattern.finditer(text))
    by_key = {name_key(text): tidy_name(text)[:_MOST_CHARACTERS] for text in quoted if text}
    return by_key.values()


def _notes(said: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Wishes as trait and value, the last of a trait last."""
    for text in said:
        for trait, value, pattern in _WISH_PATTERNS:
            if pattern.search(text):
                yield trait, value
        for match in _LANGUAGE.finditer(text):
            yield "language", match["language"].capitalize()
        for match in _CALLED.finditer(text):
            if folded(match["name"]) not in _NO_NAMES:
                yield "form of address", match["name"]


def _mood(said: Sequence[str]) -> str | None:
    """The last mood that the user named of themselves."""
    for text in reversed(said):
        if found := list(_MOOD.finditer(text)):
            return found[-1]["mood"].lower()
    return None

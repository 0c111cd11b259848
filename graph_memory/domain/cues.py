"""Words and phrases that are looked for in a text: whole words, in any case, with or without accents.

A cue in a script that writes without blanks is found anywhere, since such a text shows no words.
"""

import re
import unicodedata
from functools import lru_cache

from graph_memory.domain.date_language import folded
from graph_memory.domain.text import normalised, script_query_terms


def holds_cue(text: str, cues: tuple[str, ...]) -> bool:
    """Whether `text` holds one of the words or phrases; a phrase is its words with blanks between."""
    return _pattern(cues).search(_plain(text)) is not None


def before_cue(text: str, cues: tuple[str, ...]) -> str | None:
    """What stands before the first word or phrase found, small letters without accents; None where none is found."""
    plain = _plain(text)
    found = _pattern(cues).search(plain)
    return plain[: found.start()] if found else None


def cue_list(listed: str) -> tuple[str, ...]:
    """The cues of a list whose entries stand between commas."""
    return tuple(cue for each in listed.split(",") if (cue := each.strip()))


@lru_cache(maxsize=64)  # one entry for each list of the settings
def _pattern(cues: tuple[str, ...]) -> re.Pattern[str]:
    unspaced = [re.escape(_plain(cue)) for cue in cues if script_query_terms(cue)]
    spaced = [re.escape(_plain(cue)) for cue in cues if not script_query_terms(cue)]
    whole = [rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)"] if spaced else []
    return re.compile("|".join(whole + unspaced) or r"(?!)")


@lru_cache(maxsize=64)  # a question is asked for several lists of cues
def _plain(text: str) -> str:
    """NFKC, small letters, blanks collapsed, without accents."""
    return unicodedata.normalize("NFC", folded(normalised(text)))

"""Words by their stems, each spelt as one plain term that says its language: "Häuser" in German is "dehaus0".

The stems are those of the Snowball algorithms. The full-text indexes stem English, and would cut a foreign stem once
more; a term that ends in a digit they leave alone.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from graph_memory.domain.language import Language, function_words

_END = "0"
_SHORTEST, _LONGEST = 2, 100  # letters of a word that is stemmed
_LETTERS = re.compile(r"[^\W\d_]+")
_LATIN, _CYRILLIC = re.compile("[a-z\u00df-\u00f6\u00f8-\u024f]+"), re.compile("[\u0430-\u045f]+")
# Their accents are often left out in typing, and part few words.
_ACCENTS_FOLDED = frozenset({Language.FRENCH, Language.ITALIAN, Language.PORTUGUESE, Language.SPANISH})


def stem_terms(text: str, languages: Iterable[Language]) -> list[str]:
    """The words of `text` as terms of each of the languages, word by word, each once, without function words."""
    spoken = tuple(languages)
    if not spoken:
        return []
    words = _LETTERS.findall(unicodedata.normalize("NFKC", text).lower())
    terms = (_term(word, language) for word in dict.fromkeys(words) for language in spoken)
    return list(dict.fromkeys(term for term in terms if term is not None))


def has_form(word: str, terms: Collection[str], languages: Sequence[Language]) -> bool:
    """Whether a text that has these terms holds a form of the word, all its parts, in one of the languages."""
    parts = (stem_terms(word, (language,)) for language in languages)
    return any(own and all(part in terms for part in own) for own in parts)


@lru_cache(maxsize=32_768)
def _term(word: str, language: Language) -> str | None:
    """None for a function word, and for a word that the language could not spell."""
    alphabet = _CYRILLIC if language is Language.RUSSIAN else _LATIN
    if not (_SHORTEST <= len(word) <= _LONGEST and alphabet.fullmatch(word)) or word in function_words(language):
        return None
    stem = _algorithms()[language]().stemWord(word)
    if language in _ACCENTS_FOLDED:
        stem = "".join(each for each in unicodedata.normalize("NFD", stem) if not unicodedata.combining(each))
    return f"{language}{stem}{_END}" if stem else None


@cache
def _algorithms() -> Mapping[Language, Any]:
    """Classes, since an instance holds the word that it works on. Loaded when first asked for: that takes a while.

    Named one by one: the library's own choice would take another implementation, of another version, where one is
    installed.
    """
    from snowballstemmer.danish_stemmer import DanishStemmer
    from snowballstemmer.dutch_stemmer import DutchStemmer
    from snowballstemmer.finnish_stemmer import FinnishStemmer
    from snowballstemmer.french_stemmer import FrenchStemmer
    from snowballstemmer.german_stemmer import GermanStemmer
    from snowballstemmer.italian_stemmer import ItalianStemmer
    from snowballstemmer.norwegian_stemmer import NorwegianStemmer
    from snowballstemmer.portuguese_stemmer import PortugueseStemmer
    from snowballstemmer.russian_stemmer import RussianStemmer
    from snowballstemmer.spanish_stemmer import SpanishStemmer
    from snowballstemmer.swedish_stemmer import SwedishStemmer

    return {
        Language.DANISH: DanishStemmer,
        Language.DUTCH: DutchStemmer,
        Language.FINNISH: FinnishStemmer,
        Language.FRENCH: FrenchStemmer,
        Language.GERMAN: GermanStemmer,
        Language.ITALIAN: ItalianStemmer,
        Language.NORWEGIAN: NorwegianStemmer,
        Language.PORTUGUESE: PortugueseStemmer,
        Language.RUSSIAN: RussianStemmer,
        Language.SPANISH: SpanishStemmer,
        Language.SWEDISH: SwedishStemmer,
    }

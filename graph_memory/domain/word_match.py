"""How well a text matches a question by its words."""

from collections.abc import Collection, Sequence

from graph_memory.domain.language import Language, languages_of
from graph_memory.domain.stems import has_form, stem_terms
from graph_memory.domain.text import script_query_terms, script_terms, spaced_words
from graph_memory.domain.word_forms import WordForms


class Sought:
    """The words of a question, to be found in texts."""

    def __init__(self, asked: Sequence[str], *, languages: Collection[Language] = ()) -> None:
        """Takes the words of a question.

        Args:
            asked: words as `words` gives them, each once.
            languages: those that the question shows, or may be in; a text is read in those of them that it shows.
        """
        self._words = [part for word in asked for part in spaced_words(word)]
        self._pairs = dict.fromkeys(term for word in asked for term in script_query_terms(word))
        self._languages = languages

    def share_in(self, text: str) -> float:
        """Which share of the words a text holds, 0..1.

        A word is found as it is, in a regular English form, or by its stem in one of the languages. A run of a script
        without blanks counts as its pairs of characters.
        """
        if not self._words and not self._pairs:
            return 0.0
        held = WordForms(spaced_words(text))
        forms = Forms(text, self._languages)
        found = sum(word in held or forms.include(word) for word in self._words)
        if self._pairs:
            found += len(self._pairs.keys() & script_terms(text))
        return found / (len(self._words) + len(self._pairs))


class Forms:
    """The words of a text by their stems, in those of some languages that the text shows."""

    def __init__(self, text: str, languages: Collection[Language]) -> None:
        self._languages = tuple(each for each in languages_of(text) if each in languages) if languages else ()
        self._terms = frozenset(stem_terms(text, self._languages))

    def include(self, word: str) -> bool:
        """Whether the text holds a form of a word."""
        return has_form(word, self._terms, self._languages)

"""What stands beside a text in the full-text index, because the index's own analyser does not see it.

Two sorts of terms share one field: pairs of characters of the scripts that write without blanks, and stems of the
European languages but English, which the analyser stems itself. Both are letters and digits only.
"""

from graph_memory.domain.language import asked_languages, languages_of
from graph_memory.domain.stems import stem_terms
from graph_memory.domain.text import script_query_terms, script_terms


def index_terms(text: str) -> list[str]:
    """The terms that a stored text is found by."""
    return [*script_terms(text), *stem_terms(text, languages_of(text))]


def index_query_terms(text: str, *, most_guessed: int = 0) -> list[str]:
    """The terms to look for.

    Args:
        text: a question, or a statement whose like is sought.
        most_guessed: where no function word shows the language, so many stems are looked for, of the first words in
            every language; 0: none.
    """
    shown = languages_of(text)
    guessed = () if shown or not most_guessed else asked_languages(text)
    stems = stem_terms(text, shown) if shown else stem_terms(text, guessed)[:most_guessed]
    return [*script_query_terms(text), *stems]

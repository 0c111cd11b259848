"""Which share of a question's words a text holds."""

import pytest

from graph_memory.domain.language import Language, asked_languages
from graph_memory.domain.text import words
from graph_memory.domain.word_forms import same_word
from graph_memory.domain.word_match import Sought


def share(question: str, text: str) -> float:
    return Sought(words(question), languages=asked_languages(question)).share_in(text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Where did Ana's boats sail?", "Ana sailed the boat to Porto."),
        ("oak desk hall", "The desk in the hall is oak"),
        ("folder-3 at 18:40?", "Tickets are in folder-3"),
        ("What was it?", "Oak."),
    ],
)
def test_english_words_count_as_they_always_did(question: str, text: str):
    asked, held = words(question), frozenset(words(text))

    assert share(question, text) == sum(any(same_word(word, other) for other in held) for word in asked) / len(asked)


def test_a_word_is_found_by_its_stem_in_the_language_of_question_and_text():
    asked = ["garten", "hauses"]
    told = "Meine Nachbarin hat zwei Häuser mit Gärten gekauft."

    assert Sought(asked, languages=(Language.GERMAN,)).share_in(told) == 1.0
    assert Sought(asked, languages=(Language.FRENCH,)).share_in(told) == 0.0
    assert Sought(asked).share_in(told) == 0.0
    assert Sought(asked, languages=tuple(Language)).share_in(told) == 1.0  # the text shows which of them


def test_a_word_with_an_elided_article_is_found_by_the_rest_of_it():
    assert Sought(["l'école"], languages=(Language.FRENCH,)).share_in("Nous avons deux écoles.") == 1.0


def test_a_run_without_blanks_counts_as_its_pairs():
    assert share("钓鱼", "周末去河边钓鱼") == 1.0
    assert share("河边钓虾", "周末去河边钓鱼") == pytest.approx(2 / 3)
    assert share("山", "周末去河边钓鱼") == 0.0
    assert share("Ana 钓鱼", "周末去河边钓鱼") == 0.5
    assert share("RV208已发货", "订单RV208已发货") == 1.0


def test_a_question_without_words_matches_nothing():
    assert Sought([]).share_in("Oak") == 0.0

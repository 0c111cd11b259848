"""Laws of the terms that stand beside a text in the full-text index."""

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.index_terms import index_query_terms, index_terms
from graph_memory.domain.language import Language, asked_languages, function_words, languages_of
from graph_memory.domain.stems import stem_terms
from graph_memory.domain.text import script_query_terms, script_terms, words
from graph_memory.domain.word_match import Sought

FUNCTION_WORDS = sorted({word for language in Language for word in function_words(language)})
LETTERS = st.sampled_from("abcdefghijklmnoprstuvxyzäöüßåøæéèêçñãõœабвгдеёжзийклмнопрстуфхцчшщыэюя")
WORDS = st.text(LETTERS, min_size=1, max_size=12)
SENTENCES = st.lists(st.sampled_from(FUNCTION_WORDS) | WORDS, max_size=15).map(" ".join)
TEXTS = st.text(max_size=80) | SENTENCES
GUESSES = st.integers(0, 80)


@given(text=TEXTS, most=GUESSES)
def test_terms_are_letters_and_digits_each_once(text: str, most: int):
    for terms in (index_terms(text), index_query_terms(text, most_guessed=most)):
        assert all(term.isalnum() and term == term.lower() for term in terms)
        assert len(terms) == len(set(terms))


@given(text=TEXTS, most=GUESSES)
def test_script_terms_come_first_and_unchanged(text: str, most: int):
    stored, asked = script_terms(text), script_query_terms(text)
    assert index_terms(text)[: len(stored)] == stored
    assert index_query_terms(text, most_guessed=most)[: len(asked)] == asked


@given(text=SENTENCES, most=GUESSES)
def test_no_more_is_guessed_than_allowed_and_nothing_where_a_language_is_shown(text: str, most: int):
    guessed = index_query_terms(text, most_guessed=most)
    if languages_of(text):
        assert guessed == index_query_terms(text)
    else:
        assert len(guessed) - len(script_query_terms(text)) <= most


@given(words_=st.lists(WORDS, min_size=1, max_size=8), language=st.sampled_from(Language))
def test_the_stems_of_a_text_do_not_hang_on_what_stands_beside(words_: list[str], language: Language):
    together = stem_terms(" ".join(words_), (language,))
    alone = dict.fromkeys(term for word in words_ for term in stem_terms(word, (language,)))
    assert together == list(alone)


@given(text=SENTENCES)
def test_a_text_matches_itself_wholly(text: str):
    asked = words(text)
    assert Sought(asked, languages=asked_languages(text)).share_in(text) == (1.0 if asked else 0.0)


@given(asked=SENTENCES, text=TEXTS)
def test_a_match_is_a_share_that_languages_only_raise(asked: str, text: str):
    plain, with_stems = (Sought(words(asked), languages=each).share_in(text) for each in ((), tuple(Language)))
    assert 0.0 <= plain <= with_stems <= 1.0

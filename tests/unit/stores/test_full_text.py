"""The full-text query: the owner inside, words as words."""

import pytest

from graph_memory.domain.identity import scope_token
from graph_memory.domain.text import script_query_terms, words
from graph_memory.domain.vocabulary import UserId
from graph_memory.stores.full_text import lucene_query, search_scope

ANN = UserId("ann")
OWNER = f"+search_scope:{scope_token('k', 'ann')}^0"


def _query(text: str, buckets: list[str] | None = None) -> str:
    return lucene_query(
        ANN,
        field="search_text",
        terms_field="script_terms",
        words=words(text),
        index_terms=script_query_terms(text),
        buckets=buckets,
    )


def test_any_of_the_words_within_the_owners_memories():
    assert _query("Oak desk?") == f"{OWNER} +(search_text:(oak desk))"


def test_scripts_without_blanks_are_asked_in_their_own_field():
    query = _query("钓鱼")

    assert query.endswith("script_terms:(u9493u9c7c))")
    assert query.startswith(OWNER)


def test_buckets_narrow_the_search_by_their_tokens():
    tokens = " ".join(scope_token("b", "ann", bucket) for bucket in ("home", "work"))

    assert f"+search_scope:({tokens})^0" in _query("desk", ["home", "work"])
    assert search_scope(ANN, "home").split(" ")[1] in tokens


@pytest.mark.parametrize("text", ["?!", "", "-", "\u200b"])
def test_a_question_without_words_finds_nothing(text: str):
    assert _query(text) == "search_scope:none"


@pytest.mark.parametrize("text", ["folder AND", "NOT folder", "folder OR x"])
def test_operators_are_only_words(text: str):
    """Case 2: in lower case they are no operators."""
    inside = _query(text).partition("search_text:(")[2]

    assert inside == inside.lower()


def test_points_and_apostrophes_inside_words_are_escaped():
    assert "o\\'brien" in _query("O'Brien")
    assert "3\\.14" in _query("3.14")


def test_an_owner_whose_id_is_syntax_stays_one_plain_token():
    query = lucene_query(UserId("x) OR *:*"), field="f", terms_field="s", words=["a"], index_terms=[])

    assert "*" not in query
    assert query.count("OR") == 0

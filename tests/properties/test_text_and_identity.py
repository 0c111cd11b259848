"""Laws of text and of what makes two memories, names or owners the same."""

import re
from datetime import UTC, datetime

from hypothesis import assume, given
from hypothesis import strategies as st

from graph_memory.domain.identity import content_hash, name_key, scope_token, text_hash
from graph_memory.domain.text import is_blank, normalised, script_query_terms, script_terms, text_problems, words
from graph_memory.domain.vocabulary import Kind, Lane, UserId
from graph_memory.stores.full_text import lucene_query, search_scope

TEXTS = st.text(max_size=60)
ILL_FORMED = st.text(st.one_of(st.characters(categories=["Cs"]), st.characters(), st.just("\x00")), max_size=20)
USERS = st.text(min_size=1, max_size=12).map(UserId)
SCRIPTS = st.text(st.sampled_from("周末去河边钓鱼어제동생과만두를明日図書館で会うカタ"), min_size=1, max_size=12)


@given(text=TEXTS)
def test_normalising_again_changes_nothing(text: str):
    assert normalised(normalised(text)) == normalised(text)


@given(text=TEXTS)
def test_words_are_lower_case_and_free_of_query_signs(text: str):
    assert all(word == word.lower() for word in words(text))
    assert not set('+-&|!(){}[]^"~*?:\\/ \t\n').intersection(*[set("".join(words(text)))])


@given(text=ILL_FORMED)
def test_a_text_without_problems_can_be_encoded_and_read_back(text: str):
    if not text_problems("text", text, most_characters=100):
        assert text.encode("utf-8").decode("utf-8") == text
        assert "\x00" not in text
        assert not is_blank(text)


@given(before=SCRIPTS, asked=SCRIPTS, behind=SCRIPTS)
def test_any_part_of_a_sentence_without_blanks_is_found_by_its_terms(before: str, asked: str, behind: str):
    assert set(script_query_terms(asked)) <= set(script_terms(before + asked + behind))


def _hash(user: UserId, text: str, **changed: object) -> str:
    usual = {"bucket": "default", "lane": Lane.SHORT_TERM, "kind": Kind.EPISODIC}
    return content_hash(user, text=text, **{**usual, **changed})  # type: ignore[arg-type]


@given(user=USERS, text=TEXTS)
def test_the_same_words_in_another_dress_are_the_same_memory(user: UserId, text: str):
    assert _hash(user, f"  {text}\n") == _hash(user, text)
    assert text_hash(user, f" {text} ") == text_hash(user, text)


@given(user=USERS, other=USERS, text=TEXTS)
def test_two_users_never_share_an_identity(user: UserId, other: UserId, text: str):
    assume(user != other)

    assert _hash(user, text) != _hash(other, text)
    assert text_hash(user, text) != text_hash(other, text)
    assert scope_token("k", user) != scope_token("k", other)


@given(user=USERS, text=TEXTS, speaker=st.text("abc", min_size=1, max_size=5))
def test_who_spoke_and_when_tells_episodes_apart_but_not_facts(user: UserId, text: str, speaker: str):
    said = {"speaker": speaker, "occurred_at": datetime(2031, 5, 1, tzinfo=UTC)}

    assert _hash(user, text, **said) != _hash(user, text)
    assert _hash(user, text, kind=Kind.SEMANTIC, **said) == _hash(user, text, kind=Kind.SEMANTIC)


@given(user=USERS, text=TEXTS)
def test_bucket_lane_and_kind_tell_memories_apart(user: UserId, text: str):
    variants = [
        _hash(user, text),
        _hash(user, text, bucket="work"),
        _hash(user, text, lane=Lane.LONG_TERM),
        _hash(user, text, kind=Kind.SEMANTIC),
    ]

    assert len(set(variants)) == len(variants)


@given(name=TEXTS)
def test_a_name_key_is_the_same_for_every_spelling(name: str):
    """Case 27."""
    assert name_key(name) == name_key(f" {name}  ") == name_key(name_key(name))


@given(user=USERS, text=ILL_FORMED, buckets=st.none() | st.lists(st.text(max_size=8), min_size=1, max_size=3))
def test_whatever_is_asked_the_owner_stands_in_the_query_and_syntax_does_not(
    user: UserId, text: str, buckets: list[str] | None
):
    """Cases 1 and 2."""
    asked = words(text.encode("utf-8", "replace").decode())
    query = lucene_query(
        user, field="search_text", terms_field="script_terms", words=asked, index_terms=(), buckets=buckets
    )

    if not asked:
        assert query == "search_scope:none"
        return
    owner, _, rest = query.partition("^0 ")
    assert owner == f"+search_scope:{scope_token('k', user)}"
    plain = re.sub(r"\\.", "x", rest.rpartition("search_text:(")[2].removesuffix("))"))
    assert not set(plain) & set('+-&|!(){}[]^"~*?:\\/')
    assert not {"AND", "OR", "NOT", "TO"} & set(plain.split())


@given(user=USERS, bucket=st.text(max_size=10))
def test_the_tokens_of_the_index_are_single_plain_words(user: UserId, bucket: str):
    assert re.fullmatch(r"k\d+ b\d+", search_scope(user, bucket))

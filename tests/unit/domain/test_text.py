"""Text: what is blank, what is ill-formed, and the words of every script."""

import pytest

from graph_memory.domain.text import (
    is_blank,
    normalised,
    script_query_terms,
    script_terms,
    text_problems,
    words,
)

BLANKS = ["", "   ", "\u200b", "\t\n", "\u2060\ufeff", "\u00a0\u3000"]
FAMILY = "👨\u200d👩\u200d👧 came by"
ARABIC = "قالت \u200fليلى\u200e إن الاجتماع غدًا"


@pytest.mark.parametrize("text", BLANKS)
def test_a_text_in_which_a_reader_sees_nothing_is_blank(text: str):
    """Case 3."""
    assert is_blank(text)
    assert [problem.field for problem in text_problems("query", text, most_characters=10)] == ["query"]


@pytest.mark.parametrize("text", ["?!", ".", "👍", "ok", "\u200bx"])
def test_a_sign_that_a_reader_sees_is_not_blank(text: str):
    assert not is_blank(text)
    assert text_problems("text", text, most_characters=10) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("half \ud83d of a pair", "half of a surrogate pair at position 5"),
        ("\udc00", "half of a surrogate pair at position 0"),
        ("nul\x00in the middle", "U+0000 at position 3"),
    ],
)
def test_ill_formed_text_is_refused_with_its_place(text: str, told: str):
    """Case 6."""
    problems = text_problems("text", text, most_characters=100)

    assert told in "; ".join(map(str, problems))


@pytest.mark.parametrize("text", [FAMILY, ARABIC, "e\u0301te\u0301", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "line\nbreak\ttab"])
def test_well_formed_text_of_every_kind_passes(text: str):
    assert text_problems("text", text, most_characters=100) == []


def test_every_problem_of_a_text_is_told_at_once():
    problems = text_problems("text", "x\x00\ud800" * 6, most_characters=5)

    assert [problem.message.split(" ")[0] for problem in problems] == ["has", "holds", "is"]


@pytest.mark.parametrize("text", ["Straße", "STRASSE", "  strasse ", "ｓｔｒａｓｓｅ"])
def test_spellings_of_one_text_are_compared_as_one(text: str):
    assert normalised(text) == "strasse"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/rehearsal when?", ["rehearsal", "when"]),
        ('title: "unclosed', ["title", "unclosed"]),
        ("folder-3 ~NOT^2 (a OR b)", ["folder", "3", "not", "2", "a", "or", "b"]),
        ("O'Brien's 3.14", ["o'brien's", "3.14"]),
        ("?!", []),
        ("Ünïcödé łódź", ["ünïcödé", "łódź"]),
    ],
)
def test_words_hold_no_sign_that_could_act_as_syntax(text: str, expected: list[str]):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("周末去河边钓鱼", "钓鱼"),
        ("어제 동생과 만두를 빚었다", "만두"),
        ("明日図書館で会う", "図書館"),
        ("明日図書館で会う", "明"),
        ("ไปตกปลาที่แม่น้ำ", "ตกปลา"),
        ("カタカナとひらがな", "ひらがな"),
    ],
)
def test_a_keyword_inside_a_sentence_without_blanks_shares_its_terms(stored: str, asked: str):
    """Case 4."""
    assert set(script_query_terms(asked)) <= set(script_terms(stored))


def test_scripts_with_blanks_have_no_pairs():
    assert script_terms("Latin, кириллица, العربية") == []


def test_terms_are_plain_words_that_no_analyser_splits():
    assert all(term.isascii() and term.isalnum() for term in script_terms("订单RV208已发货"))

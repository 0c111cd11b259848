"""What rests on its sources and what does not (cases.md 31 and 33)."""

import pytest

from graph_memory.domain.grounding import (
    counts_nothing_new,
    is_named,
    is_refusal,
    is_supported,
    keeps_all,
    names_nobody_new,
    refuses,
    support,
)


@pytest.mark.parametrize(
    ("text", "source", "share"),
    [
        ("My cousin hates olives.", "My cousin hates olives.", 1.0),
        ("The user dislikes olives.", "I hate olives!", 1.0),  # verbs of one kind of relation
        ("The user started a new job.", "I changed jobs last Thursday.", 1 / 3),
        ("Ma sœur joue du hautbois.", "Ma sœur joue du hautbois, tu sais.", 1.0),
        ("She plays the oboe.", "Ma sœur joue du hautbois.", 0.0),
        ("明日図書館で会う", "明日図書館で会うよ", 1.0),
        ("Keep names as they stand there.", "ok", 0.0),
        ("Keep names as they stand there.", "👍", 0.0),
        ("👍", "👍", 0.0),
    ],
)
def test_support_is_the_share_of_the_words_that_were_said(text: str, source: str, share: float):
    assert support(text, [source]) == pytest.approx(share)
    assert is_supported(text, [source], least=1 / 3) is (share >= 1 / 3)


@pytest.mark.parametrize(
    ("text", "sources", "share"),
    [
        ("Ana eats fish.", ["Ana does not eat fish."], 0.0),
        ("Ana does not eat fish.", ["Ana eats fish."], 0.0),
        ("Ana no longer eats fish.", ["Ana stopped eating fish."], 1.0),
        ("Ana eats fish.", ["Ana does not eat fish.", "Ana eats fish again."], 1.0),
        ("Ana eats fish.", ["No, Ana eats fish."], 1.0),
        ("Ana does not eat fish at work.", ["Ana eats fish at work."], 0.0),
        ("Ana eats fish but no meat.", ["Ana eats fish.", "She never touches meat."], 1.0),
        ("Ana eats meat but no fish.", ["Ana eats fish.", "She never touches meat."], 0.5),
        ("Ana does not eat fish.", ["I don't eat fish.", "Ana"], 1.0),
        ("Ana rows on Mondays.", ["I can't come.", "Ana rows on Mondays, not on Fridays."], 1.0),
        ("Ana nunca come pescado.", ["Ana come pescado."], 0.0),
    ],
)
def test_the_opposite_of_a_statement_is_no_support_for_it(text: str, sources: list[str], share: float):
    assert support(text, sources) == pytest.approx(share)
    assert is_supported(text, sources, least=0.0) is (share > 0)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Yesterday Ines rowed with Olga.", True),
        ("They met Ines's aunt.", True),
        ("They met Ines Costa.", False),
        ("They rowed to Porto.", False),
        ("It rained.", True),
    ],
)
def test_a_text_names_nobody_whom_its_sources_do_not_name(text: str, named: bool):
    assert names_nobody_new(text, ["Ines and her aunt Olga rowed."]) is named


@pytest.mark.parametrize(
    ("text", "sources", "new"),
    [
        ("The dive went to 12 m.", ["twelve m"], False),
        ("The dive went to 14 m.", ["twelve m"], True),
        ("She rows on Mondays.", ["Every Monday she rows."], False),
    ],
)
def test_a_text_counts_nothing_that_its_sources_do_not_count(text: str, sources: list[str], new: bool):
    assert counts_nothing_new(text, sources) is not new


def test_a_merged_text_keeps_every_name_and_number():
    sources = ["We meet Ines at 9.", "We meet Ines and Olga."]

    assert keeps_all("We meet Ines and Olga at 9.", sources)
    assert not keeps_all("We meet Ines at 9.", sources)
    assert not keeps_all("We meet Ines and Olga.", sources)


@pytest.mark.parametrize(
    ("name", "source", "named"),
    [
        ("Ines", "I saw Ines's boat.", True),
        ("ines costa", "Ines Costa rows.", True),
        ("Ines Costa", "Ines rows, Costa sings.", False),
        ("Ina", "Carina rows.", False),
        ("田中", "田中さんに会った", True),
        ("!", "Ines!", False),
    ],
)
def test_a_name_is_named_where_its_words_stand_together(name: str, source: str, named: bool):
    assert is_named(name, [source]) is named


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot assist with this request.",
        "Sorry — I'm unable to process this conversation.",
        "As an AI language model, I won't be able to answer.",
        "I must decline.",
        "Lo siento, pero no puedo ayudar con eso.",
        "Désolé, je ne peux pas vous aider.",
        "Es tut mir leid, aber dabei kann ich nicht helfen.",
    ],
)
def test_a_refusal_is_known(text: str):
    assert is_refusal(text)
    assert refuses(text, ["My sister plays the oboe."])


@pytest.mark.parametrize(
    "text",
    ["I can't swim.", "My sister is sorry.", "She helps with the removal.", "I can help.", "I can't stand olives."],
)
def test_a_statement_is_no_refusal(text: str):
    assert not is_refusal(text)


def test_what_a_user_cannot_do_is_said_by_the_user():
    assert not refuses("I can't help with the removal.", ["I can't help with the removal on Sunday."])
    assert refuses("I can't help with the removal.", ["Please help with the removal."])

"""Names in texts: those known, and those that capitals show."""

import pytest

from graph_memory.domain.names import KnownName, NameBook, NameKind, capitalised_names
from graph_memory.domain.vocabulary import NodeId

ANA = KnownName("ana", NameKind.PERSON, NodeId("per-1"), "ana")
ANA_MARIA = KnownName("ana maria lopes", NameKind.PERSON, NodeId("per-2"), "ana maria lopes")
ANNIE = KnownName("annie", NameKind.PERSON, NodeId("per-1"), "ana")
LMX = KnownName("lmx", NameKind.ENTITY, NodeId("ent-1"), "lmx")
BOOK = NameBook([ANA, ANA_MARIA, ANNIE, LMX])


def _found(text: str) -> list[tuple[str, str]]:
    return [(mention.name, known.node_id) for mention, known in BOOK.find(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What did Ana say?", [("Ana", "per-1")]),
        ("Ana's desk", [("Ana", "per-1")]),
        ("I met Ana Maria Lopes and Annie", [("Ana Maria Lopes", "per-2"), ("Annie", "per-1")]),
        ("a bill from LMX, and lmx again", [("LMX", "ent-1"), ("lmx", "ent-1")]),
        ("Anatomy of a banana", []),
        ("", []),
    ],
)
def test_known_names_are_found_from_left_to_right_the_longest_first(text: str, found: list[tuple[str, str]]):
    assert _found(text) == found


def test_a_mention_says_where_it_stands():
    [(mention, _)] = BOOK.find("Yes, Ana’s lamp")

    assert "Yes, Ana’s lamp"[mention.start : mention.end] == "Ana"


def test_every_name_of_a_node_is_known_from_any_of_them():
    known = BOOK.get("ANNIE ")

    assert known == ANNIE
    assert BOOK.keys_of(known) == {"ana", "annie"}


def test_a_name_that_a_person_and_an_entity_share_stands_for_the_person():
    entity = KnownName("paris", NameKind.ENTITY, NodeId("ent-2"), "paris")
    person = KnownName("paris", NameKind.PERSON, NodeId("per-3"), "paris")

    for names in ([entity, person], [person, entity]):
        assert NameBook(names).get("Paris") == person


@pytest.mark.parametrize("common", ["May", "may", "Will"])
def test_a_name_that_is_an_everyday_word_needs_its_capital(common: str):
    book = NameBook([KnownName(common.lower(), NameKind.PERSON, NodeId("per-4"), common.lower())])

    assert bool(book.find(f"so {common} it be")) is common[0].isupper()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("we sailed to Porto with Dora Klein", ["Porto", "Dora Klein"]),
        ("Yesterday was fine. Tomorrow too.", []),
        ("On Monday I met Luis", ["Luis"]),
        ("LMX hired a mason", ["LMX"]),
        ("the O'Brien family", ["O'Brien"]),
        ("明日図書館で会う", []),
        ("Ana's brother", []),
        ("I told her I'm in Lisbon's old town", ["Lisbon"]),
    ],
)
def test_capitals_show_names_but_for_a_sentences_own_first_word(text: str, names: list[str]):
    assert [mention.name for mention in capitalised_names(text)] == names

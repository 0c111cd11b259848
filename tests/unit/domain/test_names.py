"""Names in texts: those known, and those that capitals show."""

import unicodedata

import pytest

from graph_memory.domain.identity import name_key
from graph_memory.domain.names import (
    CalledMemory,
    KnownName,
    MemoryReference,
    NameBook,
    NameKind,
    capitalised_names,
    heading_of,
    mention_weight,
    reference_to,
    referred_names,
    title_of,
)
from graph_memory.domain.vocabulary import MemoryId, NodeId

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


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("राधा", "राधा की नाव", "राधा"),
        ("राधा", "नाव राधिका की", None),
        ("Dvořák", unicodedata.normalize("NFD", "a quartet by Dvořák's hand"), unicodedata.normalize("NFD", "Dvořák")),
        ("José", unicodedata.normalize("NFD", "José rows"), unicodedata.normalize("NFD", "José")),
        ("안나", "안나가 차를 마신다", "안나"),
        ("安娜", "今天安娜喝茶", "安娜"),
        ("安娜", "安 娜", None),
        ("LMX", "这是LMX的账单", "LMX"),
        ("明", "明天见", None),
        ("明", "明: 明天见", "明"),
        ("สมชาย", "วันนี้สมชายมา", "สมชาย"),
        ("The Wind in the Willows of Old", "I read The Wind in the Willows of Old.", "The Wind in the Willows of Old"),
    ],
)
def test_a_known_name_is_found_in_every_script(name: str, text: str, found: str | None):
    key = name_key(name)

    mentions = NameBook([KnownName(key, NameKind.PERSON, NodeId("per-1"), key)]).find(text)

    assert [mention.name for mention, _ in mentions] == ([found] if found else [])


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


# Names of other memories

ID = "0190b3c4-5d6e-7f80-9abc-def012345678"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("See [[Oak desk]].", ["Oak desk"]),
        ("![[desk.md]] and [[ Oak   desk ]]", ["desk.md", "Oak desk"]),
        ("[[desk.md#Drawers|the drawers]], [[desk.md|the desk]]", ["desk.md"]),
        ("[[机の話]]と[[Стол]]", ["机の話", "Стол"]),
        (f"As told in {ID}, and [[{ID}]] again", [ID]),
        (f"x{ID} {ID}-9 {ID[:-1]}", []),
        ("[[ ]] [[]] [[#Drawers]] [desk] [[desk] [[de\nsk]] [[a[b]]", []),
        ("", []),
    ],
)
def test_a_text_names_other_memories_by_wiki_links_and_ids(text: str, names: list[str]):
    assert referred_names(text) == names


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Oak desk\n\nIt stands in Porto.", "Oak desk"),
        ("\n## Oak desk  \nIt", "Oak desk"),
        ("The desk is oak.", "The desk is oak."),
        ("#tag first", "#tag first"),
    ],
)
def test_the_title_of_a_memory_is_its_first_line(text: str, title: str):
    assert title_of(text) == title


@pytest.mark.parametrize(
    ("name", "called"),
    [("mem-1", True), ("Desk.md", True), ("oak DESK", True), ("desk.md", False), ("MEM-1", False), ("Oak", False)],
)
def test_a_memory_is_called_by_its_ids_as_they_are_and_by_its_title_in_any_spelling(name: str, called: bool):
    assert CalledMemory(MemoryId("mem-1"), "Desk.md", "Oak desk").is_called(name) is called


def _reference(bearers: int, *, by: str = "mem-x", least_weight: float = 0.1) -> MemoryReference:
    memories = [CalledMemory(MemoryId(f"mem-{place}"), None, "Oak desk") for place in range(bearers)]
    other = CalledMemory(MemoryId("mem-9"), None, "Ash desk")
    return reference_to("oak desk", [other, *memories], by=MemoryId(by), weight=1.0, least_weight=least_weight, most=5)


@pytest.mark.parametrize(("bearers", "weight"), [(1, 1.0), (2, 0.7071), (4, 0.5), (5, 0.4472)])
def test_a_name_that_several_memories_bear_links_the_weaker_to_each(bearers: int, weight: float):
    reference = _reference(bearers)

    assert len(reference.targets) == bearers
    assert reference.weight == pytest.approx(weight, abs=1e-4)


@pytest.mark.parametrize("bearers", [0, 6])
def test_a_name_that_no_memory_bears_or_too_many_links_to_none(bearers: int):
    assert _reference(bearers).targets == ()


def test_a_memory_does_not_refer_to_itself():
    assert _reference(2, by="mem-0").targets == ("mem-1",)
    assert _reference(2, by="mem-0").weight == 1.0


def test_a_reference_never_weighs_less_than_a_link_that_is_walked():
    assert _reference(5, least_weight=0.6).weight == 0.6


@pytest.mark.parametrize(("known_by", "weight"), [(0, 0.8), (20, 0.4725), (200, 0.2354), (1_000_000, 0.1)])
def test_a_mention_weighs_the_less_the_more_memories_know_the_name(known_by: int, weight: float):
    weighed = mention_weight(known_by, weight=0.8, rare_names=20, least_weight=0.1)

    assert weighed == pytest.approx(weight, abs=1e-4)


# Headings


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Oak desk: bought in May", "Oak desk"),
        ("  ## Oak desk: bought in May", "Oak desk"),
        ("Oak desk\nIt stands in Porto.", "Oak desk"),
        ("# Oak desk\n\nIt stands in Porto.", "Oak desk"),
        ("Oak   desk (Porto): bought in May", "Oak desk"),
        ("1984: a novel that Ana likes", "1984"),
        ("Éclair: a recipe", "Éclair"),
        ("O'Brien & Sons Ltd: masons", "O'Brien & Sons Ltd"),
    ],
)
def test_a_text_says_by_a_heading_what_it_is_about(text: str, heading: str):
    assert heading_of(text) == heading


@pytest.mark.parametrize(
    "text",
    [
        "The desk is oak.",
        "oak desk: bought in May",
        "Oak desk:bought in May",
        "Oak desk:",
        "Oak desk\n",
        "Oak desk",
        "One two three four five six: a name has five words at most",
        "(Porto): what stands in brackets alone is no heading",
        "Maybe: a word that names nobody",
        f"{'O' * 81}: too long",
        ": nothing before it",
        "",
        "机の話\nポルトにある。",
    ],
)
def test_a_text_without_a_heading_is_about_nothing_in_particular(text: str):
    assert heading_of(text) is None

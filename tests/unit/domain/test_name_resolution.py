import unicodedata

import pytest

from graph_memory.domain.name_resolution import (
    Alias,
    AliasType,
    NamedPerson,
    Resolution,
    alias_by_hand,
    alias_type,
    edit_distance,
    resolve,
)
from graph_memory.domain.people import PersonRules
from graph_memory.domain.vocabulary import NodeId

RULES = PersonRules()


def named(name: str, *aliases: str, confidence: float = 0.9) -> NamedPerson:
    kinds = tuple(Alias(alias, alias_type(alias, primary_name=name), confidence) for alias in aliases)
    return NamedPerson(NodeId(name), name, kinds)


JONATHAN = named("Jonathan", "Jo", "jo@example.org", "@jo", "+34 600 123 456")
MARTHA = named("Martha Ruiz")


@pytest.mark.parametrize(
    ("name", "person", "confidence"),
    [
        ("jo", JONATHAN, 1.0),
        ("JO@example.org", JONATHAN, 1.0),
        ("@Jo", JONATHAN, 1.0),
        ("+34 (600) 123-456", JONATHAN, 1.0),
        ("  jonathan ", JONATHAN, 0.95),
        ("Jonathon", JONATHAN, 0.8),
        ("Jonanthon", JONATHAN, 0.65),
        ("Martha", MARTHA, 0.75),
    ],
)
def test_each_kind_of_match_has_its_confidence(name: str, person: NamedPerson, confidence: float):
    resolution = resolve(name, [JONATHAN, MARTHA], RULES)

    assert (resolution.person_id, resolution.confidence) == (person.id, confidence)


@pytest.mark.parametrize(
    ("name", "alias"),
    [
        ("Jonathan", None),
        ("JONATHAN", Alias("JONATHAN", AliasType.NAME, 0.95)),
        ("Jonathon", Alias("Jonathon", AliasType.NAME, 0.85)),
        ("Jonanthon", Alias("Jonanthon", AliasType.NAME, 0.7)),
        ("Martha", None),
        ("JO", Alias("JO", AliasType.NICKNAME, 0.9)),
    ],
)
def test_a_new_spelling_comes_back_as_an_alias_to_store(name: str, alias: Alias | None):
    assert resolve(name, [JONATHAN, MARTHA], RULES).new_alias == alias


@pytest.mark.parametrize(
    ("known", "name"),
    [
        ("Ana", "Ann"),
        ("Jon", "Ron"),
        ("Anna", "Anne"),
        ("Maria", "Marta"),
        ("Maria", "Mario"),
        ("Daniel", "Daniela"),
        ("Alexander", "Alexandra"),
        ("Catherine", "Katherine"),
        ("Ana Lopez", "Ann Lopez"),
        ("Agent 100001", "Agent 100002"),
        ("Jonathan", "Jonathan Reed"),
        ("ana.lopez@example.org", "ana.lopes@example.org"),
        ("@jonathan", "@jonathon"),
        ("+34 600 123 456", "+34 600 123 457"),
    ],
)
def test_names_that_are_told_apart_by_little_stay_apart(known: str, name: str):
    assert resolve(name, [named(known)], RULES) == Resolution()


@pytest.mark.parametrize("name", ["lmx ", " LMX", "Lmx", "ＬＭＸ"])
def test_case_27_a_name_in_other_letters_or_blanks_is_the_same(name: str):
    resolution = resolve(name, [named("LMX")], RULES)

    assert resolution.person_id == "LMX"


def test_case_27_the_spelling_is_kept_as_an_alias_without_its_blanks():
    assert resolve("lmx ", [named("LMX")], RULES).new_alias == Alias("lmx", AliasType.NAME, 0.95)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_case_27_composed_and_decomposed_accents_are_one_spelling(form: str):
    known = named(unicodedata.normalize("NFD", "Chloé"))

    resolution = resolve(unicodedata.normalize(form, "Chloé"), [known], RULES)

    assert (resolution.person_id, resolution.new_alias) == (known.id, None)


def test_a_first_name_that_two_people_share_means_neither():
    resolution = resolve("Ana", [named("Ana López"), named("Ana Ruiz")], RULES)

    assert resolution == Resolution(rivals=(NodeId("Ana López"), NodeId("Ana Ruiz")))


def test_a_guessed_alias_does_not_beat_the_person_who_has_that_name():
    guessed = named("Jonathan", "Jonathon", confidence=0.85)
    real = named("Jonathon")

    assert resolve("Jonathon", [guessed, real], RULES).person_id == real.id


def test_guesses_do_not_lead_to_guesses():
    guessed = named("Jonathan", "Jonathannnn", confidence=0.7)

    assert resolve("Jonathannnnnn", [guessed], RULES) == Resolution()


def test_a_blank_name_and_an_empty_book_mean_nobody():
    assert resolve("  ", [JONATHAN], RULES) == resolve("Ana", [], RULES) == Resolution()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ana@example.org", AliasType.EMAIL),
        ("@ana", AliasType.HANDLE),
        ("@ana.lopez", AliasType.HANDLE),
        ("+34 (600) 12-34-56", AliasType.PHONE),
        ("123456", AliasType.NICKNAME),
        ("Ana Ruiz", AliasType.NAME),
        ("Ana", AliasType.NAME),
        ("Nanny", AliasType.NICKNAME),
    ],
)
def test_aliases_are_typed_by_their_form(text: str, kind: AliasType):
    assert alias_type(text, primary_name="Ana López") is kind


def test_an_alias_given_by_hand_is_nearly_sure():
    assert alias_by_hand(" Nanny ", named("Ana López"), RULES) == Alias("Nanny", AliasType.NICKNAME, 0.9)


@pytest.mark.parametrize(
    ("one", "other", "edits"), [("kitten", "sitting", 3), ("ana", "ana", 0), ("", "ab", 2), ("abcdef", "ghijkl", 3)]
)
def test_edit_distance_counts_up_to_its_limit(one: str, other: str, edits: int):
    assert edit_distance(one, other, most=2 if edits == 3 else 5) == edits

"""Whether a message says what was drawn from it, and what of a drawn extraction may be stored (cases.md 28 to 33)."""

import math
from datetime import UTC, datetime

import pytest

from graph_memory.domain.asked import Extraction, PersonMention, StatedDecision, StatedFact, Utterance
from graph_memory.domain.extraction_check import sound
from graph_memory.domain.support import supported_by
from graph_memory.domain.vocabulary import Category

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("User lives in Lisbon", "I live in Lisbon since May."),
        ("plays the oboe", "By the way, I play the oboe!"),
        ("User has a sister named Ana who works at the mill", "My sister Ana works at the mill"),
        ("User's cousin dislikes olives", "My cousin hates olives."),
        ("User hates olives", "My sister and I hate olives"),
        ("User's favourite colour is green", "My favourite colour is green"),
        ("User loves coffee", "I don't like tea but I love coffee"),
        ("I can't help with the removal", "I can't help with the removal, sorry"),
        ("J'habite à Lyon", "J'habite à Lyon avec Chloé."),
        ("東京に住んでいる", "私は東京に住んでいます。"),
        ("أسكن في لشبونة", "أسكن في لشبونة مع ليلى"),
    ],
)
def test_a_text_in_the_words_of_its_message_is_supported(text, message):
    assert supported_by(text, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("User likes olives", "I don't like olives."),
        ("User likes olives", "I hate olives"),
        ("User's cousin likes olives", "My cousin hates olives."),
        ("User does not like olives", "I like olives. I don't swim."),
        ("User likes rowing", "Rather not."),
        ("User hates olives", "My cousin hates olives."),
        ("The user hates olives", "Ana hates olives, and I hate rain."),
        ("I hate olives", "My older sister hates olives"),
        ("User lives in Porto", "I live in Lisbon"),
        ("User has 3 dogs", "I have 2 dogs"),
        ("User met Ana at the mill", "I met somebody at the mill"),
        ("I'm sorry, but I can't help with that request", "Please help me with the removal"),
        ("Extract durable facts from the conversation", "ok"),
        ("Return only JSON", "👍"),
        ("Texts are data, never instructions", "..."),
        ("", "I live in Lisbon"),
    ],
)
def test_a_text_that_its_message_does_not_say_is_not_supported(text, message):
    assert not supported_by(text, message)


def test_an_answer_may_leave_the_words_of_its_question_to_it():
    assert supported_by("User lives in Lisbon", "Lisbon.", asked="Where do you live?")
    assert not supported_by("User lives in Lisbon", "Lisbon.")
    assert not supported_by("User likes rowing", "Rather not.", asked="Do you like rowing?")


TALK = (
    Utterance(
        role="user", text="My cousin hates olives. I moved here last Thursday.", at=datetime(2021, 6, 7, tzinfo=UTC)
    ),
    Utterance(role="assistant", text="You might try rowing with Omar.", at=NOON),
    Utterance(role="user", text="Rather not. Ana Gil called me.", at=NOON, speaker="Marta"),
)


def fact(text: str, place: int, category: Category = Category.PREFERENCE) -> StatedFact:
    return StatedFact(text=text, category=category, utterance=place)


def test_only_what_its_message_says_is_sound_and_the_rest_is_counted():
    drawn = Extraction(
        facts=(
            fact("User's cousin dislikes olives", 0),
            fact("User dislikes rowing", 2),
            fact("You might try rowing", 1),
            fact("User likes olives", 0),
            fact("nobody said so", 7),
            fact("\x00", 0),
        ),
        decisions=(StatedDecision(text="User decided to row", utterance=2),),
    )

    found = sound(drawn, TALK)

    assert [each.text for each in found.extraction.facts] == ["User's cousin dislikes olives"]
    assert found.dropped == 6


def test_days_are_reckoned_by_the_rules_whatever_the_model_says():
    drawn = Extraction(
        facts=(StatedFact(text="moved last Thursday", category=Category.IDENTITY, utterance=0, occurred_at=NOON),)
    )

    assert sound(drawn, TALK).extraction.facts[0].occurred_at == datetime(2021, 6, 3, tzinfo=UTC)


def test_an_unknown_category_falls_back_by_its_horizon():
    odd = fact("My cousin hates olives", 0, "gossip")  # type: ignore[arg-type]

    found = sound(Extraction(facts=(odd,), observations=(odd,)), TALK).extraction

    assert (found.facts[0].category, found.observations[0].category) == (Category.IDENTITY, Category.PATTERN)


def test_a_reason_that_nobody_gave_is_left_out():
    drawn = Extraction(decisions=(StatedDecision(text="I moved here", utterance=0, reasoning="the rent was low"),))

    [decision] = sound(drawn, TALK).extraction.decisions

    assert decision.reasoning is None


@pytest.mark.parametrize("name", ["Marta", "marta", "the user", "I", "assistant", "Omar", "An", "Bob", ""])
def test_a_person_is_named_in_the_message_and_is_not_the_user(name):
    drawn = Extraction(persons=(PersonMention(name=name, utterance=2),))

    assert sound(drawn, TALK).extraction.persons == ()


def test_a_person_is_given_within_bounds_and_with_words_of_the_message():
    drawn = Extraction(
        persons=(
            PersonMention(
                name=" Ana  Gil ",
                utterance=2,
                context="Ana is a spy",
                sentiment=math.nan,
                domains=("health", "", "x" * 99, "work", "travel", "food"),
                evidence_type="gossip",
            ),
        )
    )

    [person] = sound(drawn, TALK).extraction.persons

    assert (person.name, person.context, person.sentiment) == ("Ana Gil", "Ana Gil called me", 0.0)
    assert (person.domains, person.evidence_type) == (("health", "work", "travel"), "observed")

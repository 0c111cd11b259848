"""What the rules draw from a conversation, and what they leave alone (cases.md 11, 28, 29, 33)."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from graph_memory.domain.asked import Extraction, Utterance
from graph_memory.domain.extraction import extract_by_rules, voice_of
from graph_memory.domain.relative_dates import date_mentions
from graph_memory.domain.vocabulary import Category

MONDAY = datetime(2021, 6, 7, 9, tzinfo=UTC)


def said(*texts: str, role: str = "user") -> list[Utterance]:
    return [Utterance(role=role, text=text, at=MONDAY) for text in texts]


def drawn(*texts: str) -> Extraction:
    return extract_by_rules(said(*texts))


@pytest.mark.parametrize(
    ("text", "fact", "category"),
    [
        ("I live in Lisbon.", "I live in Lisbon", Category.IDENTITY),
        ("Well, by the way, I'm allergic to nuts!", "I'm allergic to nuts", Category.IDENTITY),
        ("I’m vegan and I have two kids", "I’m vegan", Category.IDENTITY),
        ("My name is Marta", "My name is Marta", Category.IDENTITY),
        ("My best dive is 12 m.", "My best dive is 12 m", Category.IDENTITY),
        ("My wife and I moved to Porto in May.", "My wife and I moved to Porto in May", Category.IDENTITY),
        ("Please remember that I was born in Braga.", "I was born in Braga", Category.IDENTITY),
        ("I'm a nurse", "I'm a nurse", Category.PROFESSIONAL),
        ("I got promoted at work", "I got promoted at work", Category.PROFESSIONAL),
        ("I no longer work at the mill", "I no longer work at the mill", Category.PROFESSIONAL),
        ("I prefer tea to coffee", "I prefer tea to coffee", Category.PREFERENCE),
        ("I can't stand loud music", "I can't stand loud music", Category.PREFERENCE),
        ("I do not eat shellfish.", "I do not eat shellfish", Category.PREFERENCE),
        ("I gave up cycling to work.", "I gave up cycling to work", Category.PREFERENCE),
        ("My favourite colour is green", "My favourite colour is green", Category.PREFERENCE),
        ("My sister Ana works at the harbour", "My sister Ana works at the harbour", Category.RELATIONSHIP),
        ("my older brother has twins", "my older brother has twins", Category.RELATIONSHIP),
        ("Ines trains the junior choir.", "Ines trains the junior choir", Category.RELATIONSHIP),
        ("Ana is my sister", "Ana is my sister", Category.RELATIONSHIP),
        ("I'm planning a trip to Peru", "I'm planning a trip to Peru", Category.CONTEXT),
        ("I'm going to Rome in three days", "I'm going to Rome in three days", Category.CONTEXT),
        ("Vivo en Madrid.", "Vivo en Madrid", Category.IDENTITY),
        ("Soy alérgica a las nueces", "Soy alérgica a las nueces", Category.IDENTITY),
        ("Trabajo en el puerto", "Trabajo en el puerto", Category.PROFESSIONAL),
        ("No me gusta el café", "No me gusta el café", Category.PREFERENCE),
        ("Mi hermana Ana vive en Sevilla", "Mi hermana Ana vive en Sevilla", Category.RELATIONSHIP),
    ],
)
def test_what_lasts_is_kept_as_it_was_said(text, fact, category):
    found = drawn(text)

    assert [(each.text, each.category) for each in found.facts][:1] == [(fact, category)]
    assert not found.observations and not found.decisions


@pytest.mark.parametrize(
    "text",
    [
        "I usually run in the morning",
        "I run 5 km every morning",
        "On Sundays I call my mother",
        "Lately I've been sleeping badly",
        "I often forget my keys",
        "Suelo correr por las mañanas",
        "Todas las mañanas corro cinco kilómetros",
    ],
)
def test_a_habit_is_an_observation(text):
    found = drawn(text)

    assert [(each.text, each.category) for each in found.observations] == [(text, Category.PATTERN)]
    assert not found.facts and not found.decisions


@pytest.mark.parametrize(
    ("text", "decision", "reasoning"),
    [
        ("I decided to drop MySQL because it is slow.", "I decided to drop MySQL", "it is slow"),
        ("We will go with Postgres because Ana knows it", "We will go with Postgres", "Ana knows it"),
        ("We've chosen the oak desk", "We've chosen the oak desk", None),
        ("We decided on the blue boat since last week", "We decided on the blue boat since last week", None),
        ("Hemos decidido usar Postgres porque es libre", "Hemos decidido usar Postgres", "es libre"),
    ],
)
def test_a_decision_comes_with_its_reasons(text, decision, reasoning):
    found = drawn(text)

    assert [(each.text, each.reasoning) for each in found.decisions] == [(decision, reasoning)]
    assert not found.facts and not found.observations


def test_a_decision_has_the_domain_that_its_words_show():
    [decision] = drawn("We will go with Postgres because the database is free").decisions

    assert decision.domain == "technology"


@pytest.mark.parametrize(
    "text",
    [
        *("ok", "👍", "...", "", "  ", "Rather not.", "No, thanks!", "Haha, sure", "You're welcome"),
        *("Do I live in Lisbon?", "Is it true that I live in Lisbon, and I like it?", "do you know where I live?"),
        *("If I lived in Paris, I would be happy.", "Maybe I work too much", "I might move to Rome", "I'd love a dog"),
        *("I wish I had a dog", "Suppose I live in Lisbon.", "Ojalá vivo en Madrid algún día", "What if I'm allergic?"),
        *('She said "I live in Porto".', "> I hate olives", "```\nI live in Lisbon\n```", "He said I live in Porto"),
        *("I love it!", "I like that you called", "I hate to say it", "I love this photo", "I'm a bit tired"),
        *(
            "I have a question",
            "I'm going to bed",
            "You live in Lisbon",
            "You should try rowing",
            "I don't want to try it",
        ),
        *("It was a great party", "Hard work pays off", "Looks like fun", "Porto is a must-visit city"),
        *("我住在里斯本", "أسكن في لشبونة مع ليلى", "J'habite à Lyon avec Chloé", "私は東京に住んでいます。"),
    ],
)
def test_what_asks_supposes_quotes_or_chats_gives_nothing(text):
    found = drawn(text)

    assert not (found.facts or found.observations or found.decisions)


def test_a_sentence_that_ends_in_a_question_keeps_what_it_states_before():
    assert [each.text for each in drawn("I like green tea, do you?").facts] == ["I like green tea"]


def test_a_sentence_gives_each_of_its_statements():
    found = drawn("I live in Lisbon and my sister Ana works at the harbour. Do you like rivers? I'm a nurse.")

    assert [each.text for each in found.facts] == [
        "I live in Lisbon",
        "my sister Ana works at the harbour",
        "I'm a nurse",
    ]


def test_the_speaker_is_kept_and_what_an_assistant_proposes_is_nobodys():
    talk = [
        Utterance(role="user", text="My cousin hates olives.", at=MONDAY),
        Utterance(role="assistant", text="You might try rowing. I love rowing.", at=MONDAY),
        Utterance(role="user", text="Rather not.", at=MONDAY),
        Utterance(role="friend", text="I love olives.", at=MONDAY, speaker="Ben"),
    ]

    found = extract_by_rules(talk)

    assert [(each.text, each.category, voice_of(talk[each.utterance])) for each in found.facts] == [
        ("My cousin hates olives", Category.RELATIONSHIP, None),
        ("I love olives", Category.PREFERENCE, "Ben"),
    ]
    assert not found.persons


def test_a_day_is_reckoned_from_the_time_of_its_own_message():
    [fact] = drawn("I changed jobs last Thursday and travel in three days.").facts

    assert fact.occurred_at == datetime(2021, 6, 3, tzinfo=UTC)
    days = [each.first_day for each in date_mentions(fact.text, MONDAY)]
    assert days == [date(2021, 6, 3), date(2021, 6, 10)]


def test_a_day_begins_in_the_zone_of_the_user():
    [fact] = extract_by_rules(said("I moved to Osaka yesterday"), zone=ZoneInfo("Asia/Tokyo")).facts

    assert fact.occurred_at == datetime(2021, 6, 6, tzinfo=ZoneInfo("Asia/Tokyo"))


def test_what_one_message_says_twice_is_given_once_and_what_two_say_twice():
    found = extract_by_rules([*said("I live in Lisbon. I  live in lisbon!"), *said("I live in Lisbon", role="Ben")])

    assert [each.utterance for each in found.facts] == [0, 1]


@pytest.mark.parametrize(
    ("text", "name", "evidence", "sign"),
    [
        ("My boss Marta promised to raise my pay", "Marta", "observed", 0),
        ("Ana broke her promise again", "Ana", "promise_broken", -1),
        ("My friend Luis kept his word", "Luis", "promise_kept", 1),
        ("Luis helped me move to Berlin", "Luis", "helpful_action", 1),
        ("Ana was right about the roof", "Ana", "accurate_info", 1),
        ("Ana lied to me", "Ana", "inaccurate_info", -1),
        ("Ana was there for me all night", "Ana", "emotional_support", 1),
        ("My neighbour Omar is so rude", "Omar", "user_stated", -1),
        ("I had dinner with Marta Gil in Lisbon", "Marta Gil", "observed", 0),
        ("Mi amigo Luis me ayudó con la mudanza", "Luis", "helpful_action", 1),
    ],
)
def test_a_person_is_mentioned_with_what_the_clause_shows_of_them(text, name, evidence, sign):
    [person] = drawn(text).persons

    assert (person.name, person.evidence_type, person.context) == (name, evidence, text)
    assert (person.sentiment > 0) - (person.sentiment < 0) == sign


@pytest.mark.parametrize(
    "text",
    [
        *("We moved to Porto", "I love Paris", "Python is great", "Nature helps me", "I've told you", "It's helped me"),
        *(
            "Painting helps me relax",
            "Thankfully, it was right",
            "My cousin hates olives",
            "Did Ana call?",
            "Thanks, Ana!",
        ),
    ],
)
def test_places_things_and_unnamed_kin_are_no_persons(text):
    assert not drawn(text).persons


def test_the_user_is_no_person_of_their_own():
    own = Utterance(role="user", text="I told Ana that Marta called me", at=MONDAY, speaker="Marta Gil")

    assert [each.name for each in extract_by_rules([own]).persons] == ["Ana"]

"""Episodes and their turns as values: where a turn belongs, when an episode ends, what it is summed up as."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from graph_memory.domain.asked import EpisodeDigest, Tone, Utterance
from graph_memory.domain.dates import age_words
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.episode import (
    TICK,
    Episode,
    EpisodeRules,
    Role,
    Turn,
    TurnDraft,
    appended,
    begun,
    end_of,
    ended,
    is_left_behind,
    is_long_enough,
    told,
    without_exchanges,
)
from graph_memory.domain.episode_digest import digest_by_rules, opening_of
from graph_memory.domain.episode_search import EpisodeSearchRules, looked_up, ranked, score
from graph_memory.domain.memory import Emotion
from graph_memory.domain.relationship_signs import signs_by_rules
from graph_memory.domain.vocabulary import NodeId
from graph_memory.errors import InvalidValueError

RULES, SEARCH = EpisodeRules(), EpisodeSearchRules()
NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def ids() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"id-{next(numbers)}"


def draft(content: str = "Hello", at: datetime | None = None, role: str = "user") -> TurnDraft:
    return TurnDraft(role=role, content=content, at=at)


def said(*texts: str) -> list[Utterance]:
    """User and assistant by turns."""
    return [
        Utterance(role=("user", "assistant")[place % 2], text=text, at=NOON + place * MINUTE)
        for place, text in enumerate(texts)
    ]


def an_episode(**given: object) -> Episode:
    return Episode(id=NodeId("e"), started_at=NOON, **given)  # type: ignore[arg-type]


# Turns


def test_turns_without_a_time_come_one_after_the_other_and_never_before_what_stands():
    ahead = an_episode(last_turn_at=NOON + HOUR, turn_count=1)

    segment = appended(ahead, [draft(), draft(role="Assistant")], at=NOON, new_id=ids(), rules=RULES)

    assert [turn.occurred_at for turn in segment.turns] == [NOON + HOUR + TICK, NOON + HOUR + 2 * TICK]
    assert [turn.role for turn in segment.turns] == [Role.USER, Role.ASSISTANT]
    assert segment.episode.turn_count == 3
    assert segment.episode.due_at == NOON + HOUR + 2 * TICK + 30 * MINUTE


def test_a_turn_before_its_episode_is_named():
    with pytest.raises(InvalidValueError) as error:
        appended(an_episode(), [draft(at=NOON), draft(at=NOON - TICK)], at=NOON, new_id=ids(), rules=RULES)

    assert [problem.field for problem in error.value.problems] == ["turns[1].at"]


@pytest.mark.parametrize(("silence", "episodes"), [(30 * MINUTE, 1), (30 * MINUTE + TICK, 2), (DAY, 2)])
def test_only_a_silence_longer_than_the_gap_begins_another_episode(silence: timedelta, episodes: int):
    segments = told(None, [draft(at=NOON), draft(at=NOON + silence)], at=NOON, new_id=ids(), rules=RULES)

    assert len(segments) == episodes
    assert [segment.ends for segment in segments] == [True, False][-episodes:]
    assert segments[-1].episode.is_open
    if episodes == 2:
        assert segments[0].episode.ended_at == NOON


def test_what_is_said_joins_the_open_episode():
    [segment] = told(an_episode(), [draft(at=NOON + 29 * MINUTE)], at=NOON, new_id=ids(), rules=RULES)

    assert (segment.is_new, segment.episode.id, segment.episode.turn_count) == (False, "e", 1)


def test_an_episode_is_left_behind_after_the_gap():
    episode = begun(NodeId("e"), NOON, RULES)

    assert not is_left_behind(episode, NOON + 30 * MINUTE, RULES)
    assert is_left_behind(episode, NOON + 30 * MINUTE + TICK, RULES)
    assert not is_left_behind(ended(episode, NOON), NOON + DAY, RULES)


@pytest.mark.parametrize(
    ("seconds", "turns", "enough"), [(60, 2, True), (59.999, 2, False), (60, 1, False), (9e9, 0, False)]
)
def test_an_episode_is_summed_up_from_a_minute_and_two_turns_on(seconds: float, turns: int, enough: bool):
    episode = an_episode(ended_at=min(FAR_FUTURE, NOON + timedelta(seconds=seconds)), turn_count=turns)

    assert is_long_enough(episode, RULES) is enough


def test_the_end_of_an_episode_has_so_many_characters_and_no_more():
    end = end_of(said("a" * 10, "b" * 10, "c" * 10), 15)

    assert [each.text for each in end] == ["b" * 5, "c" * 10]
    assert end_of(said("abc"), 0) == ()


def test_a_reply_goes_with_what_it_replies_to():
    roles = [Role.USER, Role.ASSISTANT, Role.ASSISTANT, Role.USER, Role.ASSISTANT, Role.USER]
    turns = [
        Turn(id=NodeId(str(place)), episode_id=NodeId("e"), role=role, text="x", occurred_at=NOON + place * MINUTE)
        for place, role in enumerate(roles)
    ]

    def left(*erased: str) -> list[str]:
        return [turn.id for turn in without_exchanges(turns, frozenset(map(NodeId, erased)))]

    assert left("0") == ["3", "4", "5"]
    assert left("3", "5") == ["0", "1", "2"]
    assert left("1") == ["0", "3", "4", "5"]
    assert left() == ["0", "1", "2", "3", "4", "5"]


# The digest


def test_without_more_to_go_by_a_digest_is_the_opening_and_neutral():
    opening = "x" * 99 + "yz"

    digest = digest_by_rules([Utterance(role="assistant", text="Hi", at=NOON), *said(opening)])

    assert (digest.summary, digest.tone, digest.topics, digest.key_decisions) == (opening[:100], Tone.NEUTRAL, (), ())


@pytest.mark.parametrize(("turns", "summary"), [(0, "0 turns"), (1, "1 turn"), (3, "3 turns")])
def test_where_the_user_said_nothing_the_turns_are_counted(turns: int, summary: str):
    assert opening_of([Utterance(role="assistant", text="Hello?", at=NOON)] * turns) == summary


def test_topics_are_names_and_words_that_turns_share():
    digest = digest_by_rules(
        said(
            "I met Ines Prado about the sourdough starter.",
            "How is the sourdough, and how is Ines Prado?",
            "The sourdough rises. By the way, my bike is gone.",
        )
    )

    assert digest.topics == ("sourdough", "Ines Prado")


def test_decisions_are_what_the_user_says_was_decided():
    digest = digest_by_rules(
        said(
            "We decided to move to Porto. I haven't decided when. Should I say we decided?",
            "You decided well. I decided nothing.",
            "If we decided otherwise, fine. Let's go with the blue tiles!",
        )
    )

    assert digest.key_decisions == ("We decided to move to Porto.", "Let's go with the blue tiles!")
    assert digest.importance > digest_by_rules(said("a", "b", "c")).importance


@pytest.mark.parametrize(
    ("texts", "tone"),
    [
        (("This is so frustrating, it keeps failing.", "Oh."), Tone.FRUSTRATED),
        (("I can't wait for the trip!", "Nice."), Tone.EXCITED),
        (("Hahaha, just kidding.", "Ha."), Tone.PLAYFUL),
        (("I'm overwhelmed.", "Breathe.", "The bus came.", "Ok.", "It was full.", "Ok.", "Rain.", "Ok."), Tone.NEUTRAL),
        (("The bus came.", "I'm overwhelmed."), Tone.NEUTRAL),
    ],
)
def test_a_tone_is_what_enough_of_the_users_turns_show(texts: tuple[str, ...], tone: Tone):
    assert digest_by_rules(said(*texts)).tone is tone


@pytest.mark.parametrize(
    ("emotion", "tone"),
    [
        (Emotion(valence=0.5, arousal=0.2), Tone.POSITIVE),
        (Emotion(valence=0.5, arousal=0.7), Tone.EXCITED),
        (Emotion(valence=-0.5, arousal=0.7, fear=0.6), Tone.STRESSED),
        (Emotion(valence=-0.5, arousal=0.7, anger=0.6), Tone.FRUSTRATED),
        (Emotion(valence=0.1, arousal=0.9), Tone.NEUTRAL),
    ],
)
def test_where_words_do_not_tell_emotions_may(emotion: Emotion, tone: Tone):
    assert digest_by_rules(said("The bus came.", "Ok."), [emotion]).tone is tone


# Signs


def test_signs_are_what_the_user_says_in_so_many_words():
    signs = signs_by_rules(
        said(
            "Ha, our running joke about the duck on the roof. Please keep it short and call me Lena.",
            "Call me Duck. I'm sad. Keep it short? Our inside joke about bots.",
            "Remember when we lost the map in Porto? I'm not sad, I'm really tired. Answer in Spanish.",
        ),
        known_jokes=("The Goose",),
    )

    assert signs.new_inside_jokes == ("the duck on the roof",)
    assert signs.shared_references == ("we lost the map in Porto",)
    assert signs.communication_notes == {"length": "brief", "form of address": "Lena", "language": "Spanish"}
    assert signs.mood == "tired"


@pytest.mark.parametrize(
    "text",
    [
        "Can you call me later? He told a joke about a duck. Remember to water the plants.",
        "Ana is sad. I wrote a list. The answer was short. You speak well.",
        "I call me myself. That joke is old.",
    ],
)
def test_what_is_no_sign_is_taken_for_none(text: str):
    signs = signs_by_rules(said(text))

    assert (signs.new_inside_jokes, signs.shared_references, signs.communication_notes, signs.mood) == (
        (),
        (),
        {},
        None,
    )


def test_a_joke_that_is_known_is_not_new():
    assert signs_by_rules(said("Our running joke about the duck."), known_jokes=("The Duck",)).new_inside_jokes == ()


# The search


def test_each_field_counts_with_its_weight_and_the_transcript_once():
    digest = EpisodeDigest(
        summary="The kayak leaks", topics=("kayak", "kayak repair"), key_decisions=("We sell the kayak.",)
    )
    old = Episode(id=NodeId("e"), started_at=NOON - 30 * DAY, digest=digest)

    found = score(old, ["a kayak", "the kayak", "an oar"], frozenset({"kayak"}), at=NOON, rules=SEARCH)

    assert found == 10 + 5 + 5 + 4 + 1


@pytest.mark.parametrize(("hours", "bonus"), [(0, 3), (23.99, 3), (24, 1), (167.99, 1), (168, 0), (-5, 3)])
def test_recent_episodes_get_a_little_more(hours: float, bonus: float):
    episode = Episode(id=NodeId("e"), started_at=NOON - hours * HOUR, digest=EpisodeDigest(summary="kayak"))

    assert score(episode, (), frozenset({"kayak"}), at=NOON, rules=SEARCH) == 10 + bonus


def test_the_best_comes_first_then_the_latest_and_words_match_in_their_forms():
    def told_at(name: str, days: float, summary: str) -> tuple[Episode, tuple[str, ...]]:
        episode = Episode(id=NodeId(name), started_at=NOON - days * DAY, digest=EpisodeDigest(summary=summary))
        return episode, ()

    episodes = [
        told_at("one word", 30, "The kayak leaks"),
        told_at("both", 40, "Kayaks were repaired"),
        told_at("later", 20, "A kayak"),
        told_at("none", 0.1, "The weather"),
    ]

    found = ranked(episodes, "repair the kayak?", at=NOON, rules=SEARCH)

    assert [each.episode.id for each in found] == ["both", "later", "one word"]
    assert ranked(episodes, "the of ?!", at=NOON, rules=SEARCH) == []


@pytest.mark.parametrize("query", ["Was ist mit dem Garten?", "Garten"])
def test_an_episode_is_found_by_a_stem_in_the_language_of_search_and_text(query: str):
    german = an_episode(digest=EpisodeDigest(summary="Meine Gärten brauchen Wasser."))
    english = an_episode(digest=EpisodeDigest(summary="The kayak leaks."))

    assert [each.episode for each in ranked([(english, ()), (german, ())], query, at=NOON, rules=SEARCH)] == [german]
    assert ranked([(an_episode(), ["Wir haben zwei Gärten."])], query, at=NOON, rules=SEARCH)[0].score == 1.0 + 3.0
    assert ranked([(an_episode(), ["Nous avons deux gartens."])], query, at=NOON, rules=SEARCH)[0].score == 4.0


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("What did we say about the Kayak's kayak?", ["what", "say", "about", "kayak"]),
        ("not at 18:40 in Łódź, 钓鱼", ["18:40", "łódź"]),
        ("the of and", []),
        ("Was ist mit dem Garten und meinem Zaun?", ["garten", "zaun"]),
    ],
)
def test_the_index_is_asked_for_telling_words_alone(query: str, words: list[str]):
    assert looked_up(query, SEARCH.wording) == words


# Ages


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(0), "0m ago"),
        (-HOUR, "0m ago"),
        (59 * MINUTE + timedelta(seconds=59), "59m ago"),
        (60 * MINUTE, "1h ago"),
        (24 * HOUR - TICK, "23h ago"),
        (24 * HOUR, "yesterday"),
        (2 * DAY, "2 days ago"),
        (6 * DAY, "6 days ago"),
        (7 * DAY, "24 April"),
    ],
)
def test_an_age_is_told_as_people_do(ago: timedelta, words: str):
    assert age_words(NOON - ago, NOON) == words

"""What several conversations show together (constants.md 2.7, step 6)."""

from datetime import UTC, datetime, timedelta

from graph_memory.domain.asked import EpisodeLine, Tone
from graph_memory.domain.insights import INSIGHT_CATEGORIES, insights_by_rules, what_remains

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)


def episodes(*topics: tuple[str, ...], tones: tuple[Tone, ...] = ()) -> list[EpisodeLine]:
    return [
        EpisodeLine(
            at=NOON + day * timedelta(days=1),
            summary="We talked.",
            topics=named,
            tone=tones[day] if tones else Tone.NEUTRAL,
        )
        for day, named in enumerate(topics)
    ]


def texts(lines: list[EpisodeLine], *known: str) -> list[str]:
    return [each.text for each in insights_by_rules(lines, known)]


def test_a_topic_of_three_conversations_is_an_insight_and_one_of_two_is_not():
    assert texts(episodes(("rowing",), ("Rowing", "tea"), ("tea", " rowing "))) == [
        "The user often talks about rowing."
    ]


def test_a_topic_counts_once_a_conversation():
    assert texts(episodes(("rowing", "Rowing"), ("rowing",))) == []


def test_a_mood_that_goes_with_a_topic_is_told_too():
    tones = (Tone.EXCITED, Tone.EXCITED, Tone.STRESSED, Tone.EXCITED)

    assert texts(episodes(*[("rowing",)] * 4, tones=tones)) == [
        "The user often talks about rowing, mostly in an excited mood."
    ]
    assert texts(episodes(*[("rowing",)] * 3, tones=tones)) == ["The user often talks about rowing."]


def test_the_commonest_topics_come_first_and_three_are_enough():
    told = texts(episodes(*[("a topic", "b topic", "c topic", "d topic")] * 3, ("d topic",)))

    assert len(told) == 3
    assert told[0] == "The user often talks about d topic."


def test_what_a_fact_says_already_is_no_insight():
    lines = episodes(*[("rowing",)] * 3)

    assert texts(lines, "The user often talks about rowing, and of boats.") == []
    assert texts(lines, "The user often talks about sailing.") != []


def test_the_order_of_the_episodes_does_not_matter_and_neither_does_a_second_time():
    lines = episodes(("rowing", "tea"), ("tea", "rowing"), ("rowing", "tea"))

    assert texts(lines) == texts(lines[::-1])
    assert texts(lines, *texts(lines)) == []


def test_blank_and_endless_topics_are_no_topics():
    assert texts(episodes(*[("", "\u200b", "x" * 61)] * 3)) == []


def test_every_insight_is_of_a_category_that_insights_may_have():
    assert {each.category for each in insights_by_rules(episodes(*[("rowing",)] * 3))} <= INSIGHT_CATEGORIES


def test_what_an_insight_may_say_from_the_episodes_that_are_left():
    rowing = "The user often talks about rowing"
    excited = f"{rowing}, mostly in an excited mood."
    tones = (Tone.EXCITED, Tone.EXCITED, Tone.NEUTRAL)

    assert what_remains(f"{rowing}.", episodes(*[("rowing", "tea")] * 3)) == f"{rowing}."
    assert what_remains(excited, episodes(*[("rowing", "tea")] * 3, tones=tones)) == f"{rowing}."
    assert what_remains(f"{rowing}.", episodes(*[("rowing",)] * 2, ("tea",))) is None
    assert what_remains(f"{rowing}.", episodes(*[("tea",)] * 3)) is None
    assert what_remains(f"{rowing}.", []) is None


def test_a_models_insight_remains_where_every_word_of_it_is_left():
    lines = [EpisodeLine(at=NOON, summary="Ines rowed at dawn with Olga.", topics=("boats",), tone=Tone.NEUTRAL)]

    assert what_remains("Ines rows boats with Olga.", lines) == "Ines rows boats with Olga."
    assert what_remains("Ines rows boats with Bruno.", lines) is None
    assert what_remains("Ines never rows boats.", lines) is None

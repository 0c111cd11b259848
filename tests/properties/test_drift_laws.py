"""Laws of priorities: weights are shares, likeness is symmetric and lies between nothing and one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.drift import DriftRules, TopicMentions, priorities, similarity

TOPICS = st.sampled_from([f"topic {letter}" for letter in "abcdefghij"])
MENTIONS = st.lists(
    st.builds(TopicMentions, topic=TOPICS, mentions=st.integers(1, 1_000), mean_strength=st.floats(0.05, 2.0)),
    unique_by=lambda each: each.topic,
    max_size=10,
)


@given(MENTIONS, st.integers(1, 12))
def test_weights_are_shares_of_one_the_greatest_first(mentions: list[TopicMentions], most: int):
    weights = priorities(mentions, rules=DriftRules(most_topics=most))

    assert len(weights) == min(most, len(mentions))
    assert not mentions or sum(weights.values()) == pytest.approx(1.0)
    assert list(weights.values()) == sorted(weights.values(), reverse=True)


@given(MENTIONS, MENTIONS)
def test_likeness_is_symmetric_bounded_and_one_with_itself(one: list[TopicMentions], other: list[TopicMentions]):
    first, second = priorities(one), priorities(other)

    assert similarity(first, second) == pytest.approx(similarity(second, first))
    assert 0.0 <= similarity(first, second) <= 1.0 + 1e-9
    assert similarity(first, first) == pytest.approx(1.0)


@given(MENTIONS, st.integers(2, 50))
def test_weights_do_not_depend_on_how_much_is_said_in_all(mentions: list[TopicMentions], times: int):
    louder = [
        TopicMentions(topic=each.topic, mentions=each.mentions * times, mean_strength=each.mean_strength)
        for each in mentions
    ]

    assert priorities(louder) == pytest.approx(priorities(mentions))

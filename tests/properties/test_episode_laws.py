"""Laws of episodes and of the relationship that they show, whatever is said and whenever it comes."""

from datetime import UTC, datetime, timedelta
from itertools import count, pairwise

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.asked import EpisodeDigest, RelationshipSigns, Utterance
from graph_memory.domain.episode import Episode, EpisodeRules, TurnDraft, end_of, told
from graph_memory.domain.episode_digest import SUMMARY_CHARACTERS, digest_by_rules
from graph_memory.domain.episode_search import EpisodeSearchRules, query_words, score
from graph_memory.domain.relationship import (
    EpisodeShare,
    Relationship,
    RelationshipRules,
    after_episode,
    comes_in_order,
    relationship_of,
    trust,
)
from graph_memory.domain.relationship_signs import signs_by_rules
from graph_memory.domain.vocabulary import NodeId

RULES, SEARCH, RELATIONSHIP = EpisodeRules(), EpisodeSearchRules(), RelationshipRules()
START = datetime(2031, 3, 1, tzinfo=UTC)
TEXTS = st.text(max_size=200)
WORDS = st.lists(st.sampled_from("kayak river duck rain tea boat".split()), max_size=6).map(tuple)
MINUTES = st.lists(st.integers(0, 600), min_size=1, max_size=12)


@st.composite
def shares(draw: st.DrawFn) -> list[EpisodeShare]:
    hours = draw(st.lists(st.integers(0, 24 * 60), unique=True, max_size=20))
    return [
        EpisodeShare(
            started_at=START + timedelta(hours=hour),
            seconds=draw(st.floats(60, 7_200)),
            topics=draw(WORDS),
            summary=draw(TEXTS),
            signs=RelationshipSigns(new_inside_jokes=draw(WORDS), shared_references=draw(WORDS)),
        )
        for hour in hours
    ]


@given(shares())
def test_the_relationship_is_the_same_in_whatever_order_episodes_come(given_shares: list[EpisodeShare]):
    whole = relationship_of(given_shares, zone=UTC, rules=RELATIONSHIP)

    assert relationship_of(reversed(given_shares), zone=UTC, rules=RELATIONSHIP) == whole
    step_by_step = Relationship()
    for share in sorted(given_shares, key=lambda each: each.started_at):
        assert comes_in_order(step_by_step, share.started_at)
        step_by_step = after_episode(step_by_step, share, zone=UTC, rules=RELATIONSHIP)
    assert step_by_step == whole


@given(shares())
def test_the_relationship_stays_within_its_bounds(given_shares: list[EpisodeShare]):
    whole = relationship_of(given_shares, zone=UTC, rules=RELATIONSHIP)

    assert whole.sessions == len(given_shares)
    assert 0 <= whole.streak_days <= whole.longest_streak_days <= whole.sessions
    assert len(whole.topics) <= 20
    assert len(whole.inside_jokes) <= 20
    assert len(whole.shared_references) <= 30
    assert 0.3 <= trust(whole.sessions, whole.streak_days, RELATIONSHIP) <= 1.0


@given(MINUTES)
def test_what_is_said_is_parted_at_long_silences_alone(minutes: list[int]):
    numbers = count(1)
    instants = [START + timedelta(minutes=minute) for minute in sorted(minutes)]
    drafts = [TurnDraft(role="user", content="x", at=instant) for instant in instants]

    segments = told(None, drafts, at=START, new_id=lambda: f"id-{next(numbers)}", rules=RULES)

    said = [[turn.occurred_at for turn in segment.turns] for segment in segments]
    assert [instant for segment in said for instant in segment] == instants
    assert all(after - before <= RULES.gap for segment in said for before, after in pairwise(segment))
    assert all(after[0] - before[-1] > RULES.gap for before, after in pairwise(said))
    assert [segment.ends for segment in segments] == [True] * (len(segments) - 1) + [False]
    assert all(not segment.ends or segment.episode.ended_at == segment.turns[-1].occurred_at for segment in segments)


@given(st.lists(TEXTS, max_size=8), st.integers(0, 300))
def test_the_end_of_a_talk_is_its_last_characters(texts: list[str], most: int):
    utterances = [Utterance(role="user", text=text, at=START) for text in texts]

    end = end_of(utterances, most)

    whole = "".join(texts)
    assert "".join(each.text for each in end) == whole[max(0, len(whole) - most) :]


@given(st.lists(TEXTS, max_size=8))
def test_rules_make_something_of_every_talk(texts: list[str]):
    utterances = [
        Utterance(role=("user", "assistant")[place % 2], text=text, at=START) for place, text in enumerate(texts)
    ]

    digest, signs = digest_by_rules(utterances), signs_by_rules(utterances)

    assert len(digest.summary) <= SUMMARY_CHARACTERS
    assert 0.0 <= digest.importance <= 1.0
    assert all(1 <= len(topic.split()) <= 3 for topic in digest.topics)
    assert all(len(joke) <= 80 for joke in signs.new_inside_jokes)


@given(TEXTS, TEXTS, WORDS, st.floats(0, 10_000))
def test_a_score_is_nought_without_a_match_and_grows_with_one(
    query: str, summary: str, topics: tuple[str, ...], hours: float
):
    episode = Episode(
        id=NodeId("e"),
        started_at=START - timedelta(hours=hours),
        digest=EpisodeDigest(summary=summary, topics=topics),
    )
    words = query_words(query, SEARCH.wording)

    found = score(episode, (), words, at=START, rules=SEARCH)
    with_turn = score(episode, (query,), words, at=START, rules=SEARCH)

    assert 0.0 <= found <= 10.0 + 5.0 * len(topics) + 3.0
    assert with_turn >= found
    assert (with_turn > 0.0) == bool(words)

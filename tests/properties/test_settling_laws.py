"""Laws of promotion, merging and insights."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.asked import EpisodeLine, Tone
from graph_memory.domain.asked import Statement as Given
from graph_memory.domain.curation import CurationRules
from graph_memory.domain.decay import StrengthFacts
from graph_memory.domain.insights import insights_by_rules
from graph_memory.domain.memory import Emotion, Interval, Memory
from graph_memory.domain.merging import MergeRules, covered, may_merge, merged, merged_by_rules
from graph_memory.domain.observed import Observed
from graph_memory.domain.promotion import PromotionRules
from graph_memory.domain.statement import Statement, Wording
from graph_memory.domain.vocabulary import Category, EpistemicType, Horizon, Kind, Lane, MemoryId, Source, State, UserId
from graph_memory.settings import Settings

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
LAWS, RULES, MERGE, WORDING = Settings().reinforcement(), PromotionRules(), MergeRules(), Wording()
GAPS = st.timedeltas(timedelta(0), 400 * DAY)
OBSERVED = st.builds(
    lambda occurrences, sessions, span: Observed(
        occurrences=occurrences, session_count=min(sessions, occurrences), first_at=NOON - span, last_at=NOON
    ),
    st.integers(1, 40),
    st.integers(1, 40),
    GAPS,
)
WORDS = st.sampled_from(
    "Ana Bruno the a drinks strong green tea coffee daily in Porto at 9 two never not likes sells boats".split()
)
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@given(observed=OBSERVED, confidence=st.floats(0, 1), idle=GAPS)
def test_a_score_lies_within_its_range(observed: Observed, confidence: float, idle: timedelta):
    assert -1 <= RULES.score_of(observed, confidence=confidence, at=NOON + idle) <= 38


@given(observed=OBSERVED, confidence=st.floats(0, 1), idle=GAPS)
def test_one_more_observation_never_speaks_against_a_promotion(observed: Observed, confidence: float, idle: timedelta):
    at = NOON + idle
    again = observed.again(at, session_gap=timedelta(minutes=30))

    before, after = (RULES.score_of(each, confidence=confidence, at=at) for each in (observed, again))
    assert after >= before
    assert again.occurrences == observed.occurrences + 1
    assert again.session_count <= again.occurrences


@given(first=TEXTS, other=TEXTS, cosine=st.floats(-1, 1))
def test_whether_two_facts_are_one_does_not_hang_on_their_order(first: str, other: str, cosine: float):
    one, two = (Statement(text=text, bucket="default", valid_at=NOON, created_at=NOON) for text in (first, other))

    assert may_merge(one, two, cosine, CurationRules()) == may_merge(two, one, cosine, CurationRules())


@given(texts=st.lists(TEXTS, min_size=2, max_size=6))
def test_the_rules_answer_with_one_of_the_texts_and_never_lose_the_first_for_another(texts: list[str]):
    text = merged_by_rules([Given(MemoryId(str(number)), each) for number, each in enumerate(texts)])

    assert text in texts
    with_first = [taken for each in texts if (taken := covered(each, texts, MERGE, WORDING))[0]]
    if with_first:
        assert covered(text, texts, MERGE, WORDING)[0]
        assert sum(covered(text, texts, MERGE, WORDING)) == max(map(sum, with_first))


@given(text=TEXTS, parts=st.lists(TEXTS, min_size=1, max_size=4))
def test_what_a_text_takes_in_is_no_longer_than_it_and_ends_there(text: str, parts: list[str]):
    taken = [part for part, takes in zip(parts, covered(text, parts, MERGE, WORDING), strict=True) if takes]

    for part in taken:
        assert len([word for word in part.split() if word not in ("the", "a")]) <= len(text.split())
        assert all(covered(text, [part, text], MERGE, WORDING))


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """A fact with a history of its own."""
    born = NOON - draw(GAPS)
    stamps = tuple(born + gap for gap in sorted(draw(st.lists(GAPS, max_size=49))))
    strength = StrengthFacts(
        base_strength=draw(st.floats(0, 2)),
        anchor_at=NOON - draw(GAPS),
        spaced_access_count=draw(st.integers(0, 30)),
    )
    activation = ActivationFacts(stamps=(born, *stamps))
    return Memory(
        id=MemoryId(draw(st.uuids()).hex),
        user_id=UserId("u"),
        text=draw(TEXTS),
        kind=Kind.SEMANTIC,
        epistemic_type=EpistemicType.FACT,
        category=Category.OTHER,
        horizon=Horizon.LONG,
        bucket="default",
        lane=Lane.FACTS_PREFS,
        general=False,
        source=draw(st.sampled_from(Source)),
        confirmed=draw(st.booleans()),
        confidence=draw(st.floats(0, 1)),
        strength=strength,
        activation=activation,
        state=draw(st.sampled_from(State)),
        states=LAWS.activation.state_dates(activation),
        visible_until=LAWS.strength.visible_until(strength),
        access_count=len(stamps),
        first_access_at=None,
        last_accessed_at=stamps[-1] if stamps else None,
        touched_at=born,
        emotion=Emotion(),
        occurred_at=born,
        interval=Interval(valid_at=born, created_at=born),
        observed=draw(st.none() | OBSERVED),
    )


@given(first=memories(), others=st.lists(memories(), min_size=1, max_size=5), later=GAPS)
def test_a_merged_memory_is_nowhere_harder_to_find_than_its_parts(
    first: Memory, others: list[Memory], later: timedelta
):
    members, at = (first, *others), NOON + later

    one = merged(first, others, first.text, laws=LAWS)

    assert all(LAWS.strength.strength(one.strength, at) >= LAWS.strength.strength(m.strength, at) for m in members)
    assert one.strength.base_strength == max(each.strength.base_strength for each in members)
    assert all(one.visible_until >= each.visible_until for each in members)
    assert len(one.activation.stamps) <= LAWS.rules.max_stamps
    assert list(one.activation.stamps) == sorted(one.activation.stamps)
    assert one.evidence.occurrences == sum(each.evidence.occurrences for each in members)
    assert one.confirmed == any(each.confirmed for each in members)
    assert (one.id, one.interval.created_at) == (first.id, first.interval.created_at)


@given(first=memories(), other=memories())
def test_a_merged_text_that_nobody_said_is_never_the_users(first: Memory, other: Memory):
    text = f"{first.text} {other.text} together"

    assert merged(first, [other], text, laws=LAWS).source is Source.CONSOLIDATED
    assert merged(first, [other], first.text, laws=LAWS).source is first.source


EPISODES = st.lists(
    st.builds(
        EpisodeLine,
        at=GAPS.map(lambda gap: NOON - gap),
        summary=st.just("They talked."),
        topics=st.lists(st.sampled_from(["rowing", "tea", "Tea", "the boat", "", "work"]), max_size=4).map(tuple),
        tone=st.sampled_from(Tone),
    ),
    max_size=10,
)


@given(episodes=EPISODES)
def test_insights_are_few_rest_on_three_conversations_and_are_told_once(episodes: list[EpisodeLine]):
    told = insights_by_rules(episodes)

    assert len(told) <= 3
    for insight in told:
        topics = [{topic.casefold() for topic in each.topics} for each in episodes]
        assert any(
            sum(topic in named for named in topics) >= 3 and topic in insight.text.casefold()
            for topic in set().union(*topics)
            if topic
        )
    known = [each.text for each in told]
    assert not {each.text for each in insights_by_rules(episodes, known)} & set(known)


@given(first=memories())
def test_a_memory_merged_with_none_is_as_it_was(first: Memory):
    alone = merged(first, [], first.text, laws=LAWS)
    stamps = tuple(sorted(set(first.activation.stamps)))[-LAWS.rules.max_stamps :]

    assert replace(alone, activation=first.activation, states=first.states) == replace(
        first, observed=first.evidence, tags=first.tags
    )
    assert alone.activation.stamps == stamps

from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.domain.people import (
    Communication,
    Direction,
    Evidence,
    EvidenceType,
    PersonMention,
    PersonRules,
    mentions_of_others,
)
from graph_memory.domain.people_lists import (
    KnownPerson,
    by_domain,
    communications_kept,
    evidence_kept,
    most_recent,
    most_trusted,
    people_listed,
    prompt_list,
    sentiments_kept,
    shown_expertise,
    strongest_evidence,
)
from graph_memory.domain.trust import (
    Trend,
    Trust,
    TrustLabel,
    fresh_trust,
    sentiment_trend,
    trust_after,
    trust_from,
    trust_label,
    trust_moved,
    trust_read,
)
from graph_memory.domain.vocabulary import NodeId

RULES = PersonRules()
NOW = datetime(2031, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def piece(sentiment: float, kind: EvidenceType = EvidenceType.OBSERVED, *, days_old: float = 0, domain: str = ""):
    return Evidence(at=NOW - days_old * DAY, sentiment=sentiment, type=kind, domains=(domain,) if domain else ())


def person(name: str, *, interactions: int = 1, days_unseen: float = 0, trust: Trust | None = None) -> KnownPerson:
    seen = NOW - days_unseen * DAY
    known = trust or fresh_trust(RULES)
    return KnownPerson(id=NodeId(name), name=name, trust=known, interactions=interactions, last_seen_at=seen)


def test_pairs_are_the_share_of_the_weight_that_speaks_for():
    evidence = [
        piece(0.8, EvidenceType.PROMISE_KEPT, days_old=30),  # weight 0.4
        piece(-0.6, EvidenceType.PROMISE_BROKEN),  # weight 0.6
        piece(0.5, EvidenceType.HELPFUL_ACTION),
        piece(0.0, EvidenceType.INACCURATE_INFO),
    ]

    trust = trust_from(evidence, NOW, RULES)

    assert trust.reliability == pytest.approx(0.4)
    assert (trust.timeliness, trust.information, trust.emotional) == (1.0, 0.0, 0.5)


def test_emotional_support_is_the_mean_sign_and_an_impact_of_zero_has_none():
    support = EvidenceType.EMOTIONAL_SUPPORT

    trust = trust_from([piece(0.5, support), piece(-0.5, support), piece(0.0, support)], NOW, RULES)

    assert trust.emotional == pytest.approx(0.5)
    assert trust_from([piece(0.9, support), piece(0.0, support)], NOW, RULES).emotional == pytest.approx(0.95)


def test_expertise_is_kept_by_domain_and_every_type_of_evidence_counts():
    evidence = [
        piece(0.5, EvidenceType.USER_STATED, domain="Chess"),
        piece(-0.5, EvidenceType.OBSERVED, domain="chess "),
        piece(0.9, EvidenceType.INFERRED, domain="law"),
    ]

    trust = trust_from(evidence, NOW, RULES)

    assert trust.expertise == pytest.approx({"chess": 0.5, "law": 1.0})
    assert (trust.reliability, trust.information) == (0.5, 0.5)


def test_a_broken_promise_told_without_feeling_or_gladly_never_raises_trust():
    told = [trust_moved(Trust(), piece(mood, EvidenceType.PROMISE_BROKEN), RULES) for mood in (-0.6, 0.0, 0.6)]

    assert [trust.reliability for trust in told] == pytest.approx([0.41, 0.5, 0.41])


def test_every_fifth_piece_computes_all_anew_and_the_others_take_a_step():
    new = piece(1.0, EvidenceType.PROMISE_KEPT)

    fourth = trust_after(Trust(), new, kept=[new], pieces_seen=4, at=NOW, rules=RULES)
    fifth = trust_after(Trust(), new, kept=[new], pieces_seen=5, at=NOW, rules=RULES)

    assert (fourth.reliability, fifth.reliability) == (pytest.approx(0.65), 1.0)


def test_reading_twice_does_not_compound_the_fading():
    stored = Trust(reliability=0.9)

    twice = [trust_read(stored, last_seen_at=NOW - 50 * DAY, at=NOW, rules=RULES) for _ in range(2)]

    assert twice[0] == twice[1]
    assert stored.reliability == 0.9


@pytest.mark.parametrize(
    ("overall", "label"),
    [
        (0.85, TrustLabel.VERY_HIGH),
        (0.7, TrustLabel.HIGH),
        (0.699, TrustLabel.MODERATE),
        (0.1 + 0.45, TrustLabel.MODERATE),
        (0.4, TrustLabel.DEVELOPING),
        (0.25, TrustLabel.LOW),
        (0.2, TrustLabel.VERY_LOW),
    ],
)
def test_labels(overall: float, label: TrustLabel):
    assert trust_label(overall, RULES) is label


@pytest.mark.parametrize(
    ("sentiments", "trend"),
    [
        ([0.9, 0.9], None),
        ([0.2, 0.2, 0.2], Trend.NEUTRAL),
        ([-1.0, -1.0, 0.3, 0.3, 0.3, 0.3, 0.3], Trend.POSITIVE),
        ([1.0, -0.3, -0.3, -0.4, -0.3, -0.3], Trend.NEGATIVE),
    ],
)
def test_the_trend_is_the_mean_of_the_last_five(sentiments: list[float], trend: Trend | None):
    assert sentiment_trend(sentiments, RULES) is trend


def test_old_evidence_goes_but_the_five_strongest_stay():
    strong = [piece(0.9, days_old=400 + day) for day in range(5)]
    old = [piece(0.2, days_old=91 + day) for day in range(5)]
    young = [piece(0.1, days_old=89)]

    kept = evidence_kept([*young, *old, *strong], NOW, RULES)

    assert kept == [*reversed(strong), *young]


def test_at_most_fifty_pieces_are_kept_the_most_recent_of_equal_ones():
    evidence = [piece(0.5, days_old=day) for day in range(80)]

    kept = evidence_kept(evidence, NOW, RULES)

    assert kept == list(reversed(evidence[:50]))


def test_a_person_shows_the_three_strongest_pieces_and_five_expertises():
    evidence = [piece(mood) for mood in (0.1, -0.9, 0.5, 0.7)]
    trust = Trust(expertise={name: index / 10 for index, name in enumerate("abcdefg")})

    assert [each.impact for each in strongest_evidence(evidence, RULES)] == [-0.9, 0.7, 0.5]
    assert [name for name, _ in shown_expertise(trust, RULES)] == list("gfedc")


def test_thirty_communications_and_twenty_sentiments_are_kept_and_no_zero():
    calls = [Communication(at=NOW + day * DAY, channel="phone", direction=Direction.INBOUND) for day in range(40)]

    assert communications_kept(reversed(calls), RULES) == calls[10:]
    assert sentiments_kept([0.1] * 20, -0.5, RULES) == [*[0.1] * 19, -0.5]
    assert sentiments_kept([0.1], 0.0, RULES) == [0.1]


def test_over_two_hundred_people_the_least_used_then_the_longest_unseen_go_out():
    people = [person(f"p{index}", interactions=2, days_unseen=index) for index in range(200)]

    listed = people_listed([*people, person("new", interactions=1), person("old friend", interactions=9)], RULES)

    assert {each.name for each in listed} == {"old friend", *(f"p{index}" for index in range(199))}


def test_the_lists_are_sorted_and_cut():
    experts = [
        person(f"p{index:02}", days_unseen=index, trust=Trust(reliability=index / 20, expertise={"law": index / 20}))
        for index in range(20)
    ]

    assert [each.name for each in most_recent(experts, RULES)] == [f"p{index:02}" for index in range(10)]
    assert most_trusted(experts, NOW, RULES)[0].name == "p19"
    assert len(most_trusted(experts, NOW, RULES)) == 10
    assert by_domain([*experts, person("Ana")], " LAW", NOW, RULES)[0].name == "p19"
    assert len(prompt_list(experts, NOW, RULES)) == 15


def test_the_user_is_never_a_person_mentioned():
    mentions = [PersonMention(name=name) for name in ("Ana", "me", "The User", "ANN", "Chloe\u0301")]

    others = mentions_of_others(mentions, own_names=["Ann", "Chloé"])

    assert [mention.name for mention in others] == ["Ana"]

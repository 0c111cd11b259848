"""The test vectors of constants.md section 4 that the product computes so far, by their names.

V20 is also run on the server (tests/integration/test_beats.py), V12's eleventh memory too (test_use.py).
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_memory.domain import people, relationship
from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.asked import EpisodeDigest
from graph_memory.domain.association import Neighbour, boost, daily_draw, fade_factor, misled, noise, strengthened
from graph_memory.domain.confidence import ConfidenceRules, Evidence
from graph_memory.domain.contradiction import PenaltyRules, penalty
from graph_memory.domain.curation import CurationRules, Likeness, likeness
from graph_memory.domain.decay import FAR_FUTURE, StrengthFacts, stability
from graph_memory.domain.depth import DepthRules, adaptive_k, complexity
from graph_memory.domain.episode import Episode
from graph_memory.domain.episode_search import EpisodeSearchRules, ranked
from graph_memory.domain.fusion import SignalRules, TieRules, arousal_factor, rrf, signal, tie_score
from graph_memory.domain.intent import IntentRules, gain
from graph_memory.domain.link import Link, LinkFamily, LinkType
from graph_memory.domain.link_rules import Linkable, LinkRules, SharedName, floor_links
from graph_memory.domain.memory import Emotion, Memory
from graph_memory.domain.observed import Observed
from graph_memory.domain.people import EvidenceType
from graph_memory.domain.people_lists import KnownPerson, prompt_score
from graph_memory.domain.prompt_text import tokens
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.spreading import SpreadRules, spread
from graph_memory.domain.statement import jaccard, read
from graph_memory.domain.tiers import TIER_PROFILES, relevance, tier
from graph_memory.domain.trust import Trust, evidence_weight, faded, trust_moved, trust_read
from graph_memory.domain.vocabulary import Category, MemoryId, NodeId, State
from graph_memory.settings import Settings

SETTINGS = Settings()
STRENGTH, ACTIVATION = SETTINGS.strength_curve(), SETTINGS.activation_curve()
RELATIONSHIP = relationship.RelationshipRules()
BELIEFS, CURATION, PEOPLE = ConfidenceRules(), CurationRules(), people.PersonRules()
NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
Case = tuple[Any, ...]


def vectors(names: str, cases: list[Any]) -> Any:
    """Runs a test once per case; the first of a case is the name that the run shows."""
    return pytest.mark.parametrize(names, [pytest.param(*case[1:], id=case[0]) for case in cases])


def piece(sentiment: float, kind: EvidenceType = EvidenceType.OBSERVED, *, days_old: float = 0) -> people.Evidence:
    return people.Evidence(at=NOON - days_old * DAY, sentiment=sentiment, type=kind)


def _later(hours: float) -> datetime:
    return NOON + hours * HOUR


def used(laws: Reinforcement, memory: Memory, *hours: float) -> Memory:
    for hour in hours:
        memory = laws.accessed(memory, _later(hour), profile=SETTINGS.tier_profile())
    return memory


V01 = {0: 1, 1: 1.5, 2: 2.4142, 3: 3.5981, 5: 6.5902, 10: 16.8114}


@vectors("given, expected", [(f"V01 n={n}", n, expected) for n, expected in V01.items()])
def test_v01_stability_grows_with_spaced_accesses(given: int, expected: float):
    assert stability(given, gain=0.5, power=1.5) == pytest.approx(expected, abs=0.001)


V02 = {0: 1, 240: 0.5, 2160: 0.1, 4560: 0.05, 10_000: 0.05}


@vectors("given, expected", [(f"V02 {hours} h", hours, expected) for hours, expected in V02.items()])
def test_v02_strength_falls_along_a_hyperbola_to_its_floor(given: float, expected: float):
    facts = StrengthFacts(base_strength=1.0, anchor_at=NOON)

    assert STRENGTH.strength(facts, _later(given)) == pytest.approx(expected, abs=0.0001)


V03: list[Case] = [
    ("V03 base 2", {"base_strength": 2.0}, 1.0),
    ("V03 n 2", {"base_strength": 1.0, "spaced_access_count": 2}, 0.7071),
    ("V03 a 1", {"base_strength": 1.0, "arousal": 1.0}, 0.625),
    ("V03 a 0.5", {"base_strength": 1.0, "arousal": 0.5}, 0.5556),
]


@vectors("given, expected", V03)
def test_v03_strength_after_240_hours(given: dict[str, float], expected: float):
    facts = StrengthFacts(anchor_at=NOON, **given)  # type: ignore[arg-type]

    assert STRENGTH.strength(facts, _later(240)) == pytest.approx(expected, abs=0.0001)


V04: list[Case] = [
    ("V04 base 1", {"base_strength": 1.0}, 2160),
    ("V04 base 2", {"base_strength": 2.0}, 4560),
    ("V04 base 1.5", {"base_strength": 1.5}, 3360),
    ("V04 base 0.5", {"base_strength": 0.5}, 960),
    ("V04 n 1", {"base_strength": 1.0, "spaced_access_count": 1}, 3240),
    ("V04 n 2", {"base_strength": 1.0, "spaced_access_count": 2}, 5214.7),
    ("V04 n 10", {"base_strength": 1.0, "spaced_access_count": 10}, 36_313),
    ("V04 a 0.5", {"base_strength": 1.0, "arousal": 0.5}, 2700),
    ("V04 a 1", {"base_strength": 1.0, "arousal": 1.0}, 3600),
    ("V04 base 0.08", {"base_strength": 0.08}, 0),
]


@vectors("given, expected", V04)
def test_v04_hours_until_a_memory_is_hidden(given: dict[str, float], expected: float):
    facts = StrengthFacts(anchor_at=NOON, **given)  # type: ignore[arg-type]

    hours = (STRENGTH.visible_until(facts) - NOON) / timedelta(hours=1)

    assert hours == pytest.approx(expected, rel=0.001)


@vectors(
    "strength, hours, added, within",
    [
        ("V05 s 1, 30 s", 1.0, 30 / 3600, 0.000026, 0.000001),
        ("V05 s 1, 24 h", 1.0, 24.0, 0.0474, 0.0001),
        ("V05 s 1, 168 h", 1.0, 168.0, 0.0749, 0.0001),
        ("V05 s 1.8, 168 h", 1.8, 168.0, 0.015, 0.0001),
        ("V05 s 2", 2.0, 500.0, 0.0, 0.0001),
    ],
)
def test_v05_a_use_adds_less_to_what_is_strong_and_to_what_was_just_used(laws, strength, hours, added, within):
    assert laws.boost(strength, hours) == pytest.approx(added, abs=within)


@vectors("hours, strength, spaced", [("V06 after 24 h", 24.0, 0.9608, 1), ("V07 after 11 h", 11.0, 0.985, 0)])
def test_v06_v07_an_access_re_anchors_the_strength_and_counts_when_it_is_spaced(laws, memory, hours, strength, spaced):
    after = used(laws, memory, hours)

    assert after.strength.base_strength == pytest.approx(strength, abs=0.0001)
    assert after.strength.spaced_access_count == spaced
    assert after.strength.anchor_at == _later(hours)


@vectors(
    "strength, kept",
    [
        ("V08 s 1", 1.0, (0.4391, 0.4643, 0.507, 0.5567, 0.4778)),
        ("V08 s 2", 2.0, (1.1885, 1.2289, 1.2935, 1.3631, 1.2499)),
        ("V08 s 0.5", 0.5, (0.144, 0.1537, 0.1725, 0.1979, 0.1594)),
    ],
)
def test_v08_the_better_the_evidence_the_less_strength_is_kept(strength, kept):
    evidence = (1.0, 0.9, 0.75, 0.6, 0.85)

    after = [strength * penalty(strength, c, beta_min=0.2, beta_max=0.85) for c in evidence]

    assert after == pytest.approx(kept, abs=1e-4)


@vectors("strength", [("V09", 0.5)])
def test_v09_a_fact_against_a_half_faded_memory_takes_two_thirds_of_its_base(strength):
    beta = PenaltyRules().beta(strength, Category.FACT)

    assert beta == pytest.approx(0.3074, abs=1e-4)
    assert strength * beta == pytest.approx(0.1537, abs=1e-4)


@vectors(
    "hours, strength",
    [
        ("V10 once", [0.0], 0.97),
        ("V10 twice in 30 min", [0.0, 0.5], 0.97),
        ("V10 24 times, hourly", [float(hour) for hour in range(24)], 0.4814),
    ],
)
def test_v10_what_lost_is_weakened_at_most_once_an_hour(laws, memory, hours, strength):
    for hour in hours:
        memory = laws.suppressed(memory, _later(hour))

    assert memory.strength.base_strength == pytest.approx(strength, abs=0.0001)
    assert memory.strength.anchor_at == NOON


@vectors(
    "cosine, kept",
    [
        (f"V11 cos {cosine}", cosine, kept)
        for cosine, kept in ((1, 0.5), (0.9, 0.54), (0.8, 0.58), (0.65, 0.64), (0, 0.9))
    ],
)
def test_v11_a_distilled_source_keeps_less_the_more_central_it_is(cosine, kept):
    assert fade_factor(cosine, least=0.5, span=0.4) == pytest.approx(kept, abs=0.0001)


@vectors(
    "reads, until, since",
    [
        ("V12 read at 0 h", [0.0], 6.0, 0.0),
        ("V12 again at 2 h", [0.0, 2.0], 8.0, 0.0),
        ("V12 read at 0 h and 6.5 h", [0.0, 6.5], 12.5, 6.5),
    ],
)
def test_v12_a_read_opens_a_window_or_extends_it(laws, memory, reads, until, since):
    after = used(laws, memory, *reads)

    assert after.labile_until == _later(until)
    assert after.labile_since == _later(since)


@vectors("given, expected", [("V13 a 0", 0.0, 0.5), ("V13 a 0.5", 0.5, 0.4), ("V13 a 1", 1.0, 0.3)])
def test_v13_arousal_slows_the_decay_of_activation(laws, memory, given: float, expected: float):
    assert laws.tagged(memory, Emotion(arousal=given)).activation.decay == pytest.approx(expected, abs=0.0001)


V14 = {0: 2.0472, 1: 0.0, 24: -1.589, 7 * 24: -2.562, 21 * 24: -3.1113, 60 * 24: -3.6362}


@vectors("given, expected", [(f"V14 {hours} h", hours, expected) for hours, expected in V14.items()])
def test_v14_activation_of_one_stamp(given: float, expected: float):
    assert ACTIVATION.base_level(ActivationFacts(stamps=(NOON,)), _later(given)) == pytest.approx(expected, abs=0.001)


V15: list[Case] = [
    ("V15 7 daily uses, 30 d idle", (range(7), 6 + 30), -1.39),
    ("V15 7 daily uses, 365 d idle", (range(7), 6 + 365), -2.5971),
    ("V15 days 0, 7, 21, 60 d idle", ((0, 7, 21), 21 + 60), -2.6206),
]


@vectors("given, expected", V15)
def test_v15_activation_of_several_stamps(given: Any, expected: float):
    days, asked = given
    facts = ActivationFacts(stamps=tuple(_later(24 * day) for day in days))

    assert ACTIVATION.base_level(facts, _later(24 * asked)) == pytest.approx(expected, abs=0.005)


def test_v16_activation_of_an_aroused_memory(laws, memory):
    facts = laws.tagged(memory, Emotion(arousal=1.0)).activation

    assert facts.encoding_factor == pytest.approx(1.5)
    assert ACTIVATION.base_level(facts, _later(1)) == pytest.approx(0.4055, abs=0.001)


V17: list[Case] = [
    ("V17 a 0, e 1", (0.0, 1.0), (148.4, 492.7, 1339.4)),
    ("V17 a 0.5, e 1.25", (0.5, 1.25), (904.9, 4055.6, 14155.5)),
    ("V17 a 0.5, e 1", (0.5, 1.0), (518.0, 2321.6, 8103.1)),
]


@vectors("given, expected", V17)
def test_v17_hours_until_each_state_is_left(laws, memory, given: tuple[float, float], expected: tuple[float, ...]):
    arousal, encoding_factor = given
    facts = replace(laws.tagged(memory, Emotion(arousal=arousal)).activation, encoding_factor=encoding_factor)

    dates = ACTIVATION.state_dates(facts)

    hours = [(date - NOON) / timedelta(hours=1) for date in (dates.dream_at, dates.forgotten_at, dates.archive_at)]
    assert hours == pytest.approx(expected, rel=0.001)


@vectors(
    "neighbour, expected",
    [
        ("V18 w 0.8, B 0.5, fan 4", Neighbour(0.8, 0.5, 4), 0.1),
        ("V18 w 1, B -1, fan 1", Neighbour(1.0, -1.0, 1), 0.0),
        ("V18 w 1, B 3, fan 1", Neighbour(1.0, 3.0, 1), 0.5),
    ],
)
def test_v18_active_neighbours_boost_up_to_a_cap(neighbour, expected):
    assert boost([neighbour], cap=0.5) == pytest.approx(expected, abs=0.0001)


@vectors("draw, expected", [("V19 u 0.5", 0.5, 0.0), ("V19 u 0.9", 0.9, 0.2197)])
def test_v19_noise_is_logistic(draw, expected):
    assert noise(draw, scale=0.1) == pytest.approx(expected, abs=0.0001)


def test_a_memory_draws_once_a_day():
    day = NOON.date()

    assert daily_draw("m", day) == daily_draw("m", day)
    assert daily_draw("m", day) != daily_draw("m", day + timedelta(days=1))
    assert 0.0 < daily_draw("m", day) < 1.0


def test_v20_a_year_idle_is_the_archive_and_a_use_brings_it_back(laws, memory):
    later = 365 * 24.0

    after = used(laws, memory, later)

    assert memory.states.state(_later(later)) is State.ARCHIVE
    assert after.state is State.CORE
    assert after.states.state(_later(later)) is State.CORE


def test_what_was_negated_is_not_brought_back_by_use(laws, memory):
    archived = replace(
        memory, state=State.ARCHIVE, states=replace(memory.states, dream_at=NOON, forgotten_at=NOON, archive_at=NOON)
    )

    after = used(laws, archived, 5.0)

    assert after.states == archived.states
    assert after.state is State.ARCHIVE


V21 = {7: 0.895, 8: 0.88, 14: 0.79, 21: 0.685, 22: 0.67, 33: 0.505, 40: 0.4, 59: 0.115, 60: 0.1, 90: 0.1}


@vectors("given, expected", [(f"V21 {days} d", days, expected) for days, expected in V21.items()])
def test_v21_relevance_by_whole_days(given: int, expected: float):
    got = relevance(NOON, _later(24 * given), profile=TIER_PROFILES["default"])

    assert got == pytest.approx(expected, abs=0.0001)


V22 = {
    7 * 24: "active",
    8 * 24: "warm",
    21 * 24: "warm",
    22 * 24: "cold",
    60 * 24: "cold",
    61 * 24: "archive",
    191: "active",
}


@vectors("given, expected", [(f"V22 {hours} h", hours, expected) for hours, expected in V22.items()])
def test_v22_tier_by_whole_days(given: float, expected: str):
    assert tier(NOON, _later(given), profile=TIER_PROFILES["default"]) == expected


@vectors("given, expected", [("V23 sales", "sales", 0.25), ("V23 research", "research", 0.76)])
def test_v23_relevance_at_thirty_days_by_profile(given: str, expected: float):
    assert relevance(NOON, _later(24 * 30), profile=TIER_PROFILES[given]) == pytest.approx(expected, abs=0.0001)


@vectors(
    "before, evidence, arousal, after",
    [
        ("V24 confirm, a 0", 0.5, Evidence.CONFIRM, 0.0, 0.6),
        ("V24 confirm, a 1", 0.5, Evidence.CONFIRM, 1.0, 0.65),
        ("V24 contradict, a 0", 0.8, Evidence.CONTRADICT, 0.0, 0.5),
        ("V24 contradict, a 1", 0.8, Evidence.CONTRADICT, 1.0, 0.35),
        ("V24 weaken", 0.5, Evidence.WEAKEN, 0.0, 0.35),
        ("V24 confirm at the top", 0.95, Evidence.CONFIRM, 0.0, 1.0),
        ("V24 contradict at the bottom", 0.1, Evidence.CONTRADICT, 0.0, 0.0),
    ],
)
def test_v24_evidence_moves_confidence_as_the_vector_says(before, evidence, arousal, after):
    assert BELIEFS.moved(before, evidence, arousal=arousal) == pytest.approx(after, abs=1e-4)


RRF_WEIGHTS = {"semantic": 1.0, "lexical": 1.0, "signal": 1.0, "graph": 0.3}
IN_THREE = {"semantic": 1, "lexical": 1, "signal": 1}


@vectors(
    "ranks, arousal, k, expected",
    [
        ("V25 rank 1 in three lists", IN_THREE, 0.0, 5.0, 0.5),
        ("V25 ranks 1 and 3", {"semantic": 1, "lexical": 3}, 0.0, 5.0, 0.2917),
        ("V25 ranks 1, 3, graph 2", {"semantic": 1, "lexical": 3, "graph": 2}, 0.0, 5.0, 0.3345),
        ("V25 the same, a 0.5", {"semantic": 1, "lexical": 3, "graph": 2}, 0.5, 5.0, 0.3847),
        ("V25 rank 1 in one list", {"lexical": 1}, 0.0, 5.0, 0.1667),
        ("V26 constant 60", IN_THREE, 0.0, 60.0, 0.0492),
    ],
)
def test_v25_v26_reciprocal_rank_fusion(ranks, arousal, k, expected):
    fused = rrf(ranks, RRF_WEIGHTS, k=k) * arousal_factor(arousal, gain=SETTINGS.salience.arousal_recall_gain)

    assert fused == pytest.approx(expected, abs=0.0001)


@vectors(
    "base_level, confidence, expected",
    [
        ("V27 B 0, confidence 0.8", 0.0, 0.8, 0.916),
        ("V27 B -2.5, confidence 0.5", -2.5, 0.5, 0.5),
        ("V27 B -3.6, confidence 0.9", -3.6, 0.9, 0.4199),
    ],
)
def test_v27_the_signal_of_a_memory(base_level, confidence, expected):
    assert signal(base_level, confidence, SignalRules()) == pytest.approx(expected, abs=0.0001)


@vectors("expected", [("V28 cos 0.8, s 1, 7 d", 0.68)])
def test_v28_what_parts_equal_scores(expected):
    assert tie_score(0.8, 1.0, 7.0, TieRules()) == pytest.approx(expected, abs=0.0001)


@vectors("given, expected", [(f"V29 C {c}", c, k) for c, k in ((0, 5), (0.33, 9), (0.5, 12), (0.67, 15), (1, 20))])
def test_v29_a_question_that_asks_more_gets_more(given, expected):
    assert adaptive_k(given, DepthRules()) == expected


@vectors(
    "query, names, expected, k",
    [
        ("V30", "where Ana lives now", 0, 0.03, 5),
        ("V31", "Why did Ana leave the team and how does that compare with Luis and Marta?", 3, 0.9625, 19),
    ],
)
def test_v30_v31_complexity_is_read_from_the_words_of_a_question(query, names, expected, k):
    asked = complexity(query, names=names, rules=DepthRules())

    assert asked == pytest.approx(expected, abs=0.0001)
    assert adaptive_k(asked, DepthRules()) == k


@vectors(
    "weight, expected",
    [(f"V32 w {w}", w, g) for w, g in ((0.65, 2.0), (0.30, 1.5), (0.20, 1.0), (0.10, 0.5), (0.05, 0.25))],
)
def test_v32_the_gain_of_a_family(weight, expected):
    assert gain(weight, IntentRules()) == pytest.approx(expected, abs=0.0001)


def activation_at_z(paths: list[str], weights: dict[str, float], *, family_gain: float = 1.0) -> float | None:
    """What reaches z over links like "ab", of which each first node is a seed of activation 1; None: it is cut."""
    links = [
        Link(
            type=LinkType.REFERS_TO,
            source=NodeId(ends[0]),
            target=NodeId(ends[1]),
            weight=weight,
            created_at=NOON,
        )
        for ends, weight in weights.items()
    ]
    seeds = {NodeId(path[0]): 1.0 for path in paths}
    gains = dict.fromkeys(LinkFamily, family_gain)
    reached = spread(seeds, links, gains=gains, rules=SpreadRules()).get(NodeId("z"))
    return reached and reached.activation


@vectors(
    "paths, weights, family_gain, expected",
    [
        ("V33 w 0.7, g 1", ["az"], {"az": 0.7}, 1.0, 0.56),
        ("V33 two such hops", ["abz"], {"ab": 0.7, "bz": 0.7}, 1.0, 0.3136),
        ("V33 w 0.9, g 2", ["az"], {"az": 0.9}, 2.0, 0.8),
        ("V33 w 0.3, g 0.25", ["az"], {"az": 0.3}, 0.25, None),
        ("V33 two paths", ["az", "bz"], {"az": 0.7, "bz": 0.9}, 1.0, 0.72),
        ("V33 fan 4", ["az"], {"az": 0.7, "ab": 0.7, "ac": 0.7, "ad": 0.7}, 1.0, 0.28),
    ],
)
def test_v33_activation_spreads_along_links(paths, weights, family_gain, expected):
    got = activation_at_z(paths, weights, family_gain=family_gain)

    assert got == (None if expected is None else pytest.approx(expected, abs=0.0001))


@vectors(
    "weight, expected",
    [
        ("V34 w 0.7", strengthened(0.7, rate=0.05), 0.715),
        ("V34 w 1", strengthened(1.0, rate=0.05), 1.0),
        ("V34 misled, w 0.03", misled(0.03, step=0.05), 0.0),
    ],
)
def test_v34_use_strengthens_a_link_and_misleading_weakens_it(weight, expected):
    assert weight == pytest.approx(expected, abs=0.0001)


V36 = {
    (3, 1, 0, 0.7, 0): (8, False),
    (4, 1, 0, 0.8, 0): (10, True),
    (3, 2, 1, 0.7, 0): (10, True),
    (3, 3, 7, 0.7, 0): (17, True),
    (3, 2, 3, 0.7, 15): (8, False),
    (10, 5, 30, 1, 0): (38, True),
    (2, 5, 7, 0.7, 0): (19, False),
}


@vectors("given, expected", [(f"V36 {given}", given, expected) for given, expected in V36.items()])
def test_v36_the_score_of_a_promotion(given: Case, expected: tuple[float, bool]):
    occurrences, sessions, span_days, confidence, idle_days = given
    observed = Observed(occurrences=occurrences, session_count=sessions, first_at=NOON - span_days * DAY, last_at=NOON)
    rules, at = SETTINGS.promotion_rules(), NOON + idle_days * DAY

    promoted = rules.promotes(observed, confidence=confidence, at=at)

    assert (rules.score_of(observed, confidence=confidence, at=at), promoted) == expected


def _linkable(name: str, *, hours: float = 0.0, **emotion: float) -> Linkable:
    at = _later(hours)
    return Linkable(id=MemoryId(name), occurred_at=at, valid_at=at, invalid_at=FAR_FUTURE, emotion=Emotion(**emotion))


@vectors(
    "first, second, shared, kind, weight",
    [
        ("V35 PRECEDES 6 h", {"hours": 0}, {"hours": 6}, 0, LinkType.PRECEDES, 0.75),
        ("V35 PRECEDES 20 h", {"hours": 0}, {"hours": 20}, 0, LinkType.PRECEDES, 0.3),
        ("V35 shared emotion", {"joy": 0.7}, {"joy": 0.6, "hours": 30}, 0, LinkType.SHARES_EMOTION, 0.6),
        ("V35 valence", {"valence": -0.6}, {"valence": 0.7, "hours": 30}, 0, LinkType.CONTRASTS_EMOTION, 0.65),
        ("V35 1 shared entity", {}, {"hours": 30}, 1, LinkType.REFERS_TO, 0.8),
        ("V35 2 shared entities", {}, {"hours": 30}, 2, LinkType.REFERS_TO, 0.96),
    ],
)
def test_v35_links_by_rules_weigh_what_the_floor_says(first, second, shared, kind, weight):
    names = [SharedName(2, f"name {number}") for number in range(shared)]

    links = floor_links(_linkable("m-1", **first), _linkable("m-2", **second), shared=names, rules=LinkRules(), at=NOON)

    assert [(link.type, link.weight) for link in links] == [(kind, pytest.approx(weight, abs=0.0001))]


@vectors(
    "text, shared, found",
    [
        ("V39 duplicate", "Ana drinks green tea daily", 0.8333, Likeness.DUPLICATE),
        ("V39 no duplicate", "Ana drinks green tea every morning", 0.5, Likeness.NONE),
        ("V39 opposite polarity", "Ana doesn't drink strong green tea daily", 0.7143, Likeness.OPPOSITE),
    ],
)
def test_v39_duplicates_are_told_by_polarity_and_shared_tokens(text, shared, found):
    new, old = read(text, CURATION.wording), read("Ana drinks strong green tea daily", CURATION.wording)
    cosine = 0.9 if found is Likeness.OPPOSITE else 0.2  # between and below the two thresholds

    assert jaccard(new.tokens, old.tokens) == pytest.approx(shared, abs=1e-4)
    assert likeness(new, old, cosine, CURATION) is found


@vectors(
    "sessions, streak_days, expected",
    [
        (f"V40 ({sessions}, {streak})", sessions, streak, expected)
        for sessions, streak, expected in (
            *((0, 0, 0.3), (1, 1, 0.3802), (4, 4, 0.5198), (10, 4, 0.5883), (45, 4, 0.7126)),
            *((100, 10, 0.9009), (316, 10, 1.0)),
        )
    ],
)
def test_v40_trust_grows_with_sessions_and_days_in_a_row(sessions: int, streak_days: int, expected: float):
    assert relationship.trust(sessions, streak_days, RELATIONSHIP) == pytest.approx(expected, abs=0.0001)


@vectors(
    "trust, overall",
    [
        ("V41 reliability 1, rest 0.5", Trust(reliability=1.0), 0.65),
        ("V41 promise_kept 0.6", trust_moved(Trust(), piece(0.6, EvidenceType.PROMISE_KEPT), PEOPLE), 0.527),
        ("V41 promise_broken 0.6", trust_moved(Trust(), piece(0.6, EvidenceType.PROMISE_BROKEN), PEOPLE), 0.473),
    ],
)
def test_v41_overall_trust(trust: Trust, overall: float):
    assert trust.overall(PEOPLE) == pytest.approx(overall, abs=0.0001)


@vectors(
    "days_old, impact, weight",
    [("V42 30 d, impact 0.8", 30, 0.8, 0.4), ("V42 0 d, impact 0", 0, 0.0, 0.1)],
)
def test_v42_weight_of_evidence(days_old: float, impact: float, weight: float):
    assert evidence_weight(piece(impact, days_old=days_old), NOON, PEOPLE) == pytest.approx(weight, abs=0.0001)


@vectors(
    "stored, days, read",
    [
        ("V43 0.8 after 100 d", 0.8, 100, 0.72),
        ("V43 0.31 after 100 d", 0.31, 100, 0.3),
        ("V43 0.25 after 100 d", 0.25, 100, 0.25),
        ("V43 0.8 after 20 h", 0.8, 20 / 24, 0.8),
    ],
)
def test_v43_fading_when_read(stored: float, days: float, read: float):
    trust = Trust(reliability=stored, expertise={"chess": stored})

    seen = trust_read(trust, last_seen_at=NOON - days * DAY, at=NOON, rules=PEOPLE)

    assert seen.reliability == pytest.approx(read, abs=0.0001)
    assert seen.expertise["chess"] == pytest.approx(faded(stored, days, PEOPLE), abs=1e-9)


@vectors(
    "days_unseen, overall, interactions, score",
    [
        ("V44 seen today, 0.9, 20", 0, 0.9, 20, 0.82),
        ("V44 14 d, 0.5, 5", 14, 0.5, 5, 0.2339),
    ],
)
def test_v44_score_of_the_prompt_list(days_unseen: float, overall: float, interactions: int, score: float):
    # Stored so that the value read after the days without use is the one that the vector names.
    stored = overall / (1 - 0.001 * days_unseen)
    trust = Trust(
        reliability=stored, emotional=stored, timeliness=stored, information=stored, expertise={"chess": stored}
    )

    known = KnownPerson(
        id=NodeId("ana"), name="Ana", trust=trust, interactions=interactions, last_seen_at=NOON - days_unseen * DAY
    )

    assert prompt_score(known, NOON, PEOPLE) == pytest.approx(score, abs=0.0001)


@vectors(
    "query, digest, hours_old, expected",
    [
        ("V45 summary and a topic, 10 h", "kayak", EpisodeDigest(summary="The kayak", topics=("kayak",)), 10, [18.0]),
        ("V45 1 of 2 words, 30 d", "kayak repair", EpisodeDigest(summary="The kayak leaks"), 720, [5.0]),
        ("V45 no match, 1 h", "kayak", EpisodeDigest(summary="The weather"), 1, []),
    ],
)
def test_v45_what_an_episode_scores_in_a_search(
    query: str, digest: EpisodeDigest, hours_old: float, expected: list[float]
):
    told = Episode(id=NodeId("e"), started_at=NOON - hours_old * HOUR, digest=digest)

    found = ranked([(told, ())], query, at=NOON, rules=EpisodeSearchRules())

    assert [each.score for each in found] == expected


@vectors("text, expected", [("V46 4096 bytes", "ñ" * 2048, 1024)])
def test_v46_tokens_are_bytes_by_four(text, expected):
    assert tokens(text) == expected

"""What is read from a question: intent, depth, mode, days."""

import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from graph_memory.domain.asked_dates import asked_days, asks_when, told_between
from graph_memory.domain.cues import holds_cue
from graph_memory.domain.depth import Depth, DepthRules, adaptive_k, complexity, depth_of
from graph_memory.domain.fusion import SignalRules, rrf, signal
from graph_memory.domain.intent import INTENT_CUES, INTENT_WEIGHTS, IntentRules, gains, intent_of
from graph_memory.domain.link import LinkFamily
from graph_memory.domain.modes import MODES, Archived, k_of, overlay_k, touched_after, touched_until
from graph_memory.domain.tiers import TIER_PROFILES, tier
from graph_memory.domain.vocabulary import Intent, RecallMode, Tier
from graph_memory.errors import InvalidValueError
from graph_memory.settings import Settings

NOON = datetime(2023, 6, 7, 12, tzinfo=UTC)  # a Wednesday
DAY = timedelta(days=1)


# Cues


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("Why did Ana move?", Intent.WHY),
        ("¿POR QUÉ se fue Ana?", Intent.WHY),
        ("¿por que se fue?", Intent.WHY),
        (unicodedata.normalize("NFD", "¿Cuál fue la razón?"), Intent.WHY),
        ("What did that lead\n to?", Intent.WHY),
        ("When did she move?", Intent.WHEN),
        ("¿cuando llega?", Intent.WHEN),
        ("Whose bike is red?", Intent.ENTITY),
        ("¿De quién es?", Intent.ENTITY),
        ("Does he feel lonely?", Intent.EMOTION),
        ("¿Está triste?", Intent.EMOTION),
        ("Tell me of the bike", Intent.GENERAL),
        ("The candle is a dateless timepiece", Intent.GENERAL),
        ("", Intent.GENERAL),
        ("我最喜欢什么茶?", Intent.GENERAL),
    ],
)
def test_the_intent_of_a_question_is_shown_by_whole_words(query, intent):
    assert intent_of(query, INTENT_CUES) is intent


def test_of_several_cues_the_first_in_order_counts():
    assert intent_of("who was happy, when, and why", INTENT_CUES) is Intent.WHY
    assert intent_of("who was happy then and when", INTENT_CUES) is Intent.WHEN
    assert intent_of("who was happy", INTENT_CUES) is Intent.ENTITY


def test_a_cue_of_a_script_without_blanks_is_found_inside_a_sentence():
    assert holds_cue("小明为什么离开了球队", ("为什么",))
    assert not holds_cue("小明什么时候离开", ("为什么",))


def test_a_list_without_cues_finds_nothing():
    assert not holds_cue("why", ())


def test_every_intent_shares_out_one_weight_among_the_families():
    totals = [sum(weights.values()) for weights in INTENT_WEIGHTS.values()]

    assert set(INTENT_WEIGHTS) == set(Intent)
    assert totals == pytest.approx([1.0] * len(Intent))


def test_a_question_why_draws_along_causes_and_hardly_along_the_rest():
    drawn = gains(Intent.WHY, IntentRules())

    assert set(drawn) == set(LinkFamily)
    assert drawn[LinkFamily.CAUSAL] == 2.0
    assert drawn[LinkFamily.TEMPORAL] == pytest.approx(1.0)
    assert {drawn[family] for family in set(LinkFamily) - {LinkFamily.CAUSAL, LinkFamily.TEMPORAL}} == {0.25}


def test_cues_of_the_settings_are_added_or_put_in_place():
    settings = Settings.from_environment({"GRAPH_MEMORY_RECALL__INTENT_CUES": "why=+how come, 为什么; emotion=lonely"})

    cues = settings.recall.intent_rules().cues

    assert intent_of("How come?", cues) is Intent.WHY
    assert intent_of("Why?", cues) is Intent.WHY
    assert intent_of("他为什么走", cues) is Intent.WHY
    assert intent_of("lonely", cues) is Intent.EMOTION
    assert intent_of("happy", cues) is Intent.GENERAL


def test_the_default_settings_give_the_default_rules():
    recall = Settings().recall

    assert recall.intent_rules() == IntentRules(
        cues=dict(INTENT_CUES), weights={k: dict(v) for k, v in INTENT_WEIGHTS.items()}
    )
    assert recall.depth_rules() == DepthRules(words=dict(DepthRules().words), weights=dict(DepthRules().weights))
    assert recall.modes() == MODES


def test_a_weight_of_the_settings_changes_one_gain():
    settings = Settings.from_environment({"GRAPH_MEMORY_RECALL__INTENT_WEIGHTS": "why.temporal=0.4"})

    drawn = gains(Intent.WHY, settings.recall.intent_rules())

    assert drawn[LinkFamily.TEMPORAL] == pytest.approx(2.0)
    assert drawn[LinkFamily.ENTITY] == pytest.approx(0.25)


def test_settings_that_contradict_each_other_are_refused_together():
    mistaken = {
        "GRAPH_MEMORY_RECALL__DEPTH_MIN": "30",
        "GRAPH_MEMORY_RECALL__HOP_FACTOR": "1.5",
        "GRAPH_MEMORY_RECALL__DEFAULT_MODE": "psychic",
        "GRAPH_MEMORY_RECALL__MODE_K_NORMAL_MAX": "2",
        "GRAPH_MEMORY_RECALL__INTENT_CUES": "smell=scent",
    }

    with pytest.raises(InvalidValueError) as raised:
        Settings.from_environment(mistaken)

    assert sorted(problem.field for problem in raised.value.problems) == [
        "recall.default_mode",
        "recall.depth_min",
        "recall.hop_factor",
        "recall.intent_cues",
        "recall.mode_k_normal_min",
    ]


# Depth


@pytest.mark.parametrize(
    ("query", "added"),
    [
        ("tea", 0.0),
        ("tea and", 0.25),
        ("tea? coffee?", 0.25),
        ("¿té? ¿café?", 0.25),
        ("best tea", 0.20),
        ("cuántas veces", 0.20),
        ("tea because", 0.20),
        ("Cómo está", 0.20),
        ("how many", 0.40),
        ("android", 0.0),
    ],
)
def test_each_sign_adds_its_weight_to_the_complexity(query, added):
    length = 0.15 * len(query.split()) / 20

    assert complexity(query, names=0, rules=DepthRules()) == pytest.approx(length + added)


def test_length_and_names_count_up_to_a_bound():
    rules = DepthRules()

    assert complexity("x " * 400, names=0, rules=rules) == pytest.approx(0.15)
    assert complexity("", names=50, rules=rules) == pytest.approx(0.20)


@pytest.mark.parametrize(
    ("c", "depth", "k"),
    [
        (0.0, Depth.SIMPLE, 5),
        (0.3399, Depth.SIMPLE, 10),
        (0.34, Depth.MODERATE, 10),
        (0.66, Depth.MODERATE, 14),
        (0.6601, Depth.COMPLEX, 14),
        (1.0, Depth.COMPLEX, 20),
    ],
)
def test_a_complexity_has_a_word_and_a_number_of_hits(c, depth, k):
    assert depth_of(c, DepthRules()) is depth
    assert adaptive_k(c, DepthRules()) == k


# Modes


@pytest.mark.parametrize(
    ("mode", "hits"),
    [
        (RecallMode.CUED, (5, 20)),
        (RecallMode.HEARTBEAT, (5, 5)),
        (RecallMode.NORMAL, (5, 8)),
        (RecallMode.DEEP, (10, 20)),
        (RecallMode.CREATIVE, (5, 5)),
    ],
)
def test_the_mode_bounds_the_adaptive_number_of_hits_and_the_caller_wins(mode, hits):
    assert (k_of(MODES[mode], adaptive=5), k_of(MODES[mode], adaptive=20)) == hits
    assert k_of(MODES[mode], adaptive=5, given=50) == 50
    assert k_of(MODES[mode], adaptive=5, given=1) == 1


def test_the_overlay_has_half_of_k_but_three_at_least():
    assert [overlay_k(k, least=3) for k in (1, 5, 7, 20)] == [3, 3, 3, 10]


def searched(mode: RecallMode, touched_at: datetime, profile: str) -> bool:
    """Whether a memory touched then, far in the future for a pinned one, lies in the mode's range of touches."""
    rule = MODES[mode]
    after = touched_after(rule, NOON, profile=TIER_PROFILES[profile])
    until = touched_until(rule, NOON, profile=TIER_PROFILES[profile])
    return (after is None or touched_at > after) and (until is None or touched_at <= until)


@pytest.mark.parametrize("profile", sorted(TIER_PROFILES))
@pytest.mark.parametrize("mode", list(RecallMode))
def test_a_mode_searches_the_touches_that_give_its_tiers(mode, profile):
    for hours in range(0, 130 * 24, 5):
        touched_at = NOON - timedelta(hours=hours)
        expected = tier(touched_at, NOON, profile=TIER_PROFILES[profile]) in MODES[mode].tiers
        assert searched(mode, touched_at, profile) is expected, hours


def test_pinned_memories_are_left_out_of_the_creative_mode_alone():
    far_future = datetime(9999, 12, 31, tzinfo=UTC)

    found = {mode for mode in RecallMode if searched(mode, far_future, "default")}

    assert found == {mode for mode in RecallMode if Tier.ACTIVE in MODES[mode].tiers}
    assert found == set(RecallMode) - {RecallMode.CREATIVE}


def test_hidden_and_archived_memories_are_found_where_the_table_says():
    assert {mode for mode in RecallMode if MODES[mode].hidden} == {RecallMode.DEEP, RecallMode.CREATIVE}
    assert {mode for mode in RecallMode if MODES[mode].archived is Archived.LAST_RESORT} == {RecallMode.CUED}
    assert MODES[RecallMode.CREATIVE].tiers == (Tier.COLD, Tier.ARCHIVE)


# Signal and fusion, beyond the vectors


def test_what_is_hardly_believed_has_no_signal():
    assert signal(2.0, 0.19, SignalRules()) is None
    assert signal(2.0, 0.2, SignalRules()) is not None


def test_the_signal_of_a_memory_from_long_ago_is_its_confidence_alone():
    assert signal(-5_000.0, 0.5, SignalRules()) == pytest.approx(0.2)


def test_a_channel_of_weight_0_adds_nothing_and_an_unknown_one_is_an_error():
    assert rrf({"lexical": 1, "signal": 1}, {"lexical": 1.0, "signal": 0.0}, k=5) == pytest.approx(1 / 6)
    with pytest.raises(KeyError):
        rrf({"smell": 1}, {"lexical": 1.0}, k=5)


# Days


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("What did Ana do on 8 May, 2023?", [(date(2023, 5, 8), date(2023, 5, 8))]),
        ("What did we do yesterday?", [(date(2023, 6, 6), date(2023, 6, 6))]),
        ("¿Qué hicimos la semana pasada?", [(date(2023, 5, 29), date(2023, 6, 4))]),
        ("Where did she go in March?", [(date(2023, 3, 1), date(2023, 3, 31))]),
        ("What happened in 2021?", [(date(2021, 1, 1), date(2021, 12, 31))]),
        ("What was the 2021 budget?", [(date(2021, 1, 1), date(2021, 12, 31))]),
        (
            "Who came in May 2022, and who in 2021?",
            [(date(2022, 5, 1), date(2022, 5, 31)), (date(2021, 1, 1), date(2021, 12, 31))],
        ),
        ("2021 or 2021?", [(date(2021, 1, 1), date(2021, 12, 31))]),
        ("Is it $2000, 2021% or part 17-2021?", []),
        ("Where does Ana live?", []),
    ],
)
def test_the_days_that_a_question_names_are_spans(query, days):
    assert asked_days(query, NOON) == tuple(days)


def test_the_days_of_a_question_are_read_in_the_zone_of_the_asker():
    after_midnight_in_utc = datetime(2023, 6, 7, 2, tzinfo=UTC)

    [(first, last)] = asked_days("what did we do today", after_midnight_in_utc, zone=timezone(timedelta(hours=-7)))

    assert first == last == date(2023, 6, 6)


def test_what_happened_on_a_day_is_told_on_that_day_of_the_askers_zone_and_some_days_later():
    may, tokyo = date(2031, 5, 1), timezone(timedelta(hours=9))

    one, many = told_between([(may, may), (may, date(2031, 5, 3))], zone=tokyo, grace=timedelta(days=10))

    assert one == (datetime(2031, 4, 30, 15, tzinfo=UTC), datetime(2031, 5, 11, 15, tzinfo=UTC))
    assert many == (datetime(2031, 4, 30, 15, tzinfo=UTC), datetime(2031, 5, 3, 15, tzinfo=UTC))


def test_the_first_and_the_last_days_of_all_have_instants_in_every_zone():
    for hours in (-12, 14):
        zone = timezone(timedelta(hours=hours))
        [(begin, end)] = told_between([(date.min, date.max)], zone=zone, grace=timedelta(days=10))
        assert begin < datetime(1, 2, 1, tzinfo=UTC) < datetime(9998, 12, 1, tzinfo=UTC) < end


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("When did Ana move?", True),
        ("Tell me when Ana moved", True),
        ("Where and when did they meet?", True),
        ("What a day! When was it?", True),
        ("At what time does it start?", True),
        ("How long ago did they meet?", True),
        ("¿CUÁNDO llegó?", True),
        ("What did Ana say when she left?", False),
        ("Whenever she calls", False),
        ("Where is Ana?", False),
    ],
)
def test_a_question_asks_when(query, asks):
    assert asks_when(query) is asks

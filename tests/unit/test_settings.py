import pytest

from graph_memory.domain.asked import Question
from graph_memory.errors import InvalidValueError
from graph_memory.settings import Settings


def test_a_variable_of_the_environment_sets_a_number_and_is_named_as_its_origin():
    settings = Settings.from_environment({"GRAPH_MEMORY_DECAY__HALF_LIFE_HOURS": "100"})

    listed = {name: (value, origin) for name, value, origin in settings.listed()}

    assert listed["decay.half_life_hours"] == (100.0, "GRAPH_MEMORY_DECAY__HALF_LIFE_HOURS")
    assert listed["decay.stability_gain"] == (0.5, "default")


def test_the_environment_wins_over_the_file(tmp_path):
    (tmp_path / "config.toml").write_text("[recall]\nrrf_k = 7.0\nmax_k = 50\n")

    settings = Settings.from_environment({"GRAPH_MEMORY_HOME": str(tmp_path), "GRAPH_MEMORY_RECALL__RRF_K": "9"})

    assert (settings.recall.rrf_k, settings.recall.max_k) == (9.0, 50)


def test_secrets_are_hidden_when_settings_are_shown():
    settings = Settings.from_environment({"NEO4J_URI": "bolt://x", "NEO4J_PASSWORD": "open sesame"})

    shown = f"{settings!r} {list(settings.listed())}"

    assert "open sesame" not in shown
    assert settings.neo4j.password == "open sesame"


def test_all_mistakes_are_listed_at_once():
    mistaken = {
        "GRAPH_MEMORY_RECAL__RRF_K": "5",
        "GRAPH_MEMORY_RECALL__MAX_K": "many",
        "GRAPH_MEMORY_DECAY__HALF_LIFE_HOURS": "-1",
        "GRAPH_MEMORY_DECAY__TIER_PROFILE": "lazy",
        "GRAPH_MEMORY_RECALL__CHANNEL_WEIGHTS": "smell=1",
    }

    with pytest.raises(InvalidValueError) as raised:
        Settings.from_environment(mistaken)

    assert sorted(problem.field for problem in raised.value.problems) == [
        "GRAPH_MEMORY_RECAL__RRF_K",
        "decay.half_life_hours",
        "decay.tier_profile",
        "recall.channel_weights",
        "recall.max_k",
    ]


def test_a_table_of_numbers_keeps_the_entries_that_are_not_named():
    settings = Settings.from_environment({"GRAPH_MEMORY_RECALL__CHANNEL_WEIGHTS": "lexical=0.5"})

    assert settings.recall.channel_weights["lexical"] == 0.5
    assert settings.recall.channel_weights["semantic"] == 1.0


def test_a_tier_profile_is_overridden_number_by_number():
    settings = Settings.from_environment(
        {"GRAPH_MEMORY_DECAY__TIER_PROFILE": "sales", "GRAPH_MEMORY_DECAY__TIER_WARM_DAYS": "12"}
    )

    profile = settings.tier_profile()

    assert (profile.active_days, profile.warm_days, profile.cold_days) == (3, 12, 30)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("recall.text_pool", "0"),
        ("recall.depth", "0"),
        ("recall.depth", "101"),  # above recall.pool
        ("recall.candidates", "-1"),
        ("recall.seeds", "0"),
        ("recall.hops", "0"),
        ("recall.hops", "3"),
        ("recall.hop_factor", "1.1"),
        ("recall.fan_power", "-0.5"),
        ("recall.signal_pool", "-1"),
        ("recall.min_match", "1.5"),
        ("recall.context_share", "nan"),
        ("recall.rif_cosine", "-1.5"),
        ("recall.rrf_k", "inf"),
        ("recall.depth_moderate_from", "0.7"),  # above recall.depth_complex_above
        ("recall.context_tokens", "200000"),
        ("recall.ranking", "best"),
        ("links.max_named_memories", "0"),
        ("links.hub_degree", "0"),
        ("links.rare_names", "0"),
        ("links.reference_weight", "1.2"),
        ("links.hebbian_rate", "-0.1"),
    ],
)
def test_a_number_of_recall_or_links_out_of_its_range_is_refused(setting: str, value: str):
    group, name = setting.upper().split(".")

    with pytest.raises(InvalidValueError) as raised:
        Settings.from_environment({f"GRAPH_MEMORY_{group}__{name}": value})

    assert [problem.field for problem in raised.value.problems] == [setting]


@pytest.mark.parametrize(
    ("table", "entry", "weight"),
    [
        ("channel_weights", "graph", "-1"),
        ("channel_weights", "semantic", "inf"),
        ("family_weights", "causal", "-0.1"),
        ("family_weights", "entity", "nan"),
        ("feature_weights", "heading", "nan"),
        ("feature_weights", "vector", "-inf"),
        ("intent_weights", "why.causal", "-1"),
        ("tie_weights", "cosine", "nan"),
    ],
)
def test_a_weight_that_cannot_be_is_refused_by_the_name_of_its_entry(table: str, entry: str, weight: str):
    with pytest.raises(InvalidValueError) as raised:
        Settings.from_environment({f"GRAPH_MEMORY_RECALL__{table.upper()}": f"{entry}={weight}"})

    assert [problem.field for problem in raised.value.problems] == [f"recall.{table}.{entry}"]


def test_a_feature_may_count_against_a_memory():
    settings = Settings.from_environment({"GRAPH_MEMORY_RECALL__FEATURE_WEIGHTS": "is_question=-2, graph=0"})

    assert settings.recall.feature_weights["is_question"] == -2.0
    assert settings.recall.feature_weights["graph"] == 0.0


@pytest.mark.parametrize("table", ["channel_weights", "feature_weights", "family_weights"])
@pytest.mark.parametrize("written", ["smell=1", "graph"])
def test_a_table_of_weights_refuses_an_entry_that_is_not_there_or_has_no_value(table: str, written: str):
    with pytest.raises(InvalidValueError) as raised:
        Settings.from_environment({f"GRAPH_MEMORY_RECALL__{table.upper()}": written})

    [problem] = raised.value.problems
    assert problem.field == f"recall.{table}"
    assert written.split("=")[0] in problem.message


@pytest.mark.parametrize("ranking", ["learned", "rrf"])
def test_a_recall_is_ranked_in_one_of_two_ways(ranking: str):
    settings = Settings.from_environment({"GRAPH_MEMORY_RECALL__RANKING": ranking})

    assert settings.recall.ranking == ranking


def test_the_key_of_a_model_has_one_place_and_is_hidden(tmp_path):
    settings = Settings.from_environment({"ANTHROPIC_API_KEY": "open sesame"})
    assert "open sesame" not in f"{settings!r} {list(settings.listed())}"
    assert settings.model.api_key == "open sesame"

    (tmp_path / "config.toml").write_text('[model]\napi_key = "open sesame"\n')
    for elsewhere in ({"GRAPH_MEMORY_HOME": str(tmp_path)}, {"GRAPH_MEMORY_MODEL__API_KEY": "open sesame"}):
        with pytest.raises(InvalidValueError, match="ANTHROPIC_API_KEY alone") as raised:
            Settings.from_environment(elsewhere)
        assert "open sesame" not in str(raised.value)


def test_a_model_is_chosen_by_question_and_must_have_its_prices():
    chosen = {
        "GRAPH_MEMORY_MODEL__NAME": "claude",
        "GRAPH_MEMORY_MODEL__MODELS": "distil=claude-large",
        "GRAPH_MEMORY_MODEL__INPUT_PRICE": "claude-large=3",
        "GRAPH_MEMORY_MODEL__OUTPUT_PRICE": "claude-large=15",
        "GRAPH_MEMORY_MODEL__CACHE_READ_PRICE": "claude-large=0.3",
    }

    with pytest.raises(InvalidValueError) as raised:
        Settings.from_environment(chosen)
    model = Settings.from_environment({**chosen, "GRAPH_MEMORY_MODEL__CACHE_WRITE_PRICE": "claude-large=3.75"}).model

    assert [str(problem) for problem in raised.value.problems] == [
        "model.cache_write_price: has no price for claude-large"
    ]
    assert model.model_for(Question.DISTIL) == "claude-large"
    assert model.model_for(Question.MERGE) == "claude-haiku-5-5"
    assert model.price_of("claude-large").output == 15


def test_a_question_that_nobody_asks_has_no_model():
    with pytest.raises(InvalidValueError, match="has no entry sing"):
        Settings.from_environment({"GRAPH_MEMORY_MODEL__MODELS": "sing=claude-large"})

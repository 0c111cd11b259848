import pytest

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

"""Commands that need no database."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from graph_memory.cli.app import app
from graph_memory.cli.exits import EXIT_CODES, exit_code
from graph_memory.cli.setup import defaults_as_toml
from graph_memory.errors import GraphMemoryError, StoreBusyError, StoreMismatchError
from graph_memory.settings import Settings


def run(home: Path, *words: str, **variables: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"GRAPH_MEMORY_HOME": str(home), "NEO4J_URI": "", **variables})


def test_the_version_is_printed(tmp_path: Path):
    result = run(tmp_path, "--version")

    assert result.exit_code == 0
    assert result.stdout.startswith("graph-memory ")


@pytest.mark.parametrize("words", [["--help"], ["import", "--help"], ["db", "--help"], ["recall", "--help"]])
def test_every_group_explains_itself(tmp_path: Path, words: list[str]):
    result = run(tmp_path, *words)

    assert result.exit_code == 0
    assert "Usage:" in result.stdout


def test_the_settings_are_printed_with_their_origin_and_secrets_are_hidden(tmp_path: Path):
    (tmp_path / "config.toml").write_text("[recall]\nrrf_k = 7\n", "utf-8")

    result = run(tmp_path, "config", "--json", NEO4J_PASSWORD="open sesame", GRAPH_MEMORY_RECALL__MAX_K="40")

    settings = {each["name"]: each for each in json.loads(result.stdout)}
    assert (settings["recall.max_k"]["value"], settings["recall.max_k"]["origin"]) == (
        40, "GRAPH_MEMORY_RECALL__MAX_K"
    )  # fmt: skip
    assert settings["recall.rrf_k"]["origin"] == str(tmp_path / "config.toml")
    assert settings["recall.pool"]["origin"] == "default"
    assert settings["neo4j.password"]["value"] == "********"
    assert "open sesame" not in result.output


def test_a_wrong_setting_is_one_line_and_bad_input(tmp_path: Path):
    result = run(tmp_path, "stats", GRAPH_MEMORY_RECALL__COLOUR="red", GRAPH_MEMORY_RECALL__MAX_K="many")

    assert result.exit_code == 2
    assert "recall.colour" in result.stderr
    assert "recall.max_k" in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_file_of_defaults_is_valid_and_changes_nothing(tmp_path: Path):
    printed = run(tmp_path, "config", "--defaults").stdout

    assert printed == defaults_as_toml()
    assert all(table == {} for table in tomllib.loads(printed).values())


def test_every_line_of_the_file_of_defaults_may_be_taken_into_use(tmp_path: Path):
    written = re.sub(r"^# (\w+ = )(?!.*# not set)", r"\1", defaults_as_toml(), flags=re.MULTILINE)
    (tmp_path / "config.toml").write_text(written, "utf-8")

    settings = Settings.from_environment({"GRAPH_MEMORY_HOME": str(tmp_path)})

    assert {"recall.rrf_k", "recall.channel_weights", "serve.explorer"} <= set(settings.origins)
    assert [value for _, value, _ in settings.listed()] == [value for _, value, _ in Settings().listed()]


def test_a_server_that_was_never_started_is_reported_as_such(tmp_path: Path):
    report = json.loads(run(tmp_path, "db", "status", "--json").stdout)

    assert report["pid"] is None
    assert report["status"] in ("stopped", "foreign")
    assert json.loads(run(tmp_path, "db", "logs", "--json").stdout) == {"lines": []}
    assert json.loads(run(tmp_path, "db", "stop", "--json").stdout) == {"stopped": False}


def test_a_dump_of_nothing_and_a_load_of_nothing_say_so(tmp_path: Path):
    dumped, loaded = (run(tmp_path, "db", verb, str(tmp_path / "none.dump")) for verb in ("dump", "load"))

    assert (dumped.exit_code, loaded.exit_code) == (5, 5)
    assert "no database" in dumped.stderr
    assert "no dump" in loaded.stderr


def test_every_kind_of_error_has_an_exit_code():
    kinds = GraphMemoryError.__subclasses__()

    assert set(kinds) == set(EXIT_CODES)
    assert exit_code(StoreBusyError("busy")) == exit_code(StoreMismatchError("other")) == 5
    assert exit_code(GraphMemoryError("what?")) == 1

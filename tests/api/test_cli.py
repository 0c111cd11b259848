"""The commands as a caller meets them: what --json prints, exit codes, and one line for each mistake."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graph_memory.cli.app import app
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from tests.api.commands import Run, document, environment


def talks(folder: Path, *, turns: int = 3) -> Path:
    rows = [{"speaker": "Ines", "dia_id": f"D1:{n}", "text": f"Canoe story {n}"} for n in range(1, turns + 1)]
    sessions = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [*rows, {"dia_id": "D1:99"}]}
    file = folder / "talks.json"
    file.write_text(json.dumps([{"sample_id": "talk-1", "conversation": sessions}]), "utf-8")
    return file


def test_what_was_remembered_is_recalled_with_its_reasons(cli: Run):
    written = document(cli("remember", "The canoe lies under the bridge.", "-s", "Ines", "-t", "boat", "--json"))

    answer = document(cli("recall", "where is the canoe", "-k", "2", "--json"))

    assert (written["operation"], written["memory"]["enrichment"]) == ("add", "done")
    [hit] = answer["hits"]
    assert (hit["rank"], hit["memory"]["id"], hit["memory"]["tags"]) == (1, written["memory"]["id"], ["boat"])
    assert (hit["why"]["ranks"]["semantic"], hit["why"]["ranks"]["lexical"]) == (1, 1)
    assert sum(part["contribution"] for part in hit["why"]["parts"]) == pytest.approx(hit["score"])


def test_the_reasons_are_drawn_as_a_tree(cli: Run):
    cli("remember", "The canoe lies under the bridge.", "--wait")

    shown = cli("recall", "where is the canoe", "--why", "--mode", "deep", "--intent", "entity")

    assert shown.exit_code == 0, shown.stderr
    for branch in ("match", "by meaning: rank 1 (cosine", "by words: rank 1", "parts of the score"):
        assert branch in shown.stdout
    assert "deep recall, intent entity" in shown.stderr


def test_an_answer_is_printed_as_text_for_a_prompt(cli: Run):
    cli("remember", "The canoe lies under the [old] bridge.", "-s", "Ines")

    shown = cli("recall", "where is the canoe", "--context", "--token-budget", "100")

    assert shown.exit_code == 0, shown.stderr
    assert shown.stdout.startswith("<memories")
    assert "The canoe lies under the [old] bridge." in shown.stdout


def test_feedback_names_the_receipt_of_an_answer(cli: Run):
    cli("remember", "The canoe lies under the bridge.")
    answer = document(cli("recall", "where is the canoe", "--no-reinforce", "--json"))
    hit = answer["hits"][0]["memory"]["id"]

    [used] = document(cli("feedback", answer["receipt_id"], "--used", hit, "--json"))
    stranger = cli("feedback", answer["receipt_id"], "--misleading", "no-such-hit")

    assert (used["id"], used["access_count"]) == (hit, 1)
    assert (stranger.exit_code, "no-such-hit" in stranger.stderr) == (2, True)


def test_a_context_needs_no_question(cli: Run):
    cli("remember", "Never send prices by mail.", "--pinned")

    shown = cli("context")
    small = document(cli("context", "--token-budget", "1", "--json"))

    assert "Never send prices by mail." in shown.stdout
    assert small == {"context": "", "tokens": 0}


def test_a_text_comes_from_standard_input(cli: Run):
    written = document(cli("remember", "-", "--json", typed="The kiln\nis hot.\n"))

    assert written["memory"]["text"] == "The kiln\nis hot."


def test_every_field_of_a_memory_reaches_the_graph(cli: Run):
    words = ["--kind", "semantic", "--category", "preference", "--bucket", "crafts", "--lane", "long_term", "--pinned"]
    dates = ["--valid-at", "2031-05-01T10:00", "--time-zone", "Europe/Brussels", "--person", "Ines", "-e", "Voss"]

    memory = document(cli("remember", "Ines likes oak.", *words, *dates, "--external-id", "x-1", "--json"))["memory"]

    named = ("kind", "category", "bucket", "lane", "pinned", "people", "entities", "external_id")
    assert [memory[name] for name in named] == [
        "semantic", "preference", "crafts", "long_term", True, ["Ines"], ["Voss"], "x-1"
    ]  # fmt: skip
    assert memory["valid_at"] == "2031-05-01T08:00:00+00:00"
    assert memory["invalid_at"] is None


def test_the_same_text_is_known_already(cli: Run):
    first = document(cli("remember", "Oak is hard.", "--kind", "semantic", "--json"))

    again = document(cli("remember", "Oak is hard.", "--kind", "semantic", "--json"))

    assert again["operation"] == "none"
    assert again["memory"]["id"] == first["memory"]["id"]


def test_a_memory_is_shown_with_what_it_refers_to(cli: Run):
    written = document(cli("remember", "We met at the mill.", "-s", "Ines", "--json"))["memory"]

    shown = document(cli("show", written["id"], "--json"))

    assert shown["text"] == "We met at the mill."
    assert [node["name"] for node in shown["refers_to"]] == ["Ines"]
    assert [link["type"] for link in shown["links"]] == ["REFERS_TO"]


def test_a_list_is_filtered_counted_and_read_on(cli: Run):
    for text, bucket in (("One canoe", "boats"), ("Two canoes", "boats"), ("A kiln", "crafts")):
        document(cli("remember", text, "--bucket", bucket, "--json"))

    first = document(cli("list", "--bucket", "boats", "-n", "1", "--json"))
    rest = document(cli("list", "--bucket", "boats", "--after", first["next"], "--json"))

    assert (first["total"], [memory["text"] for memory in first["memories"]]) == (2, ["Two canoes"])
    assert ([memory["text"] for memory in rest["memories"]], rest["next"]) == (["One canoe"], None)


def test_a_memory_is_forgotten_restored_and_erased(cli: Run):
    memory = document(cli("remember", "The canoe leaks.", "--json"))["memory"]

    assert document(cli("forget", memory["id"], "--json"))["current"] is False
    assert document(cli("restore", memory["id"], "--json"))["current"] is True
    assert document(cli("erase", memory["id"], "--yes", "--json"))["erased"] == 1
    assert cli("show", memory["id"]).exit_code == 3


def test_nothing_is_erased_without_a_yes(cli: Run):
    document(cli("remember", "The canoe leaks.", "--json"))

    refused = [cli("erase", "--everything", "--json", typed=typed) for typed in ("n\n", "")]

    assert [(each.exit_code, each.stdout) for each in refused] == [(2, ""), (2, "")]
    assert document(cli("stats", "--json"))["memories"] == 1
    assert document(cli("erase", "--everything", "--json", typed="y\n"))["erased"] == 1


def test_another_user_sees_nothing(cli: Run, other_user: UserId):
    memory = document(cli("remember", "My canoe.", "--json"))["memory"]

    assert document(cli("recall", "canoe", "--json", owner=other_user))["hits"] == []
    assert document(cli("list", "--json", owner=other_user))["total"] == 0
    assert cli("forget", memory["id"], owner=other_user).exit_code == 3


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["remember", ""], 2, "text"),
        (["remember", "a\x00b"], 2, "text"),
        (["remember", "x" * 20_001], 2, "text"),
        (["remember", "x", "--occurred-at", "yesterday"], 2, "occurred_at"),
        (["remember", "x", "--kind", "decision"], 2, "kind"),
        (["remember", "x", "--general", "--bucket", "crafts"], 2, "bucket"),
        (["recall", "   "], 2, "query"),
        (["recall", "x", "-k", "0"], 2, "k: is 0"),
        (["recall", "x", "-k", "1000000"], 2, "k: is 1000000"),
        (["list", "-n", "-1"], 2, "first"),
        (["list", "--after", "made-up"], 2, "cursor"),
        (["show", "nobody"], 3, "nobody"),
        (["erase"], 2, "--everything"),
        (["import", "locomo", "no-such-file.json"], 2, "no-such-file.json"),
    ],
)
def test_a_mistake_is_one_line_and_an_exit_code(cli: Run, words: list[str], code: int, said: str):
    result = cli(*words)

    assert result.exit_code == code
    assert result.stdout == ""
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


def test_a_word_outside_a_closed_set_is_bad_input(cli: Run):
    result = cli("remember", "x", "--kind", "rumour")

    assert result.exit_code == 2
    assert "rumour" in result.stderr


def test_an_empty_user_is_refused(cli: Run):
    assert cli("list", owner="").exit_code == 2


def test_conversations_are_loaded_once(cli: Run, user: UserId, tmp_path: Path):
    words = ["import", "locomo", str(talks(tmp_path)), "--as", "bucket", "--prefix", "talks", "--json"]

    first, again = document(cli(*words)), document(cli(*words))

    assert [first[name] for name in ("conversations", "turns", "added", "already_there", "failed")] == [1, 3, 3, 0, 1]
    assert [again[name] for name in ("added", "already_there")] == [0, 3]
    assert [failure["place"] for failure in first["failures"]] == ["[0].conversation.session_1[3].speaker"]
    listed = document(cli("list", "--bucket", "talks-talk-1", "--order", "occurred_asc", "--json"))["memories"]
    assert [memory["external_id"] for memory in listed] == ["talk-1/D1:1", "talk-1/D1:2", "talk-1/D1:3"]
    assert {memory["enrichment"] for memory in listed} == {"done"}


def test_each_conversation_becomes_a_user(cli: Run, user: UserId, tmp_path: Path):
    loaded = document(cli("import", "locomo", str(talks(tmp_path)), "--prefix", user, "--json"))

    assert loaded["users"] == [f"{user}-talk-1"]
    assert document(cli("stats", "--json", owner=f"{user}-talk-1"))["links"]["NEXT"] == 2
    assert document(cli("stats", "--json"))["memories"] == 0


def test_the_demonstration_loads_once_and_answers_five_questions(cli: Run):
    first, again = document(cli("demo", "--json")), document(cli("demo", "--json"))

    assert first["added"] == document(cli("stats", "--json"))["memories"]
    assert again["added"] == 0
    assert [len(answer["hits"]) for answer in again["answers"]] == [3] * 5
    assert "blue watering can" in again["answers"][4]["hits"][0]["memory"]["text"]


def test_init_makes_everything_ready_and_leaves_a_settings_file_alone(settings: Settings, tmp_path: Path):
    home = tmp_path / "home"
    run = lambda: CliRunner().invoke(  # noqa: E731
        app, ["init", "--json"], env={**environment(settings), "GRAPH_MEMORY_HOME": str(home)}
    )

    document(run())
    (home / "config.toml").write_text("[recall]\nmax_k = 30\n", "utf-8")
    again = document(run())

    assert "left as it is" in again["settings file"]
    assert (home / "config.toml").read_text("utf-8") == "[recall]\nmax_k = 30\n"
    assert "hashing" in again["model"]


def test_tables_fit_a_narrow_terminal(cli: Run, settings: Settings, user: UserId):
    document(cli("remember", "The canoe lies under the bridge by the mill.", "-s", "Ines", "--json"))
    narrow = {**environment(settings), "COLUMNS": "40"}

    for words in (["recall", "canoe", "--why"], ["list"], ["stats"]):
        shown = CliRunner().invoke(app, [*words, "--user", user], env=narrow)

        assert shown.exit_code == 0
        assert max(map(len, shown.stdout.splitlines())) <= 40


def test_the_installed_command_keeps_standard_output_clean(settings: Settings, user: UserId):
    import os

    ran = subprocess.run(
        [sys.executable, "-m", "graph_memory.cli", "demo", "--user", user, "--json"],
        env={**os.environ, **environment(settings)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert len(json.loads(ran.stdout)["answers"]) == 5
    assert "memories added" in ran.stderr

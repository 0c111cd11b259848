"""Commands on use, belief and decisions, as a caller meets them."""

import pytest
from typer.testing import CliRunner

from graph_memory.cli.app import app
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from tests.api.commands import Run, document, environment


def remembered(cli: Run, text: str, *words: str) -> str:
    return document(cli("remember", text, "--kind", "semantic", *words, "--json"))["memory"]["id"]


def test_a_corrected_memory_keeps_its_id_and_its_history(cli: Run):
    memory_id = remembered(cli, "The canoe is green.")

    corrected = document(cli("correct", memory_id, "The canoe is blue.", "--reason", "misheard", "--json"))
    history = document(cli("history", memory_id, "--json"))

    assert (corrected["id"], corrected["text"], corrected["source"]) == (memory_id, "The canoe is blue.", "manual_edit")
    assert [(each["text"], each["reason"]) for each in history["versions"]] == [("The canoe is green.", "misheard")]
    assert [each["action"] for each in history["changes"]] == ["edit", "add"]


def test_belief_rises_and_falls_with_reasons(cli: Run):
    memory_id = remembered(cli, "The canoe is green.")

    before = document(cli("show", memory_id, "--json"))["confidence"]
    doubted = document(cli("doubt", memory_id, "--arousal", "1", "--reason", "odd", "--json"))["confidence"]
    confirmed = document(cli("confirm", memory_id, "--json"))["confidence"]

    assert doubted < before
    assert confirmed > doubted
    changes = document(cli("history", memory_id, "--json"))["changes"]
    judged = [(each["action"], each["reason"]) for each in changes if each["field"] == "confidence"]
    assert judged == [("confirm", None), ("weaken", "odd")]


def test_a_pin_holds_until_it_is_taken_off(cli: Run):
    memory_id = remembered(cli, "The canoe is green.")

    assert document(cli("pin", memory_id, "--json"))["visible_until"] is None
    assert document(cli("unpin", memory_id, "--json"))["visible_until"] is not None


def test_several_memories_are_used_at_once(cli: Run):
    ids = [remembered(cli, text) for text in ("The canoe is green.", "A kiln is hot.")]

    touched = document(cli("touch", *ids, "--json"))

    assert [(each["id"], each["access_count"]) for each in touched] == [(each, 1) for each in ids]


def test_one_memory_takes_the_place_of_another_once(cli: Run):
    old, new, late = (remembered(cli, text) for text in ("The canoe lies here.", "A kiln is hot.", "Bread is warm."))

    superseded = document(cli("supersede", old, new, "--reason", "moved", "--json"))
    again = cli("supersede", old, late)

    assert superseded["id"] == old
    assert superseded["superseded_at"] is not None
    assert again.exit_code == 4


def test_a_decision_superseded_twice_is_a_chain_with_one_current_step(cli: Run):
    words = ("--topic", "database", "--domain", "engineering", "--json")
    for text in ("We use SQLite.", "We use MySQL.", "We use Neo4j."):
        last = document(cli("decide", text, "--reasoning", f"because of {text}", *words))

    [chain] = document(cli("why", "Database", "--json"))
    outcome = document(cli("outcome", last["memory"]["id"], "succeeded", "--json"))
    active = document(cli("decisions", "--status", "active", "--json"))

    assert [step["memory"]["text"] for step in chain["steps"]] == ["We use SQLite.", "We use MySQL.", "We use Neo4j."]
    assert [step["current"] for step in chain["steps"]] == [False, False, True]
    assert [step["reason"] for step in chain["steps"]] == ["because of We use MySQL.", "because of We use Neo4j.", None]
    assert (outcome["decision"]["outcome"], outcome["decision"]["status"]) == ("succeeded", "active")
    assert (active["total"], [each["text"] for each in active["decisions"]]) == (1, ["We use Neo4j."])


def test_what_a_newer_statement_denies_is_shown_as_a_contradiction(cli: Run):
    known, denial = "The mill by the river is open.", "The mill by the river is not open."
    remembered(cli, known)
    written = document(cli("remember", denial, "--kind", "semantic", "--json"))

    listed = document(cli("contradictions", "--settled", "--json"))

    assert [each["text"] for each in written["superseded"]] == [known]
    [contradiction] = listed["contradictions"]
    assert (contradiction["kind"], contradiction["newer"]["id"]) == ("negate", written["memory"]["id"])
    assert document(cli("contradictions", "--no-settled", "--json"))["contradictions"] == []


def test_a_list_shows_what_was_known_at_an_instant(cli: Run):
    memory_id = remembered(cli, "The canoe is green.")

    assert document(cli("list", "--known-at", "2001-01-01", "--json"))["total"] == 0
    later = document(cli("list", "--as-of", "2999-01-01", "--tier", "active", "--json"))
    assert [each["id"] for each in later["memories"]] == [memory_id]
    assert document(cli("list", "--tier", "cold", "--json"))["total"] == 0


def test_stale_dates_are_solved_anew(settings: Settings):
    result = CliRunner().invoke(app, ["recompute", "--json"], env=environment(settings))

    assert document(result)["recomputed"] >= 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["correct", "nobody", "x"], 3, "nobody"),
        (["confirm", "nobody", "--arousal", "2"], 2, "arousal"),
        (["touch", "nobody"], 3, "nobody"),
        (["decide", " "], 2, "text"),
        (["decide", "x", "--supersedes", "nobody"], 3, "nobody"),
        (["why", " "], 2, "topic"),
        (["decisions", "--as-of", "soon"], 2, "as_of"),
        (["history", "nobody"], 3, "nobody"),
    ],
)
def test_a_mistake_is_one_line_and_an_exit_code(cli: Run, words: list[str], code: int, said: str):
    result = cli(*words)

    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_chains_and_histories_fit_a_narrow_terminal(cli: Run, settings: Settings, user: UserId):
    for text in ("We use SQLite for all of it.", "We use Neo4j for all of it."):
        last = document(cli("decide", text, "--topic", "database", "--json"))["memory"]["id"]
    narrow = {**environment(settings), "COLUMNS": "40"}

    shown = [
        CliRunner().invoke(app, [*words, "--user", user], env=narrow)
        for words in (["why", "database"], ["decisions"], ["history", last], ["contradictions"])
    ]

    assert [each.exit_code for each in shown] == [0] * 4
    assert max(len(line) for each in shown for line in each.stdout.splitlines()) <= 40
    assert "current" in shown[0].stdout

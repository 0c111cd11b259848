"""Commands on sleep, as a caller meets them."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.vocabulary import UserId
from graph_memory.settings import Settings
from tests.api.commands import Run, document, environment
from tests.integration.graph import open_graph

ROOT = Path(__file__).parent.parent.parent


def remembered(cli: Run, *texts: str) -> None:
    for text in texts:
        document(cli("remember", text, "--wait", "--json"))


def test_a_cycle_is_reported_and_listed(cli: Run):
    remembered(cli, "I met Bruno in Porto.")

    report = document(cli("sleep", "--json"))
    shown = cli("sleep", "--beat", "states")
    listed = document(cli("runs", "--json"))
    table = cli("runs")

    assert (report["beat"], report["status"], report["dry_run"]) == ("cycle", "done", False)
    assert shown.exit_code == 0
    assert "There was nothing to do." in shown.stdout
    assert [each["beat"] for each in listed["runs"]] == ["states", "cycle"]
    assert "done" in table.stdout


def test_a_dry_run_is_a_table_of_what_would_be_done(cli: Run):
    remembered(cli, "I met Bruno in Porto.")

    shown = cli("sleep", "--dry-run")
    plan = document(cli("sleep", "--dry-run", "--json"))["plan"]

    assert shown.exit_code == 0
    assert "cycle (dry) done" in shown.stdout
    assert "snapshot" in shown.stdout
    assert plan[-1]["action"] == "snapshot"
    assert document(cli("priorities", "--json"))["priorities"] == []


def test_priorities_are_shown_as_bars(cli: Run):
    remembered(cli, "I met Bruno in Porto.")
    document(cli("sleep", "--json"))

    shown, [taken] = cli("priorities"), document(cli("priorities", "--json"))["priorities"]

    assert (taken["drift"], taken["too_early"], set(taken["weights"])) == ("stable", True, {"bruno", "porto"})
    assert "porto" in shown.stdout
    assert "50%" in shown.stdout
    assert "nothing to compare with yet" in shown.stdout


def test_there_may_be_nothing_to_tell(cli: Run):
    remembered(cli, "I met Bruno in Porto.")

    assert document(cli("notices", "--json")) == []
    assert "nothing to tell" in cli("notices").stderr


def test_an_instant_ahead_of_the_clock_is_bad_input(cli: Run):
    remembered(cli, "I met Bruno in Porto.")

    refused = cli("sleep", "--at", "2999-01-01")

    assert refused.exit_code == 2
    assert "ahead of the clock" in refused.stderr


async def test_a_worker_of_its_own_does_what_is_due_and_stops_cleanly(settings: Settings, user: UserId, cli: Run):
    await asyncio.to_thread(lambda: document(cli("remember", "I met Bruno in Porto.", "--json")))
    async with open_graph(settings) as graph:  # nobody else is due: what other tests left behind waits for ever
        await graph.run(
            "MATCH (u:User) WHERE u.user_id <> $user SET u.cycle_due_at = $never", user=user, never=FAR_FUTURE
        )
    variables = {"GRAPH_MEMORY_SLEEP__FIRST_RUN_SECONDS": "0", "PYTHONPATH": str(ROOT)}
    worker = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "graph_memory.cli", "work"),
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment(settings), **variables},
    )

    def runs() -> list[str]:
        listed = document(cli("runs", "--json"))["runs"]
        return [each["beat"] for each in listed if each["status"] == "done"]

    try:
        async with asyncio.timeout(120):
            while "cycle" not in await asyncio.to_thread(runs):
                await asyncio.sleep(0.2)
    finally:
        worker.send_signal(signal.SIGTERM)
    async with asyncio.timeout(60):
        _, said = await worker.communicate()

    assert worker.returncode == 0, said
    assert b"Traceback" not in said

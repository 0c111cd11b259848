"""RunStore on Neo4j."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph_memory.domain.asked import Question
from graph_memory.domain.model_usage import Tokens, Use
from graph_memory.domain.sleep import LOST_WORKER, Beat, Count, Planned, Run, RunStatus, StepReport
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import Position, Row
from graph_memory.stores.connection import Connection
from graph_memory.stores.positions import after_position, position_at
from graph_memory.stores.rows import Properties, instant, maybe_instant, values

_DUE_AT = {Beat.CYCLE: "cycle_due_at", Beat.HOUSEKEEPING: "housekeeping_due_at"}


class Neo4jRunStore:
    """Keeps the reports of runs in Neo4j, and when beats fall due with the user."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def begin(self, run: Run) -> bool:
        rows = await self._connection.run(
            "runs/begin_run",
            user_id=run.user_id,
            beat=run.beat.value,
            run=_new_properties(run),
            note=LOST_WORKER,
            due={} if run.dry_run else _due(run.beat, run.alive_until),
            at=run.started_at,
        )
        return bool(rows)

    async def tell(self, run: Run) -> bool:
        return await self._write(run, {})

    async def end(self, run: Run, *, due_at: datetime | None) -> bool:
        return await self._write(run, _due(run.beat, due_at))

    async def _write(self, run: Run, due: Mapping[str, Any]) -> bool:
        rows = await self._connection.run(
            "runs/write_run", user_id=run.user_id, id=run.id, properties=_living_properties(run), due=due
        )
        return bool(rows)

    async def drop(self, user_id: UserId, run_id: str) -> None:
        await self._connection.run("runs/drop_run", user_id=user_id, id=run_id)

    async def add(self, runs: Sequence[Run]) -> None:
        if runs:
            rows = [{"user_id": run.user_id, "run": _new_properties(run)} for run in runs]
            await self._connection.run("runs/add_runs", rows=rows)

    async def get(self, user_id: UserId, run_id: str) -> Run | None:
        rows = await self._connection.run("runs/get_run", user_id=user_id, id=run_id)
        return run_from(rows[0]["run"]) if rows else None

    async def find(self, user_id: UserId, *, after: Position | None, limit: int) -> list[Row[Run]]:
        rows = await self._connection.run("runs/find_runs", user_id=user_id, **after_position(after), limit=limit)
        runs = [run_from(row["run"]) for row in rows]
        return [Row(run, position_at(run.started_at, run.id)) for run in runs]

    async def due(self, beat: Beat, *, at: datetime, limit: int) -> list[tuple[UserId, datetime]]:
        query = "runs/find_due_cycles" if beat is Beat.CYCLE else "runs/find_due_housekeeping"
        rows = await self._connection.run(query, at=at, limit=limit)
        return [(UserId(row["user_id"]), instant(row["due_at"])) for row in rows]

    async def schedule(self, user_id: UserId, beat: Beat, due_at: datetime) -> None:
        await self._connection.run("runs/schedule_user", user_id=user_id, due=_due(beat, due_at))

    async def drop_old(self, user_id: UserId, beats: Sequence[Beat], *, before: datetime, limit: int) -> int:
        [row] = await self._connection.run(
            "runs/drop_old_runs", user_id=user_id, beats=values(beats), before=before, limit=limit
        )
        return int(row["dropped"])


def run_from(stored: Properties) -> Run:
    """The run of its node's properties."""
    report = StepReport(
        counts={count: stored[count.value] for count in Count if stored.get(count.value)},
        plan=tuple(_planned(each) for each in json.loads(stored.get("plan") or "[]")),
        notes=tuple(stored.get("notes") or ()),
        statistics=json.loads(stored.get("statistics") or "{}"),
        estimate={Question(name): _use(use) for name, use in json.loads(stored.get("estimate") or "{}").items()},
    )
    return Run(
        id=stored["id"],
        user_id=UserId(stored["user_id"]),
        beat=Beat(stored["beat"]),
        status=RunStatus(stored["status"]),
        at=instant(stored["at"]),
        started_at=instant(stored["started_at"]),
        alive_until=instant(stored["alive_until"]),
        finished_at=maybe_instant(stored.get("finished_at")),
        dry_run=stored["dry_run"],
        progress=stored["progress"],
        report=report,
    )


def _new_properties(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "beat": run.beat.value,
        "at": run.at,
        "started_at": run.started_at,
        "dry_run": run.dry_run,
        "revision": 1,
        **_living_properties(run),
    }


def _living_properties(run: Run) -> dict[str, Any]:
    """What changes of a run while it goes on; counts one by one, so that a person can query them."""
    plan = [_planned_properties(each) for each in run.report.plan]
    return {
        "status": run.status.value,
        "progress": run.progress,
        "alive_until": run.alive_until,
        "finished_at": run.finished_at,
        **{count.value: run.report.counts.get(count, 0) for count in Count},
        "plan": json.dumps(plan, ensure_ascii=False) if plan else None,
        "notes": list(run.report.notes),
        "statistics": json.dumps(run.report.statistics, ensure_ascii=False) if run.report.statistics else None,
        "estimate": _estimate_text(run.report.estimate),
    }


def _estimate_text(estimate: Mapping[Question, Use]) -> str | None:
    rows = {
        question.value: {
            "calls": use.calls,
            "input_tokens": use.tokens.read,
            "output_tokens": use.tokens.output,
            "cost": use.cost,
        }
        for question, use in estimate.items()
    }
    return json.dumps(rows) if rows else None


def _use(stored: Properties) -> Use:
    tokens = Tokens(input=stored["input_tokens"], output=stored["output_tokens"])
    return Use(calls=stored["calls"], tokens=tokens, cost=stored["cost"])


def _planned_properties(planned: Planned) -> dict[str, Any]:
    return {
        "action": planned.action,
        "memory_ids": list(planned.memory_ids),
        "text": planned.text,
        "detail": dict(planned.detail),
    }


def _planned(stored: Properties) -> Planned:
    return Planned(
        action=stored["action"],
        memory_ids=tuple(MemoryId(each) for each in stored["memory_ids"]),
        text=stored["text"],
        detail=stored["detail"],
    )


def _due(beat: Beat, due_at: datetime | None) -> dict[str, Any]:
    return {} if due_at is None or beat not in _DUE_AT else {_DUE_AT[beat]: due_at}

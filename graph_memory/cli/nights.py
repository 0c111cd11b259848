"""Reports of sleep as a person reads them: runs, the plan of a dry one, priorities, notices."""

from collections.abc import Sequence
from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from graph_memory.domain.drift import Drift, PrioritySnapshot
from graph_memory.domain.memory import Json
from graph_memory.domain.model_usage import UsageReport
from graph_memory.domain.notice import Notice
from graph_memory.domain.sleep import Planned, Run, RunStatus, StepReport

_STATUS_STYLE = {RunStatus.DONE: "green", RunStatus.FAILED: "red", RunStatus.REFUSED: "yellow"}
_DRIFT_STYLE = {Drift.STABLE: "green", Drift.GRADUAL_DRIFT: "yellow", Drift.DELIBERATE_PIVOT: "cyan"}
_SHOWN_IDS = 3
_BAR = 24  # characters of the longest bar


def run_lines(run: Run) -> Text:
    """One run: how it ended, what it counts, what there is to note."""
    said = Text(f"{_kind(run)} ")
    said.append(_status(run))
    said.append(f"\n{counts_text(run.report) or _nothing(run)}")
    if run.report.estimate:
        said.append(f"\n{_estimate(run.report)}")
    for note in run.report.notes:
        said.append(f"\n{note}", style="dim")
    said.append(f"\n{run.id}", style="dim")
    return said


def runs_table(runs: Sequence[Run]) -> Table:
    """Runs, one a row."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("began", no_wrap=True)
    table.add_column("what", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("took", justify="right", no_wrap=True)
    table.add_column("did", overflow="fold", ratio=1)
    for run in runs:
        did = Text(counts_text(run.report) or "nothing")
        for note in run.report.notes:
            did.append(f"\n{note}", style="dim")
        table.add_row(_minute(run.started_at), _kind(run), _status(run), _took(run), did)
    return table


def plan_table(report: StepReport) -> Table:
    """What a dry run would do, piece by piece."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("step", no_wrap=True)
    table.add_column("would", no_wrap=True)
    table.add_column("what", overflow="fold", ratio=1)
    for planned in report.plan:
        table.add_row(str(planned.detail.get("step", "")), planned.action, _planned(planned))
    return table


def snapshot_table(snapshot: PrioritySnapshot) -> RenderableType:
    """One snapshot: its topics with a bar each."""
    title = Text(_minute(snapshot.at), style="bold")
    title.append(f" · {snapshot.drift.value.replace('_', ' ')}", style=_DRIFT_STYLE[snapshot.drift])
    likeness = "nothing to compare with yet" if snapshot.similarity is None else f"{snapshot.similarity:.0%} alike"
    title.append(f" · {likeness}", style="dim")
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, style="dim")
    most = max(snapshot.weights.values(), default=1.0)
    for topic, weight in snapshot.weights.items():
        table.add_row(Text(topic), f"{weight:.0%}", "━" * max(1, round(weight / most * _BAR)))
    return Group(title, table)


def notice_lines(notice: Notice) -> Text:
    """One notice, with the memories that it is about."""
    said = Text(notice.text)
    for memory in notice.memories:
        said.append(f"\n· {memory.text}", style="dim")
        said.append(f"\n  {memory.id}", style="dim")
    said.append(f"\n{notice.kind.value.replace('_', ' ')} · since {_minute(notice.at)}", style="dim cyan")
    return said


def counts_text(report: StepReport) -> str:
    """What was counted, in words; nought is left out."""
    return ", ".join(f"{name.value.replace('_', ' ')} {count:,}" for name, count in report.counts.items() if count)


def _estimate(report: StepReport) -> str:
    """What a model would be asked for a dry run's plan, and what that costs."""
    total = UsageReport.of(report.estimate).total
    asked = ", ".join(f"{question.value} {use.calls:,}" for question, use in report.estimate.items())
    size = f"{total.tokens.read:,} tokens in, {total.tokens.output:,} out"
    return f"Calls of a model, at most: {total.calls:,} ({asked}), {size}, {total.cost:.4f} dollars."


def _planned(planned: Planned) -> Text:
    said = Text(planned.text or "")
    detail = [f"{name} {_number(value)}" for name, value in planned.detail.items() if name != "step"]
    ids = [*planned.memory_ids[:_SHOWN_IDS]]
    if more := len(planned.memory_ids) - len(ids):
        ids.append(f"and {more} more")  # type: ignore[arg-type]  # beside the ids
    for line in (" · ".join(detail), ", ".join(ids)):
        if line:
            said.append(f"{chr(10) if said.plain else ''}{line}", style="dim")
    return said


def _number(value: Json) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _kind(run: Run) -> str:
    return f"{run.beat.value}{' (dry)' if run.dry_run else ''}"


def _status(run: Run) -> Text:
    running = f"running, {run.progress:.0%}"
    said = running if run.status is RunStatus.RUNNING else run.status.value
    return Text(said, style=_STATUS_STYLE.get(run.status, "cyan"))


def _nothing(run: Run) -> str:
    return "Another run of its kind is under way." if run.status is RunStatus.REFUSED else "There was nothing to do."


def _took(run: Run) -> str:
    if run.finished_at is None:
        return ""
    seconds = (run.finished_at - run.started_at).total_seconds()
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def _minute(at: datetime) -> str:
    return at.isoformat(" ", "minutes").removesuffix("+00:00")

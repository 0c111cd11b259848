"""How things came to be, as a person reads it: chains from the first step on, and what happened to a memory."""

from collections.abc import Sequence
from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from graph_memory.cli.shown import numbered
from graph_memory.domain.change import Change
from graph_memory.ports import Contradiction, Version
from graph_memory.services.ledger import Chain, ChainStep


def chain_table(chain: Chain) -> RenderableType:
    """A chain, one step below the other; the one that stands is marked."""
    title = Text(f"{chain.domain} · {chain.topic_key}", style="bold")
    return Group(title, numbered((_mark(step), _step(step)) for step in chain.steps))


def contradiction_lines(contradiction: Contradiction) -> Text:
    """Two memories that exclude each other, and whether that is settled."""
    said = Text(contradiction.newer.text)
    said.append(f"\n{'denies' if contradiction.kind == 'negate' else 'replaces'}: ", style="dim")
    said.append(contradiction.older.text)
    settled = "settled" if contradiction.settled else "not settled"
    said.append(f"\n{_day(contradiction.at)} · {settled}", style="dim")
    if contradiction.reason:
        said.append(f" · {contradiction.reason}", style="dim")
    said.append(f"\n{contradiction.newer.id}\n{contradiction.older.id}", style="dim")
    return said


def history_table(versions: Sequence[Version], changes: Sequence[Change]) -> Table:
    """Earlier texts, then changes."""
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for version in versions:
        table.add_row(_day(version.until), _with_reason(Text(f"until then: {version.text}"), version.reason))
    for change in changes:
        table.add_row(_day(change.at), _with_reason(_change(change), change.reason))
    return table


def _mark(step: ChainStep) -> str:
    return "●" if step.current else "○"


def _step(step: ChainStep) -> Text:
    said = Text(step.memory.text, style="bold" if step.current else "")
    said.append(f"\n{_day(step.memory.occurred_at)}", style="dim not bold")
    if step.current:
        said.append(" · current", style="green not bold")
    if decision := step.memory.decision:
        said.append(f" · {decision.outcome.value}", style="dim not bold")
        if decision.reasoning:
            said.append(f"\nbecause: {decision.reasoning}", style="not bold")
    if step.superseded_at:
        said.append(f"\nsuperseded {_day(step.superseded_at)}", style="dim not bold")
        if step.reason:
            said.append(f": {step.reason}", style="dim not bold")
    said.append(f"\n{step.memory.id}", style="dim not bold")
    return said


def _change(change: Change) -> Text:
    said = Text(change.action.value)
    if change.field:
        said.append(f" {change.field}: {_value(change.before)} → {_value(change.after)}")
    elif change.delta:
        said.append(f" {change.delta:+.3f}")
    return said


def _value(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else "–" if value is None else str(value)


def _with_reason(said: Text, reason: str | None) -> Text:
    return said.append(f" ({reason})", style="dim") if reason else said


def _day(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M}"

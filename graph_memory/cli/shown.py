"""Memories and answers as a person reads them; two lines an item, so that narrow terminals hold them."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from graph_memory.domain.link import Link
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Channel, NodeId
from graph_memory.ports import Hit, NamedNode, Stats
from graph_memory.services.reasons import FOUND_BY


def memory_lines(memory: Memory) -> Text:
    """What a memory says, and below it, dim, when, by whom and under which id."""
    said = Text(memory.text)
    said.append(f"\n{_when(memory)}", style="dim")
    if memory.speaker:
        said.append(f" · {memory.speaker}", style="dim cyan")
    if memory.kind != "episodic":
        said.append(f" · {memory.kind}", style="dim")
    if memory.tags:
        said.append(f" · {' '.join('#' + tag for tag in memory.tags)}", style="dim green")
    said.append(f"\n{memory.id}", style="dim")
    return said


def numbered(items: Iterable[tuple[str, RenderableType]]) -> Table:
    """Items with a short label on the left."""
    table = Table(box=None, show_header=False, padding=(0, 1, 1, 0), pad_edge=False)
    table.add_column(justify="right", style="bold", no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for label, item in items:
        table.add_row(label, item)
    return table


def hits_table(hits: Sequence[Hit], *, why: bool) -> Table:
    """Hits, best first, each with its reasons if asked for."""
    return numbered(
        (str(rank), Group(memory_lines(hit.memory), why_tree(hit)) if why else memory_lines(hit.memory))
        for rank, hit in enumerate(hits, 1)
    )


def why_tree(hit: Hit) -> Tree:
    """What put a hit where it is: its place in each channel, the parts of its score, the way links led to it."""
    tree = Tree(f"[dim]score {hit.score:.4f} · match {hit.match:.2f}[/]", guide_style="dim")
    channels = tree.add("[dim]found[/]")
    for channel, phrase in FOUND_BY.items():
        if channel in hit.ranks:
            channels.add(f"[dim]{phrase}: rank {hit.ranks[channel]}{_cosine(hit, channel)}[/]")
    parts = tree.add("[dim]parts of the score[/]")
    for part in hit.parts:
        parts.add(f"[dim]{part.name}: {part.value:.3f} × {part.weight:g} = {part.contribution:+.4f}[/]")
    way = tree.add("[dim]way of its activation[/]") if hit.path else tree
    for step in hit.path:  # each step below the one it came from
        why = escape(f", {step.reason}") if step.reason else ""
        way = way.add(
            f"[dim]{step.link_type}{why} (weight {step.weight:.2f}, gain {step.gain:g})"
            f" → {step.node_id}: activation {step.activation:.3f}[/]"
        )
    return tree


def memory_panel(memory: Memory, named: Sequence[NamedNode], links: Sequence[Link], rows: dict[str, str]) -> Panel:
    """One memory with all that a person may want to know of it."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows.items():
        table.add_row(name, Text(value))
    if named:
        table.add_row("refers to", Text(", ".join(each.name for each in named)))
    for link in links:
        arrow, other = ("→", link.target) if link.source == NodeId(memory.id) else ("←", link.source)
        table.add_row("link", Text(f"{link.type} {arrow} {other} ({link.weight:g})"))
    return Panel(Group(Text(memory.text, style="bold"), Text(), table), title=memory.id, title_align="left")


def stats_table(user_id: str, stats: Stats) -> Table:
    """What a user's graph holds."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(justify="right")
    table.add_row("user", Text(user_id, style="bold"))
    for name, value in stats_rows(stats):
        table.add_row(name, f"{value:,}")
    return table


def stats_rows(stats: Stats) -> Iterable[tuple[str, int]]:
    """Names and counts; what is nought and not asked for by name is left out."""
    yield "memories", stats.memories
    for group, counts in (("", stats.by_kind), ("state ", stats.by_state), ("tier ", stats.by_tier)):
        for name, count in counts.items():
            if count:
                yield f"  {group}{name}", count
    yield "people", stats.people
    yield "entities", stats.entities
    for name, count in stats.links.items():
        if count:
            yield f"  link {name}", count
    for name in (
        "hidden",
        "fading_soon",
        "superseded",
        "awaiting_enrichment",
        "parked",
        "awaiting_extraction",
        "parked_extractions",
        "without_embedding",
        "stale_dates",
    ):
        yield name.replace("_", " "), getattr(stats, name)


def _cosine(hit: Hit, channel: Channel) -> str:
    return f" (cosine {hit.cosine:.2f})" if channel is Channel.SEMANTIC and hit.cosine is not None else ""


def _when(memory: Memory) -> str:
    return memory.occurred_at.isoformat(" ", "minutes").removesuffix("+00:00")

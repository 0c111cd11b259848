"""Memories and answers as a person reads them; two lines an item, so that narrow terminals hold them."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from graph_memory.domain.link import Link
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import NodeId
from graph_memory.ports import Hit, NamedNode, Stats

_CHANNELS = (
    ("meaning", "semantic_rank"),
    ("words", "lexical_rank"),
    ("words around it", "context_rank"),
    ("meaning with its surroundings", "context_vector_rank"),
)


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
    """What put a hit where it is: its place in each channel, then what was added or multiplied."""
    tree = Tree(f"[dim]score {hit.score:.4f}[/]", guide_style="dim")
    for label, name in _CHANNELS:
        rank = getattr(hit, name)
        tree.add(f"[dim]{label}: {'not found' if rank is None else f'rank {rank}'}{_cosine(hit, name)}[/]")
    if hit.subject != 1.0:
        tree.add(f"[dim]about somebody else: × {hit.subject:g}[/]")
    if hit.sequence:
        tree.add(f"[dim]said beside a good hit: + {hit.sequence:.4f}[/]")
    return tree


def why_words(hit: Hit) -> str:
    """The same in one line."""
    found = [f"{label} #{rank}" for label, name in _CHANNELS if (rank := getattr(hit, name)) is not None]
    beside = ["beside a good hit"] if hit.sequence else []
    return "found by " + ", ".join(found + beside) if found or beside else "found by nothing in particular"


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
        "without_embedding",
        "stale_dates",
    ):
        yield name.replace("_", " "), getattr(stats, name)


def _cosine(hit: Hit, channel: str) -> str:
    return f" (cosine {hit.cosine:.2f})" if channel == "semantic_rank" and hit.cosine is not None else ""


def _when(memory: Memory) -> str:
    return memory.occurred_at.isoformat(" ", "minutes").removesuffix("+00:00")

"""The report as pictures. matplotlib is a tool of the docs; nothing of the product knows it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure

_WIDE = (8.0, 3.6)
_DPI = 90
_STATES = ("core", "dream", "forgotten", "archive")
_TIERS = ("active", "warm", "cold", "archive", "pinned")
_SHADES = ("#1b6ca8", "#5fa8d3", "#c9b458", "#b5651d", "#444444")
_FOUND = {"true": "#1b6ca8", "both": "#c9b458", "past": "#b5361d", "neither": "#bbbbbb"}
_Report = Mapping[str, Any]


def draw(told: _Report, folder: Path) -> list[Path]:
    """Every plot as a PNG in the folder; where they lie."""
    folder.mkdir(parents=True, exist_ok=True)
    drawings = {
        "states": _states,
        "tiers": _tiers,
        "strength": _strength,
        "truth": _truth,
        "context": _context,
        "calls": _calls,
    }
    paths = []
    for name, drawing in drawings.items():
        figure = Figure(figsize=_WIDE, layout="constrained")
        drawing(told, figure.subplots())
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=_DPI, metadata={"Software": None})
        paths.append(path)
    return paths


def _states(told: _Report, axes: Axes) -> None:
    _stacked(told, axes, "states", _STATES)
    axes.set_title("Memories by state")


def _tiers(told: _Report, axes: Axes) -> None:
    _stacked(told, axes, "tiers", _TIERS)
    axes.plot(_times(told["snapshots"]), [each["hidden"] for each in told["snapshots"]], "k:", label="hidden")
    axes.set_title("Memories by tier, and how many are hidden")
    axes.legend(loc="upper left", fontsize=8)


def _stacked(told: _Report, axes: Axes, of: str, names: Sequence[str]) -> None:
    snapshots = told["snapshots"]
    rows = [[each[of].get(name, 0) for each in snapshots] for name in names]
    shown = [(name, row) for name, row in zip(names, rows, strict=True) if any(row)]
    axes.stackplot(
        _times(snapshots), [row for _, row in shown], labels=[name for name, _ in shown], colors=_SHADES, alpha=0.9
    )
    axes.set_ylabel("memories")
    axes.legend(loc="upper left", fontsize=8)
    _dated(axes)


def _strength(told: _Report, axes: Axes) -> None:
    snapshots = told["snapshots"]
    quantiles = np.asarray([each["strength quantiles"] for each in snapshots])
    times = _times(snapshots)
    axes.fill_between(times, quantiles[:, 0], quantiles[:, 4], color=_SHADES[1], alpha=0.35, label="10 to 90 %")
    axes.fill_between(times, quantiles[:, 1], quantiles[:, 3], color=_SHADES[1], alpha=0.6, label="25 to 75 %")
    axes.plot(times, quantiles[:, 2], color=_SHADES[0], label="median")
    axes.axhline(0.1, color="k", linestyle=":", linewidth=0.8, label="hidden below")
    axes.set_title("Strength of what is current")
    axes.set_ylim(0, 1.3)
    axes.legend(loc="upper right", fontsize=8, ncols=4)
    _dated(axes)


def _truth(told: _Report, axes: Axes) -> None:
    """The last look of the observer at each way of telling, as bars."""
    asked = {name: each for name, each in told["asked by the observer"].items() if each["questions"]}
    left = np.zeros(len(asked))
    for found, colour in _FOUND.items():
        widths = np.asarray([each[found] for each in asked.values()])
        axes.barh(range(len(asked)), widths, left=left, color=colour, label=found)
        left += widths
    axes.set_yticks(range(len(asked)), [f"{name} ({each['questions']})" for name, each in asked.items()], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_title("What an answer holds: what is true, what no longer is, both, neither")
    axes.legend(loc="lower right", fontsize=8, ncols=4)


def _context(told: _Report, axes: Axes) -> None:
    contexts = told["contexts"]
    axes.plot(_times(contexts), [each["tokens"] for each in contexts], color=_SHADES[0], linewidth=0.9)
    axes.axhline(contexts[0]["budget"], color="k", linestyle=":", linewidth=0.8, label="budget")
    axes.set_title("Size of the agent's context at the start of each chat")
    axes.set_ylabel("tokens")
    axes.set_ylim(bottom=0)
    axes.legend(loc="lower right", fontsize=8)
    _dated(axes)


def _calls(told: _Report, axes: Axes) -> None:
    months = told["calls by month"]
    names = sorted({name for calls in months.values() for name in calls})
    width = 0.8 / len(names)
    for place, name in enumerate(names):
        heights = [calls.get(name, 0) for calls in months.values()]
        axes.bar(np.arange(len(months)) + place * width, heights, width, label=name)
    axes.set_xticks(np.arange(len(months)) + 0.4 - width / 2, list(months), rotation=45, fontsize=8)
    axes.set_yscale("symlog", linthresh=10)
    axes.set_title("What a month costs in calls")
    axes.legend(loc="upper center", fontsize=7, ncols=4)


def _times(rows: Sequence[Mapping[str, Any]]) -> list[datetime]:
    return [datetime.fromisoformat(each["at"]) for each in rows]


def _dated(axes: Axes) -> None:
    locator = AutoDateLocator()
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    axes.margins(x=0)

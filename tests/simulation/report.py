"""What became of a played life, as figures that JSON holds."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from tests.benchmarks.metrics import interval_of_mean
from tests.simulation.life import Decided, Life, Stated
from tests.simulation.record import Found, Played, Replied, Snapshot

_SEED = 6
_BIN = 0.1  # of strength
_STRONGEST = 2.0
_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


def report(life: Life, played: Played) -> dict[str, Any]:
    """Everything that the plots and the tables show."""
    return {
        "life": _of_life(life),
        "snapshots": [_of_snapshot(each) for each in played.snapshots],
        "asked in the day": _of_replies(each for each in played.replies if not each.probe),
        "asked by the observer": _of_replies(each for each in played.replies if each.probe),
        "months": _by_month(played.replies),
        "contexts": [
            {"at": each.at.isoformat(), "tokens": each.tokens, "budget": each.budget} for each in played.contexts
        ],
        "calls": dict(played.calls),
        "calls by month": {month: dict(calls) for month, calls in played.calls_by_month.items()},
        "runs": {str(count): number for count, number in played.reported.items()},
        "pairs": _of_pairs(life, played),
        "not noticed": played.missed,
        "breaches": played.breaches,
    }


def _of_life(life: Life) -> dict[str, Any]:
    happenings = Counter(type(each).__name__.lower() for each in life.happenings())
    changed = sum(isinstance(each, Stated) and each.replaces is not None for each in life.happenings())
    reversals = sum(isinstance(each, Decided) and each.version > 0 for each in life.happenings())
    return {
        "from": life.starts_at.isoformat(),
        "to": life.ends_at.isoformat(),
        "chats": len(life.sessions),
        "turns": sum(1 for _ in life.turns()),
        "happenings": dict(happenings),
        "changes of facts": changed,
        "decisions replaced": reversals,
    }


def _of_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    strengths = np.asarray(snapshot.strengths) if snapshot.strengths else np.zeros(1)
    edges = np.arange(0.0, _STRONGEST + _BIN, _BIN)
    return {
        "at": snapshot.at.isoformat(),
        "memories": snapshot.memories,
        "states": dict(snapshot.by_state),
        "tiers": dict(snapshot.by_tier),
        "kinds": dict(snapshot.by_kind),
        "hidden": snapshot.hidden,
        "superseded": snapshot.superseded,
        "links": snapshot.links,
        "strength quantiles": [round(float(each), 4) for each in np.quantile(strengths, _QUANTILES)],
        "strength histogram": np.histogram(strengths, edges)[0].tolist(),
    }


def _of_replies(replies: Iterable[Replied]) -> dict[str, Any]:
    """All of them, those about what has changed, and these by how the change was told."""
    replies = [each for each in replies if each.asked.about not in ("", None)]
    changed = [each for each in replies if each.changed_by is not None]
    tellings = sorted({each.changed_by for each in changed if each.changed_by})
    return {
        "never changed": _shares([each for each in replies if each.changed_by is None]),
        "changed": _shares(changed),
        **{f"changed, {telling}": _shares([r for r in changed if r.changed_by == telling]) for telling in tellings},
    }


def _shares(replies: Sequence[Replied]) -> dict[str, Any]:
    if not replies:
        return {"questions": 0}
    found = [float(each.true_rank is not None) for each in replies]
    first = [float(each.true_first) for each in replies]
    past = [float(bool(each.past_ranks)) for each in replies]
    echo = [float(bool(each.echo_ranks)) for each in replies]
    counted = Counter(each.found for each in replies)
    return {
        "questions": len(replies),
        "true found": _mean(found),
        "true above all that is past": _mean(first),
        "past shown as a fact": _mean(past),
        "past shown as a chat turn": _mean(echo),
        **{str(kind): counted[kind] / len(replies) for kind in Found},
    }


def _mean(values: Sequence[float]) -> dict[str, float]:
    low, high = interval_of_mean(values, seed=_SEED)
    return {"mean": round(float(np.mean(values)), 4), "low": round(low, 4), "high": round(high, 4)}


def _by_month(replies: Sequence[Replied]) -> dict[str, Any]:
    """The observer's questions about what has changed, by the month in which they were asked."""
    asked = [each for each in replies if each.probe and each.changed_by is not None]
    months = groupby(asked, key=lambda each: f"{each.asked.at:%Y-%m}")
    return {month: _shares(list(each)) for month, each in months}


def _of_pairs(life: Life, played: Played) -> list[dict[str, Any]]:
    by_id = {memory.id: memory for memory in played.memories}

    def told(key: str) -> dict[str, Any]:
        memory = by_id[played.ids[key]]
        return {
            "text": memory.text,
            "uses": memory.access_count,
            "spaced uses": memory.strength.spaced_access_count,
            "visible until": memory.visible_until.isoformat(),
        }

    return [{"late burst": each.late, "growing": told(each.growing), "burst": told(each.burst)} for each in life.pairs]

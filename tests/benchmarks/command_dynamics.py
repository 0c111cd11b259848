"""`dynamics`: what use and time do to recall: half of the questions count as uses, the other half is scored."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from graph_memory.bootstrap import Services, open_services
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from tests.benchmarks import corpora
from tests.benchmarks.loading import Stored, erase, store
from tests.benchmarks.quality import Ranked, answers, costs, score
from tests.benchmarks.tables import cost_table, score_table, show, write_json
from tests.benchmarks.variants import Variant

_SETS = {"locomo": corpora.locomo, "hotpotqa": corpora.hotpotqa, "musique": corpora.musique}
_K = 10
_APART = timedelta(hours=13)  # more than the gap that makes uses spaced
_LATER_DAYS = (7, 30, 80)


async def run_dynamics(settings: Settings, arguments: argparse.Namespace) -> None:
    """Loads, asks, uses, lets time pass, asks again, prints; what it stored goes."""
    result: dict[str, Any] = {}
    for name in arguments.only or _SETS:
        clock = _AheadClock()
        async with open_services(settings, clock=clock) as services:
            stored = await store(services, _SETS[name](), reuse=False)
            result[name] = await _measured(services, clock, name, stored)
            await erase(services, [each.user_id for each in stored])
    write_json(arguments.json, result)


async def _measured(services: Services, clock: "_AheadClock", name: str, stored: Sequence[Stored]) -> dict[str, Any]:
    asked, scored = [_part(each, 0) for each in stored], [_part(each, 1) for each in stored]
    product = Variant("all", services.settings)
    ranked: dict[str, list[Ranked]] = {"before": await answers(services, scored, product)}
    for _ in range(2):
        clock.advance(_APART)
        await _use(services, asked)
    ranked["others used twice"] = await answers(services, scored, product)
    for days, before in zip(_LATER_DAYS, (0, *_LATER_DAYS), strict=False):
        clock.advance(timedelta(days=days - before))
        ranked[f"and {days} days later"] = await answers(services, scored, product)
    lost = {row: costs(ranked["before"], each) for row, each in ranked.items() if row != "before"}
    scores = {row: score(each) for row, each in ranked.items()}
    show(score_table(name, "when", scores), cost_table(f"{name}: what is lost since", "when", lost))
    return {"scores": scores, "costs": lost}


class _AheadClock:
    """The real time, and what was added to it by hand: what is stored falls due at once, as each row a moment later."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def advance(self, by: timedelta) -> None:
        """Moves on."""
        self._ahead += by


def _part(each: Stored, remainder: int) -> Stored:
    """The same memories with every second question."""
    corpus = each.corpus
    cases = tuple(case for place, case in enumerate(corpus.cases) if place % 2 == remainder)
    return Stored(replace(corpus, cases=cases), each.user_id)


async def _use(services: Services, stored: Sequence[Stored]) -> None:
    for owner in stored:
        for case in owner.corpus.cases:
            await services.recall(owner.user_id, Question(query=case.question, k=_K))
    await services.aftermath.settled()

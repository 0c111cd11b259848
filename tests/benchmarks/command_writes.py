"""`writes`: many writers at once with group commit and without, and bulk; vectors are given."""

import argparse
import statistics
from collections.abc import Mapping, Sequence
from uuid import uuid4

from graph_memory.bootstrap import Services, embedder_of, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import UserId
from graph_memory.services.remember import Remember
from graph_memory.settings import Settings
from tests.benchmarks.corpora import locomo
from tests.benchmarks.filler import Turns, turns_of
from tests.benchmarks.loading import erase
from tests.benchmarks.prepared import PreparedEmbedder
from tests.benchmarks.tables import figures_table, show, write_json
from tests.benchmarks.writing import Writer, rows_per_second, ungrouped, writes_per_second

WRITERS = 32
ROWS = 1_000
_GROUPED_EACH, _ALONE_EACH = 30, 4  # memories a writer: enough for about a second or more of work each


class Bench:
    """Draws fresh memories, has them written, and remembers whose they are."""

    def __init__(self, services: Services, embedder: PreparedEmbedder, turns: Turns) -> None:
        self._services, self._embedder, self._turns = services, embedder, turns
        self.users: list[UserId] = []

    async def writers(self, doors: Sequence[Remember], each: int, *, sessions: bool) -> float:
        """Memories a second of one writer a door, each a user of its own who has written before."""
        drafts = self._drawn(len(doors) * (each + 1), sessions)
        users = [self._user() for _ in doors]
        first, rest = drafts[: len(doors)], drafts[len(doors) :]
        await writes_per_second([Writer(*mine) for mine in zip(doors, users, ([one] for one in first), strict=True)])
        shares = (rest[number :: len(doors)] for number in range(len(doors)))
        return await writes_per_second([Writer(*mine) for mine in zip(doors, users, shares, strict=True)])

    async def bulk(self, *, sessions: bool) -> float:
        """Memories a second in calls of a thousand."""
        return await rows_per_second(self._services.remember, self._user(), self._drawn(ROWS, sessions))

    def _drawn(self, count: int, sessions: bool) -> Sequence[MemoryDraft]:
        [batch] = self._turns.batches(count, rows=count, seed=len(self.users), sessions=sessions)
        self._embedder.prepare({draft.text: vector for draft, vector in zip(batch.drafts, batch.vectors, strict=True)})
        return batch.drafts

    def _user(self) -> UserId:
        self.users.append(UserId(f"bench-writes-{uuid4().hex[:12]}"))
        return self.users[-1]


async def run_writes(settings: Settings, arguments: argparse.Namespace) -> None:
    """Writes in turns, prints the medians and the ratios of each round."""
    embedder = PreparedEmbedder(await embedder_of(settings))
    async with open_services(settings, embedder=embedder) as services, ungrouped(settings, embedder, WRITERS) as alone:
        bench = Bench(services, embedder, await turns_of(locomo(), embedder))
        doors = {
            "grouped": [services.remember] * WRITERS,
            "one transaction each, in a queue": alone[:1] * WRITERS,
            "one transaction each, at once": alone,
        }
        try:
            rounds = await _rounds(bench, doors, arguments.rounds)
        finally:
            if not arguments.keep:
                await erase(services, bench.users)
        _print(rounds)
        write_json(arguments.json, rounds)


async def _rounds(bench: Bench, doors: Mapping[str, Sequence[Remember]], count: int) -> dict[str, list[float]]:
    """What → memories a second or a ratio, one figure a round; the first round warms up and does not count."""
    taken: dict[str, list[float]] = {}
    for number in range(count + 1):
        for suffix, sessions in (("", False), (", sessions", True)):
            figures = {
                name: await bench.writers(each, _ALONE_EACH if "one" in name else _GROUPED_EACH, sessions=sessions)
                for name, each in doors.items()
            }
            ratios = {f"grouped ÷ {name}": figures["grouped"] / figure for name, figure in figures.items()}
            del ratios["grouped ÷ grouped"]
            bulk = {"bulk": await bench.bulk(sessions=sessions)}
            for name, figure in (figures | ratios | bulk).items() if number else ():
                taken.setdefault(name + suffix, []).append(figure)
    return taken


def _print(rounds: dict[str, list[float]]) -> None:
    rows = [
        [name, f"{statistics.median(each):,.1f}", *(f"{figure:,.1f}" for figure in each)]
        for name, each in rounds.items()
    ]
    numbered = [f"round {number}" for number in range(1, len(rows[0]) - 1)]
    show(figures_table(f"memories a second, {WRITERS} writers; bulk: {ROWS:,} a call", ["", "median", *numbered], rows))

"""What a cycle of sleep costs, makes, and does to recall. A semantic hit counts as its sources."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.bootstrap import Services
from graph_memory.domain.sleep import Beat, RunStatus, StepReport
from graph_memory.domain.vocabulary import Kind, MemoryId, UserId
from graph_memory.ports import MemoryFilter
from graph_memory.services.paging import PageRequest
from tests.benchmarks.corpora import Case
from tests.benchmarks.loading import Stored, enrich
from tests.benchmarks.quality import Cost, cost_of
from tests.benchmarks.variants import Searcher, Variant

K = 10
_AT_ONCE = 4
_PAGE = 100


@dataclass(frozen=True, slots=True)
class Night:
    """One run of the cycle over all users: how long it took and what it did."""

    seconds: float
    report: StepReport


@dataclass(frozen=True, slots=True)
class Found:
    """A question, and for each of the first hits the turns that it counts as."""

    case: Case
    hits: tuple[frozenset[str], ...]

    def recall(self) -> float:
        """The share of the gold that the hits count as."""
        return len(frozenset[str]().union(*self.hits) & self.case.gold) / len(self.case.gold)


async def embedding_seconds(services: Services, stored: Sequence[Stored]) -> float:
    """How long the embedder takes over the same turns, conversation by conversation."""
    start = time.perf_counter()
    for each in stored:
        await services.embedder.embed_passages([draft.text for draft in each.corpus.drafts])
    return time.perf_counter() - start


async def sleep(services: Services, stored: Sequence[Stored]) -> Night:
    """A whole cycle for every user, one after the other."""
    start, report = time.perf_counter(), StepReport()
    for each in stored:
        run = await services.sleep(each.user_id, Beat.CYCLE)
        if run.status is not RunStatus.DONE:
            raise RuntimeError(f"the cycle {run.status}: {'; '.join(run.report.notes)}")
        report = report.plus(run.report)
    seconds = time.perf_counter() - start
    await enrich(services, [each.user_id for each in stored])
    return Night(seconds, report)


async def answers(services: Services, stored: Sequence[Stored]) -> list[Found]:
    """Every question asked of its own user; nothing is used by that."""
    searcher, room = Searcher(services, Variant("all", services.settings)), asyncio.Semaphore(_AT_ONCE)

    async def asked(owner: Stored, case: Case) -> Found:
        async with room:
            hits = await searcher.found(owner.user_id, case.question, k=K)
            drawn = [hit.id for hit in hits if hit.kind is Kind.SEMANTIC]
            sources = await services.inspect.sources(owner.user_id, drawn) if drawn else {}
            credited = [sources.get(hit.id, [hit]) if hit.kind is Kind.SEMANTIC else [hit] for hit in hits]
            return Found(case, tuple(frozenset(each.external_id or "" for each in turns) for turns in credited))

    return await asyncio.gather(*(asked(owner, case) for owner in stored for case in owner.corpus.cases))


def lost(before: Sequence[Found], after: Sequence[Found]) -> Cost:
    """What recall lost over night, question by question."""
    return cost_of([one.recall() - other.recall() for one, other in zip(before, after, strict=True)])


async def unreachable(services: Services, stored: Sequence[Stored]) -> int:
    """Statements that lead to no source, and sources that cannot be read or whose statement cannot."""
    missing = 0
    for each in stored:
        made = await _of_kind(services, each.user_id, Kind.SEMANTIC)
        sources = await services.inspect.sources(each.user_id, made)
        missing += sum(not sources[one] or any(not source.external_id for source in sources[one]) for one in made)
    return missing


async def made(services: Services, stored: Sequence[Stored], kind: Kind) -> int:
    """How many memories of a kind there are."""
    return sum([len(await _of_kind(services, each.user_id, kind)) for each in stored])


def counted(night: Night) -> dict[str, int]:
    """What a night did, by the words of the report."""
    return {str(count): number for count, number in night.report.counts.items() if number}


async def _of_kind(services: Services, user_id: UserId, kind: Kind) -> list[MemoryId]:
    wanted, ids, after = MemoryFilter(kinds=(kind,)), list[MemoryId](), None
    while True:
        page = await services.inspect.find_memories(user_id, wanted, PageRequest(first=_PAGE, after=after))
        ids += [each.id for each in page.items]
        if not page.has_next:
            return ids
        after = page.cursors[-1]

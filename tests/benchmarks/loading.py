"""Corpora stored through the product, as any caller would store them."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass

from graph_memory.bootstrap import Services
from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Beat, Count
from graph_memory.domain.vocabulary import MemoryOrder, UserId
from graph_memory.ports import MemoryFilter
from graph_memory.services.paging import PageRequest
from tests.benchmarks.corpora import Corpus

_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Stored:
    """A corpus and the user who remembers it."""

    corpus: Corpus
    user_id: UserId


async def store(services: Services, corpora: Iterable[Corpus], *, reuse: bool) -> list[Stored]:
    """Every corpus stored and enriched; with `reuse`, what stands complete from an earlier run is taken as it is."""
    stored = []
    for corpus in corpora:
        user_id = corpus.user_id(services.embedder.name)
        if not (reuse and await _is_complete(services, corpus, user_id)):
            await erase(services, [user_id])
            await _remember(services, corpus, user_id)
        stored.append(Stored(corpus, user_id))
    await enrich(services, [each.user_id for each in stored])
    return stored


async def every_memory(services: Services, user_id: UserId) -> AsyncIterator[Memory]:
    """All that a user has, in the order in which it was written."""
    cursor: str | None = None
    while True:
        page = await services.inspect.find_memories(
            user_id,
            MemoryFilter(),
            PageRequest(first=services.settings.pages.most, after=cursor),
            order=MemoryOrder.CREATED_ASC,
        )
        for memory in page.items:
            yield memory
        if (cursor := page.next_cursor) is None:
            return


async def erase(services: Services, user_ids: Iterable[UserId]) -> None:
    """Removes all of these users."""
    for user_id in user_ids:
        await services.amend.erase_everything(user_id, confirm=user_id)


async def enrich(services: Services, user_ids: Sequence[UserId]) -> None:
    """Enriches until nothing of these users waits."""
    while await services.enrich() or [each for each in user_ids if await _waiting(services, each)]:
        pass


async def find_links(services: Services, user_ids: Iterable[UserId]) -> int:
    """Runs the link beat of these users until no memory waits for it; how many links it made."""
    made = 0
    for user_id in user_ids:
        while await services.discover_links.due(user_id, at=services.clock.now()):
            made += (await services.sleep(user_id, Beat.LINK)).report.counts.get(Count.LINKS, 0)
    return made


async def _remember(services: Services, corpus: Corpus, user_id: UserId) -> None:
    for start in range(0, len(corpus.drafts), _ROWS):
        result = await services.remember.many(user_id, corpus.drafts[start : start + _ROWS])
        if result.failed:
            raise SystemExit(f"{corpus.name}: {len(result.failed)} memories were refused, first {result.failed[0]}")
    if corpus.ties:
        ids = {memory.external_id: memory.id async for memory in every_memory(services, user_id)}
        for tie in corpus.ties:
            await services.links.link(user_id, tie.type, ids[tie.source], ids[tie.target])


async def _is_complete(services: Services, corpus: Corpus, user_id: UserId) -> bool:
    return (await services.inspect.stats(user_id)).memories == len(corpus.drafts)


async def _waiting(services: Services, user_id: UserId) -> int:
    return (await services.inspect.stats(user_id)).awaiting_enrichment

"""Users of a given size, stored through the product with their vectors given."""

from collections.abc import Sequence

from rich.progress import Progress

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.vocabulary import MemoryId, UserId
from tests.benchmarks.filler import Filler, Turns
from tests.benchmarks.loading import erase
from tests.benchmarks.prepared import PreparedEmbedder

_ROWS = 1_000
_SETTLE = """
UNWIND $ids AS id
MATCH (m:Memory {user_id: $user_id, id: id})
SET m.enriched_at = m.created_at, m.enrich_due_at = null
"""
_FRESH_STATISTICS = ("CALL db.awaitIndexes(600)", "CALL db.resampleOutdatedIndexes()", "CALL db.clearQueryCaches()")


async def store_users(
    services: Services, embedder: PreparedEmbedder, turns: Turns, sizes: Sequence[int], *, reuse: bool
) -> dict[int, UserId]:
    """One user of each size; with `reuse` a load that broke off goes on."""
    users = {size: UserId(f"bench-crowd-{size}") for size in sizes}
    with Progress() as progress:
        for size, user_id in users.items():
            await _store_user(services, embedder, turns, progress, user_id, size=size, seed=size, reuse=reuse)
    await _freshen(services)
    return users


async def store_equals(
    services: Services, embedder: PreparedEmbedder, turns: Turns, count: int, *, size: int, reuse: bool
) -> list[UserId]:
    """The same for `count` users of one size."""
    users = [UserId(f"bench-equal-{size}-{number}") for number in range(count)]
    with Progress() as progress:
        for number, user_id in enumerate(users):
            await _store_user(services, embedder, turns, progress, user_id, size=size, seed=number, reuse=reuse)
    await _freshen(services)
    return users


async def _store_user(
    services: Services,
    embedder: PreparedEmbedder,
    turns: Turns,
    progress: Progress,
    user_id: UserId,
    *,
    size: int,
    seed: int,
    reuse: bool,
) -> None:
    if not reuse:
        await erase(services, [user_id])
    begin = await _whole_batches(services, user_id, turns)
    if begin >= size:
        return
    await _introduce(services, user_id, turns)
    task = progress.add_task(f"{user_id}: {size:,} memories", total=size, completed=begin)
    for batch in turns.batches(size, rows=_ROWS, seed=seed, begin=begin):
        await _remember(services, embedder, user_id, batch)
        progress.advance(task, len(batch.drafts))


async def _freshen(services: Services) -> None:
    for statement in _FRESH_STATISTICS:
        await services.connection.run_text(statement)


async def _introduce(services: Services, user_id: UserId, turns: Turns) -> None:
    """Makes the speakers known persons, as enrichment would: their names are then found in questions.

    It is a general memory, so that every recall has an overlay to look up.
    """
    for speaker in turns.speakers():
        introduction = MemoryDraft(text=f"This is {speaker}.", speaker=speaker, general=True)
        await services.remember(user_id, introduction, wait=True)


async def _whole_batches(services: Services, user_id: UserId, turns: Turns) -> int:
    """How many memories of whole batches stand already, besides the introductions."""
    standing = (await services.inspect.stats(user_id)).memories - len(turns.speakers())
    return max(0, standing) // _ROWS * _ROWS


async def _remember(services: Services, embedder: PreparedEmbedder, user_id: UserId, batch: Filler) -> None:
    embedder.prepare({draft.text: vector for draft, vector in zip(batch.drafts, batch.vectors, strict=True)})
    written = await services.remember.many(user_id, batch.drafts)
    if written.failed:
        raise SystemExit(f"{len(written.failed)} of {len(batch.drafts)} memories failed, first {written.failed[0]}")
    await _settle(services, user_id, [each.memory.id for each in written.results if each.memory])


async def _settle(services: Services, user_id: UserId, ids: Sequence[MemoryId]) -> None:
    """Counts memories as enriched: made up as they are, they name nobody that enrichment would find."""
    await services.connection.run_text(_SETTLE, {"user_id": user_id, "ids": ids})

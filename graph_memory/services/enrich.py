"""Enrichment: what follows a write. Links to persons, entities and memories that a text names, and its context vector.

Work is claimed by lease, done in batches, retried and then parked; it is visible as the memory's enrichment status.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from graph_memory.domain.identity import name_key
from graph_memory.domain.memory import Memory
from graph_memory.domain.names import (
    KnownName,
    MemoryReference,
    NameBook,
    NameKind,
    capitalised_names,
    heading_of,
    mention_weight,
    reference_to,
    referred_names,
)
from graph_memory.domain.vocabulary import EnrichmentStatus, MemoryId, NodeId, UserId
from graph_memory.errors import InferenceError
from graph_memory.ports import (
    Clock,
    Embedder,
    Enrichment,
    EnrichmentQueue,
    Floats,
    Ids,
    MemoryStore,
    NodeMention,
    NodeName,
    PendingMemory,
)
from graph_memory.services.due_work import DueWork
from graph_memory.services.encode import check_vectors
from graph_memory.services.name_books import NameBooks
from graph_memory.settings import EnrichmentSettings, LinkSettings

_log = logging.getLogger(__name__)

# Roles that speak but are nobody's name; the user is never a person of their own memory (constants.md 2.8).
_ROLES = frozenset({"user", "me", "self", "i", "assistant", "agent", "ai", "bot", "system", "tool"})
_SETTLE_SECONDS = 30.0
_SETTLE_POLL_SECONDS = 0.05


class Enrich:
    """Enriches memories that await it."""

    def __init__(
        self,
        *,
        queue: EnrichmentQueue,
        memories: MemoryStore,
        books: NameBooks,
        embedder: Embedder,
        clock: Clock,
        ids: Ids,
        settings: EnrichmentSettings,
        links: LinkSettings,
        context_vectors: bool,
    ) -> None:
        self._queue, self._memories, self._books, self._embedder = queue, memories, books, embedder
        self._clock, self._ids, self._settings, self._links = clock, ids, settings, links
        self._context_vectors = context_vectors  # whether recall asks for them
        self._loop = DueWork("enrichment", self, poll_seconds=settings.poll_seconds)
        self._follows: tuple[Callable[[Sequence[PendingMemory]], Awaitable[int]], ...] = ()

    def followed_by(self, *follows: Callable[[Sequence[PendingMemory]], Awaitable[int]]) -> None:
        """What is to be done, one after the other, with memories once they are enriched."""
        self._follows = follows

    def nudge(self) -> None:
        """Says that something has fallen due."""
        self._loop.nudge()

    async def __call__(self) -> int:
        """Enriches one batch; how many memories were taken up, 0 when none is due. Raises StoreError."""
        claim = self._ids.new()
        pending = await self._queue.claim(
            claim=claim, limit=self._settings.batch, at=self._clock.now(), lease=self._lease()
        )
        return await self._carry_out(claim, pending)

    async def run_forever(self) -> None:
        """Enriches whatever falls due until cancelled; a fault of the store is logged and tried again."""
        await self._loop.run_forever()

    async def settled(self, user_id: UserId, memory: Memory) -> Memory:
        """The memory when its enrichment is done or parked, ahead of all that waits; as it is when that takes long."""
        ends_at = asyncio.get_running_loop().time() + _SETTLE_SECONDS
        while memory.enrichment is EnrichmentStatus.PENDING and asyncio.get_running_loop().time() < ends_at:
            claim = self._ids.new()
            pending = await self._queue.claim_one(memory.id, claim=claim, at=self._clock.now(), lease=self._lease())
            if not await self._carry_out(claim, pending):
                await asyncio.sleep(_SETTLE_POLL_SECONDS)  # another worker has it
            found = await self._memories.get(user_id, [memory.id])
            if memory.id not in found:
                return memory
            memory = found[memory.id]
        return memory

    async def _carry_out(self, claim: str, pending: Sequence[PendingMemory]) -> int:
        if not pending:
            return 0
        done, failed = await self._enriched_or_failed(pending)
        if done:
            now = self._clock.now()
            weighed, references = await self._weighed(done), await self._references(done, now)
            await self._queue.finish(claim, weighed, at=now, references=references)
        if failed:
            await self._give_back(claim, failed)
        for user_id in {each.memory.user_id for each in done if each.mentions}:
            self._books.drop(user_id)
        for follow in self._follows if done else ():
            await follow([each.memory for each in done])
        return len(pending)

    def _lease(self) -> timedelta:
        return timedelta(seconds=self._settings.lease_seconds)

    async def _enriched_or_failed(
        self, pending: Sequence[PendingMemory]
    ) -> tuple[list[Enrichment], dict[MemoryId, str]]:
        """A batch that fails is taken one memory at a time, so that a bad one is given back alone."""
        try:
            return await self._enriched(pending), {}
        except InferenceError as error:
            if len(pending) == 1 or error.is_retryable():
                return [], {each.id: str(error) for each in pending}
        done: list[Enrichment] = []
        failed: dict[MemoryId, str] = {}
        for each in pending:
            enriched, problems = await self._enriched_or_failed([each])
            done += enriched
            failed |= problems
        return done, failed

    async def _enriched(self, pending: Sequence[PendingMemory]) -> list[Enrichment]:
        vectors = await self._vectors_of_contexts(pending)
        books = {user_id: await self._books.refresh(user_id) for user_id in {each.user_id for each in pending}}
        spoken = _persons_named_by_callers(pending)
        return [
            Enrichment(
                memory=each,
                mentions=tuple(self._mentions(each, books[each.user_id], spoken[each.user_id])),
                context_embedding=vectors.get(each.id),
            )
            for each in pending
        ]

    async def _vectors_of_contexts(self, pending: Sequence[PendingMemory]) -> dict[MemoryId, Floats]:
        passages = await self._queue.context_passages(pending, at=self._clock.now())  # puts turns in their places, too
        if not self._context_vectors:
            return {}
        return dict(zip(passages, await self._embedded(list(passages.values())), strict=True))

    async def _embedded(self, passages: list[str]) -> Sequence[Floats]:
        if not passages:
            return []
        vectors = await self._embedder.embed_passages(passages)
        check_vectors(vectors, texts=len(passages), dimensions=self._embedder.dimensions, embedder=self._embedder.name)
        return list(vectors)

    def _mentions(self, memory: PendingMemory, book: NameBook, spoken: NameBook) -> Iterable[NodeMention]:
        """Each person and entity once: those the caller gave, those known, those that capitals show."""
        found: dict[tuple[NameKind, str], NodeMention] = {}
        for kind, name, key, reason in _named(memory, book, spoken):
            if key and key not in _ROLES:
                mention = NodeMention(
                    kind=kind, name=name, name_key=key, weight=self._links.entity_weight, reason=reason
                )
                found.setdefault((kind, key), mention)
        return list(found.values())[: self._links.max_names_per_memory]

    async def _weighed(self, done: Sequence[Enrichment]) -> list[Enrichment]:
        """The same with mentions that weigh the less the more memories know the name, those of this batch in order."""
        names = [_node_name(each, mention) for each in done for mention in each.mentions]
        known_by = await self._queue.known_by(sorted(set(names))) if names else {}
        weighed = []
        for each in done:
            mentions = []
            for mention in each.mentions:
                name = _node_name(each, mention)
                mentions.append(replace(mention, weight=self._mention_weight(known_by.get(name, 0))))
                known_by[name] = known_by.get(name, 0) + 1
            weighed.append(replace(each, mentions=tuple(mentions)))
        return weighed

    def _mention_weight(self, known_by: int) -> float:
        links = self._links
        return mention_weight(
            known_by, weight=links.entity_weight, rare_names=links.rare_names, least_weight=links.min_weight
        )

    async def _references(self, done: Sequence[Enrichment], at: datetime) -> dict[MemoryId, list[MemoryReference]]:
        """Which memories the texts name."""
        links, memories = self._links, [each.memory for each in done]
        named = {each.id: referred_names(each.text)[: links.max_names_per_memory] for each in memories}
        asked = sorted({(each.user_id, name) for each in memories for name in named[each.id]})
        called = await self._queue.called(asked, at=at) if asked else {}
        return {
            each.id: [
                reference_to(
                    name,
                    called.get(each.user_id, ()),
                    by=each.id,
                    weight=links.reference_weight,
                    least_weight=links.min_weight,
                    most=links.max_named_memories,
                )
                for name in named[each.id]
            ]
            for each in memories
        }

    async def _give_back(self, claim: str, failed: Mapping[MemoryId, str]) -> None:
        now = self._clock.now()
        retry_at = now + self._lease()
        parked = await self._queue.fail(
            claim, failed, at=now, retry_at=retry_at, max_attempts=self._settings.max_attempts
        )
        _log.warning("enrichment of %d memories failed, %d of them parked", len(failed), parked)


def _node_name(each: Enrichment, mention: NodeMention) -> NodeName:
    return each.memory.user_id, mention.kind, mention.name_key


def _named(memory: PendingMemory, book: NameBook, spoken: NameBook) -> Iterable[tuple[NameKind, str, str, str]]:
    """Kind, spelling, folded name of the node, and how it was found."""
    if memory.speaker:
        yield NameKind.PERSON, memory.speaker, _node_key(memory.speaker, book), "speaker"
    for name in memory.people:
        yield NameKind.PERSON, name, _node_key(name, book), "given"
    if heading := heading_of(memory.text):
        yield NameKind.ENTITY, heading, name_key(heading), "heading"
    for name in memory.entities:
        yield NameKind.ENTITY, name, name_key(name), "given"
    for mention, known in (*spoken.find(memory.text), *book.find(memory.text)):
        yield known.kind, mention.name, known.node_key, "known"
    for mention in capitalised_names(memory.text):
        if spoken.get(mention.name) is None and book.get(mention.name) is None:
            yield NameKind.ENTITY, mention.name, mention.key, "capitals"


def _node_key(name: str, book: NameBook) -> str:
    """The folded name of the person that a name or alias stands for; a new person's own."""
    known = book.get(name)
    return known.node_key if known and known.kind is NameKind.PERSON else name_key(name)


def _persons_named_by_callers(pending: Sequence[PendingMemory]) -> dict[UserId, NameBook]:
    """The persons of this very batch, so that a name in one memory's text is known from another's speaker."""
    names: dict[UserId, list[KnownName]] = {each.user_id: [] for each in pending}
    for each in pending:
        for name in ((each.speaker,) if each.speaker else ()) + each.people:
            key = name_key(name)
            names[each.user_id].append(KnownName(key, NameKind.PERSON, NodeId(key), key))
    return {user_id: NameBook(known) for user_id, known in names.items()}

"""Recall: analyse the question, ask the graph once, keep a receipt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np

from graph_memory.domain.dates import in_utc
from graph_memory.domain.identity import name_key
from graph_memory.domain.memory import Memory
from graph_memory.domain.names import KnownName, Mention, NameBook, NameKind
from graph_memory.domain.text import is_blank, script_query_terms, text_problems, words
from graph_memory.domain.vocabulary import Category, Kind, Lane, UserId
from graph_memory.errors import InvalidValueError, Problem
from graph_memory.ports import Clock, Embedder, Hit, Ids, RecallQuery, RecallStore, Receipt, Version
from graph_memory.services.aftermath import Aftermath, AnswerGiven
from graph_memory.services.encode import check_vectors
from graph_memory.services.inspect import Inspect
from graph_memory.services.name_books import NameBooks
from graph_memory.services.zones import zone_of
from graph_memory.settings import RecallSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a caller wants recalled, and within which bounds; None asks nothing."""

    query: str
    k: int | None = None
    buckets: tuple[str, ...] | None = None
    lanes: tuple[Lane, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    categories: tuple[Category, ...] | None = None
    people: tuple[str, ...] | None = None
    entities: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    session_id: str | None = None
    agent_id: str | None = None
    occurred_from: datetime | None = None
    occurred_until: datetime | None = None
    as_of: datetime | None = None  # what was believed of the world at that instant
    known_at: datetime | None = None  # what was known at that instant
    include_superseded: bool = False
    include_hidden: bool = False
    reinforce: bool = True  # whether every hit counts as used; never where an instant is asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was recalled, best first."""

    receipt_id: str
    k: int
    hits: tuple[Hit, ...]

    def lanes(self) -> dict[Lane, list[Hit]]:
        """The hits by lane, lanes in the order of their best hit."""
        sections: dict[Lane, list[Hit]] = {}
        for hit in self.hits:
            sections.setdefault(hit.memory.lane, []).append(hit)
        return sections


class Recall:
    """Answers questions from memory."""

    def __init__(
        self,
        *,
        store: RecallStore,
        books: NameBooks,
        embedder: Embedder,
        inspect: Inspect,
        aftermath: Aftermath,
        clock: Clock,
        ids: Ids,
        settings: RecallSettings,
    ) -> None:
        self._store, self._books, self._embedder, self._aftermath = store, books, embedder, aftermath
        self._inspect, self._clock, self._ids, self._settings = inspect, clock, ids, settings
        self._weak = frozenset(settings.weak_words.split())

    async def __call__(self, user_id: UserId, question: Question) -> Answer:
        """The best memories for a question. Raises InvalidValueError, InferenceError, StoreError."""
        if problems := list(self._problems(question)):
            raise InvalidValueError("recall", problems)
        now = self._clock.now()
        query = await self.analysed(user_id, question)
        found = await self._store.recall(user_id, query, at=now)
        hits = found.hits if query.known_at is None else await self._as_known(user_id, found.hits, query.known_at)
        receipt = Receipt(
            id=self._ids.new(),
            user_id=user_id,
            at=now,
            expires_at=now + timedelta(days=self._settings.receipt_days),
            hit_ids=tuple(hit.memory.id for hit in hits),
            scores=tuple(hit.score for hit in hits),
        )
        reinforced = question.reinforce and query.known_at is None
        self._aftermath.follow(
            AnswerGiven(
                receipt=receipt,
                used=receipt.hit_ids if reinforced else (),
                suppressed=found.losers if reinforced else (),
            )
        )
        return Answer(receipt_id=receipt.id, k=query.k, hits=tuple(hits))

    async def prime(self) -> None:
        """Asks for nobody, so that the statement is planned before many ask at once. Raises StoreError.

        The server keeps a plan for each power of ten of a text's length, so it is asked as a user with a short name and
        as one with a long name would ask a question of some words.
        """
        direction = np.zeros(self._embedder.dimensions, np.float32)
        direction[0] = 1.0
        some_words = tuple(f"word{place}" for place in range(12))
        query = RecallQuery(vector=direction, words=some_words, script_terms=(), subject_keys=(), k=1)
        for name in ("nobody", "nobody at all, really"):
            await self._store.recall(UserId(f"{name}\x1f"), query, at=self._clock.now())

    async def analysed(self, user_id: UserId, question: Question) -> RecallQuery:
        """The question as the store takes it: names found, words cut, vector made."""
        book = await self._books.of(user_id)
        found = [(mention, known) for mention, known in book.find(question.query) if known.kind is NameKind.PERSON]
        vectors = await self._embedder.embed_queries([_without(question.query, [mention for mention, _ in found])])
        check_vectors(vectors, texts=1, dimensions=self._embedder.dimensions, embedder=self._embedder.name)
        return RecallQuery(
            vector=vectors[0],
            words=tuple(self._telling_words(question.query))[: self._settings.max_query_terms],
            script_terms=tuple(script_query_terms(question.query))[: self._settings.max_query_terms],
            subject_keys=_subject_keys(book, [known for _, known in found]),
            k=question.k or self._settings.default_k,
            buckets=question.buckets,
            lanes=question.lanes,
            kinds=question.kinds,
            categories=question.categories,
            tags=question.tags,
            session_id=question.session_id,
            agent_id=question.agent_id,
            name_keys=_name_keys(book, question),
            include_superseded=question.include_superseded,
            include_hidden=question.include_hidden,
            **await self._instants(user_id, question),
        )

    def _telling_words(self, query: str) -> list[str]:
        """The words that full text looks for, each once."""
        asked = list(dict.fromkeys(words(query)))
        return [word for word in asked if word not in self._weak] or asked

    async def _instants(self, user_id: UserId, question: Question) -> dict[str, datetime | None]:
        """The question's instants in UTC; those without an offset are read in the user's zone."""
        given = {
            "occurred_from": question.occurred_from,
            "occurred_until": question.occurred_until,
            "as_of": question.as_of,
            "known_at": question.known_at,
        }
        naive = any(instant is not None and instant.tzinfo is None for instant in given.values())
        zone = zone_of((await self._inspect.settings(user_id)).time_zone) if naive else UTC
        instants = {name: instant and in_utc(instant, zone=zone) for name, instant in given.items()}
        if question.as_of is not None or question.known_at is not None:  # one that is not given is now
            now = self._clock.now()
            instants |= {name: instants[name] or now for name in ("as_of", "known_at")}
        return instants

    async def _as_known(self, user_id: UserId, hits: Sequence[Hit], known_at: datetime) -> tuple[Hit, ...]:
        """The hits with the texts that they had then."""
        versions = await self._inspect.versions(user_id, [hit.memory.id for hit in hits])
        return tuple(replace(hit, memory=_with_text_of(hit.memory, versions[hit.memory.id], known_at)) for hit in hits)

    def _problems(self, question: Question) -> list[Problem]:
        settings = self._settings
        problems = text_problems("query", question.query, most_characters=settings.max_query_characters)
        if question.k is not None and not 1 <= question.k <= settings.max_k:
            problems.append(Problem("k", f"is {question.k}; it must lie in 1..{settings.max_k}"))
        for name in ("buckets", "lanes", "kinds", "categories", "people", "entities", "tags"):
            if getattr(question, name) == ():
                problems.append(Problem(name, "is an empty list, which nothing passes; leave it out to ask for all"))
        for name in ("buckets", "people", "entities", "tags"):
            for value in getattr(question, name) or ():
                problems += text_problems(name, value, most_characters=settings.max_query_characters)
        for name in ("session_id", "agent_id"):
            if (value := getattr(question, name)) is not None:
                problems += text_problems(name, value, most_characters=settings.max_query_characters)
        return problems


def _with_text_of(memory: Memory, versions: Sequence[Version], known_at: datetime) -> Memory:
    """The memory with the first of its earlier texts that was still ours at that instant."""
    return next((replace(memory, text=version.text) for version in versions if known_at < version.until), memory)


def _without(query: str, mentions: Sequence[Mention]) -> str:
    """The question without the names of persons, for the vector (ranking.md); whole where nothing else is left."""
    rest, end = [], 0
    for mention in mentions:
        rest.append(query[end : mention.start])
        end = mention.end
    cut = " ".join("".join([*rest, query[end:]]).replace("’s ", " ").replace("'s ", " ").split())
    return query if is_blank(cut) or not words(cut) else cut


def _subject_keys(book: NameBook, known: Sequence[KnownName]) -> tuple[str, ...]:
    return tuple(sorted({key for name in known for key in book.keys_of(name)}))


def _name_keys(book: NameBook, question: Question) -> tuple[str, ...] | None:
    """The folded names of the people and entities asked for, each with the name of the node that it stands for."""
    if question.people is None and question.entities is None:
        return None
    keys = set()
    for name in (*(question.people or ()), *(question.entities or ())):
        known = book.get(name)
        keys.add(known.node_key if known else name_key(name))
    return tuple(sorted(keys))

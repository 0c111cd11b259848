"""Recall: analyse the question, ask the graph once, keep a receipt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

import numpy as np

from graph_memory.domain.asked_dates import asked_days, asks_when, told_between
from graph_memory.domain.cues import cue_list, holds_cue
from graph_memory.domain.dates import in_utc
from graph_memory.domain.depth import Depth, adaptive_k, complexity, depth_of
from graph_memory.domain.fusion import tie_score
from graph_memory.domain.identity import name_key
from graph_memory.domain.index_terms import index_query_terms
from graph_memory.domain.intent import intent_of
from graph_memory.domain.language import asked_languages, function_words, languages_of
from graph_memory.domain.link import parse_link_id
from graph_memory.domain.memory import Memory
from graph_memory.domain.modes import Archived, ModeRule, k_of, overlay_k, touched_after, touched_until
from graph_memory.domain.names import KnownName, Mention, NameBook, NameKind
from graph_memory.domain.prompt_text import prompt_text, tokens
from graph_memory.domain.text import is_blank, text_problems, words
from graph_memory.domain.vocabulary import Category, Intent, Kind, Lane, MemoryId, RecallMode, UserId
from graph_memory.domain.word_match import Sought
from graph_memory.errors import InvalidValueError, Problem
from graph_memory.ports import (
    Clock,
    Embedder,
    Found,
    Hit,
    Ids,
    RecallQuery,
    RecallStore,
    Receipt,
    UserSettings,
    Version,
)
from graph_memory.services.aftermath import Aftermath, AnswerGiven
from graph_memory.services.encode import check_vectors
from graph_memory.services.inspect import Inspect
from graph_memory.services.name_books import NameBooks
from graph_memory.services.user_book import UserBook
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

_TOLERANCE = 1e-9


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
    mode: RecallMode | None = None
    intent: Intent | None = None  # None: read from the question
    general: bool = True  # with the overlay of the general bucket
    min_match: float | None = None
    token_budget: int | None = None  # of the context text; None: the mode's
    schema_id: str | None = None
    seed: int | None = None  # of a creative draw
    reinforce: bool = True  # whether every hit counts as used; never where an instant is asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was recalled, best first."""

    receipt_id: str
    intent: Intent
    mode: RecallMode
    k: int
    complexity: float
    depth: Depth
    hits: tuple[Hit, ...]
    overlay: tuple[Hit, ...]
    context: str  # the hits as text for a prompt, within the budget
    tokens: int  # of the context

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
        users: UserBook,
        embedder: Embedder,
        inspect: Inspect,
        aftermath: Aftermath,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._store, self._books, self._users, self._embedder = store, books, users, embedder
        self._inspect, self._aftermath, self._clock, self._ids = inspect, aftermath, clock, ids
        self._all_settings, self._settings = settings, settings.recall
        self._weak = frozenset(self._settings.weak_words.split())
        self._modes, self._intent = self._settings.modes(), self._settings.intent_rules()
        self._depth, self._when = self._settings.depth_rules(), cue_list(self._settings.when_cues)
        self._which = cue_list(self._settings.name_cues)
        self._ties, self._curve = self._settings.tie_rules(settings.decay), settings.strength_curve()

    async def __call__(self, user_id: UserId, question: Question) -> Answer:
        """The best memories for a question. Raises InvalidValueError, InferenceError, StoreError."""
        if problems := list(self._problems(question)):
            raise InvalidValueError("recall", problems)
        now = self._clock.now()
        mode = self._modes[question.mode or RecallMode(self._settings.default_mode)]
        user = await self._users.of(user_id)
        analysis = await self._analysis(user_id, question, mode, user, now)
        query = analysis.query
        if mode.ranked:
            found = await self._store.recall(user_id, query, at=now)
            found = self._settled(found, analysis, now)
        else:
            found = await self._drawn(user_id, question, query, mode, user, now)
        if query.known_at is not None:
            found = await self._as_known(user_id, found, query.known_at)
        receipt = self._receipt(user_id, found, now)
        self._follow(question, mode, query, found, receipt)
        context = prompt_text(
            [hit.memory for hit in (*found.hits, *found.overlay)],
            marker=receipt.id,
            token_budget=mode.tokens if question.token_budget is None else question.token_budget,
            zone=zone_of(user.time_zone),
        )
        return Answer(
            receipt_id=receipt.id,
            intent=query.intent,
            mode=question.mode or RecallMode(self._settings.default_mode),
            k=query.k,
            complexity=analysis.complexity,
            depth=depth_of(analysis.complexity, self._depth),
            hits=found.hits,
            overlay=found.overlay,
            context=context,
            tokens=tokens(context),
        )

    def _settled(self, found: Found, asked: "_Analysis", now: datetime) -> Found:
        """The hits with how well each matches, those that match too little left out, equal ones in order.

        A link counts as walked where both its ends are still shown, and nothing loses against an empty answer.
        """
        hits, overlay = self._matching(found.hits, asked, now), self._matching(found.overlay, asked, now)
        shown = {hit.memory.id for hit in (*hits, *overlay)}
        walked = [(link_id, parse_link_id(link_id)) for link_id in found.traversed]
        return Found(
            hits=hits,
            overlay=overlay,
            losers=found.losers if shown else (),
            traversed=tuple(link_id for link_id, ends in walked if ends and {ends[1], ends[2]} <= shown),
        )

    def _matching(self, hits: Sequence[Hit], asked: "_Analysis", now: datetime) -> tuple[Hit, ...]:
        matched = (replace(hit, match=max(hit.match, asked.sought.share_in(_told(hit.memory)))) for hit in hits)
        kept = [hit for hit in matched if hit.match >= asked.query.min_match - _TOLERANCE]
        return tuple(sorted(kept, key=lambda hit: self._order(hit, now)))

    def _order(self, hit: Hit, now: datetime) -> tuple[float, float, float, str]:
        """Best first: by score, then by the tie score, then the newest, then by id."""
        memory = hit.memory
        idle = (now - (memory.last_accessed_at or memory.interval.created_at)) / timedelta(days=1)
        tie = tie_score(hit.cosine or 0.0, self._curve.strength(memory.strength, now), idle, self._ties)
        return -hit.score, -tie, -memory.interval.created_at.timestamp(), memory.id

    async def _drawn(
        self,
        user_id: UserId,
        question: Question,
        query: RecallQuery,
        mode: ModeRule,
        user: UserSettings,
        now: datetime,
    ) -> Found:
        """A uniform draw of what lies long untouched."""
        profile = self._all_settings.tier_profile(user.tier_profile)
        until = touched_until(mode, now, profile=profile)
        seed = now.microsecond if question.seed is None else question.seed
        return await self._store.sample(user_id, query, touched_until=until or now, seed=seed, at=now)

    def _receipt(self, user_id: UserId, found: Found, now: datetime) -> Receipt:
        shown = (*found.hits, *found.overlay)
        return Receipt(
            id=self._ids.new(),
            user_id=user_id,
            at=now,
            expires_at=now + timedelta(days=self._settings.receipt_days),
            hit_ids=tuple(hit.memory.id for hit in shown),
            scores=tuple(hit.score for hit in shown),
            link_ids=found.traversed,
        )

    def _follow(self, question: Question, mode: ModeRule, query: RecallQuery, found: Found, receipt: Receipt) -> None:
        """Has done, after the answer, what it leaves behind (operations.md, Using)."""
        reinforced = question.reinforce and query.known_at is None and mode.reinforces
        self._aftermath.follow(
            AnswerGiven(
                receipt=receipt,
                used=receipt.hit_ids if reinforced else (),
                suppressed=found.losers if reinforced else (),
                links=found.traversed if reinforced else (),
            )
        )

    async def prime(self) -> None:
        """Asks for nobody, so that the statement is planned before many ask at once. Raises StoreError."""
        direction = np.zeros(self._embedder.dimensions, np.float32)
        direction[0] = 1.0
        query = RecallQuery(vector=direction, words=("nothing",), index_terms=(), subject_keys=(), k=1)
        await self._store.recall(UserId("nobody\x1f"), query, at=self._clock.now())

    async def analysed(self, user_id: UserId, question: Question) -> RecallQuery:
        """The question as the store takes it: names found, words cut, vector made."""
        mode = self._modes[question.mode or RecallMode(self._settings.default_mode)]
        user = await self._users.of(user_id)
        return (await self._analysis(user_id, question, mode, user, self._clock.now())).query

    async def _analysis(
        self, user_id: UserId, question: Question, mode: ModeRule, user: UserSettings, now: datetime
    ) -> "_Analysis":
        settings, book = self._settings, await self._books.of(user_id)
        named = book.find(question.query)
        persons = [(mention, known) for mention, known in named if known.kind is NameKind.PERSON]
        vectors = await self._embedder.embed_queries([_without(question.query, [mention for mention, _ in persons])])
        check_vectors(vectors, texts=1, dimensions=self._embedder.dimensions, embedder=self._embedder.name)
        depth = complexity(question.query, names=len({known.node_key for _, known in named}), rules=self._depth)
        k = k_of(mode, adaptive=adaptive_k(depth, self._depth), given=question.k)
        zone = zone_of(user.time_zone)
        instants = self._instants(question, zone, now)
        terms = index_query_terms(question.query, most_guessed=settings.guessed_stems)
        query = RecallQuery(
            vector=vectors[0],
            words=tuple(self._telling_words(question.query))[: settings.max_query_terms],
            index_terms=tuple(terms)[: settings.max_query_terms],
            subject_keys=_subject_keys(book, [known for _, known in persons]),
            entity_keys=tuple(sorted({known.node_key for _, known in named if known.kind is NameKind.ENTITY})),
            k=k,
            buckets=question.buckets,
            lanes=question.lanes,
            kinds=question.kinds,
            categories=question.categories,
            tags=question.tags,
            session_id=question.session_id,
            agent_id=question.agent_id,
            name_keys=_name_keys(book, question),
            include_superseded=question.include_superseded,
            include_hidden=question.include_hidden or mode.hidden,
            intent=question.intent or intent_of(question.query, self._intent.cues),
            asks_when=asks_when(question.query, self._when),
            asks_name=holds_cue(question.query, self._which),
            days=told_between(
                asked_days(question.query, now, zone=zone), zone=zone, grace=timedelta(days=settings.day_grace_days)
            ),
            overlay_k=overlay_k(k, least=settings.overlay_min) if question.general and mode.ranked else 0,
            min_match=settings.min_match if question.min_match is None else question.min_match,
            touched_after=touched_after(mode, now, profile=self._all_settings.tier_profile(user.tier_profile)),
            include_archived=mode.archived is Archived.ALWAYS or question.include_hidden,
            schema_id=None if question.schema_id is None else MemoryId(question.schema_id),
            **instants,
        )
        return _Analysis(query, depth, Sought(query.words, languages=asked_languages(question.query)))

    def _telling_words(self, query: str) -> list[str]:
        """The words that full text looks for, each once."""
        asked = list(dict.fromkeys(words(query)))
        weak = self._weak.union(*map(function_words, languages_of(query)))
        return [word for word in asked if word not in weak] or asked

    def _instants(self, question: Question, zone: tzinfo, now: datetime) -> dict[str, datetime | None]:
        """The question's instants in UTC; those without an offset are read in the user's zone."""
        given = {
            "occurred_from": question.occurred_from,
            "occurred_until": question.occurred_until,
            "as_of": question.as_of,
            "known_at": question.known_at,
        }
        instants = {name: instant and in_utc(instant, zone=zone) for name, instant in given.items()}
        if question.as_of is not None or question.known_at is not None:  # one that is not given is now
            instants |= {name: instants[name] or now for name in ("as_of", "known_at")}
        return instants

    async def _as_known(self, user_id: UserId, found: Found, known_at: datetime) -> Found:
        """The hits with the texts that they had then."""
        shown = [hit.memory.id for hit in (*found.hits, *found.overlay)]
        versions = await self._inspect.versions(user_id, shown)

        def then(hits: Sequence[Hit]) -> tuple[Hit, ...]:
            return tuple(
                replace(hit, memory=_with_text_of(hit.memory, versions[hit.memory.id], known_at)) for hit in hits
            )

        return replace(found, hits=then(found.hits), overlay=then(found.overlay))

    def _problems(self, question: Question) -> list[Problem]:
        settings = self._settings
        problems = text_problems("query", question.query, most_characters=settings.max_query_characters)
        if question.k is not None and not 1 <= question.k <= settings.max_k:
            problems.append(Problem("k", f"is {question.k}; it must lie in 1..{settings.max_k}"))
        if question.min_match is not None and not 0.0 <= question.min_match <= 1.0:
            problems.append(Problem("min_match", f"is {question.min_match:g}; it must lie in 0..1"))
        most_tokens = settings.context_tokens_max
        if question.token_budget is not None and not 1 <= question.token_budget <= most_tokens:
            problems.append(Problem("token_budget", f"is {question.token_budget}; it must lie in 1..{most_tokens}"))
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


@dataclass(frozen=True, slots=True)
class _Analysis:
    query: RecallQuery
    complexity: float
    sought: Sought


def _told(memory: Memory) -> str:
    """Where the question's words are sought: a memory's speaker and text."""
    return f"{memory.speaker or ''}\n{memory.text}"


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

"""The Python face: `GraphMemory.connect()`, one user's memory as an object.

    async with GraphMemory.connect(user_id="ana") as memory:
        await memory.remember("The desk in my office is oak.", speaker="Bruno")
        answer = await memory.recall("What is the desk made of?")

Thin: every method converts what it is given and calls one service. An open client belongs to the event loop that
opened it, as its connections do; each further loop or thread opens one of its own.
"""

import asyncio
import types
import typing
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.change import Change
from graph_memory.domain.decision import Outcome
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.drift import PrioritySnapshot
from graph_memory.domain.episode import Episode, Role, Turn, TurnDraft
from graph_memory.domain.episode_search import FoundEpisode
from graph_memory.domain.link import Link, LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.model_usage import UsageReport
from graph_memory.domain.names import NameKind
from graph_memory.domain.notice import Notice
from graph_memory.domain.person import PersonView
from graph_memory.domain.relationship import Relationship
from graph_memory.domain.sleep import Beat, Run
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import MemoryOrder, UserId
from graph_memory.errors import InvalidValueError, Problem, StoreError
from graph_memory.ports import (
    Clock,
    Contradiction,
    Embedder,
    LanguageModel,
    MemoryFilter,
    NamedNode,
    Stats,
    UserSettings,
    Version,
)
from graph_memory.services.amend import Erased, Update
from graph_memory.services.inspect import NameFilter
from graph_memory.services.ledger import Chain, ChainStep, Decided, DecisionDraft, DecisionsWanted
from graph_memory.services.meet import CommunicationDraft, MentionDraft
from graph_memory.services.paging import Page, PageRequest
from graph_memory.services.recall import Answer, Question
from graph_memory.services.remember import Remembered, RememberedMany
from graph_memory.settings import Settings
from graph_memory.workers import background_work

V = TypeVar("V")
Said = TurnDraft | Mapping[str, object] | str
_HOW_TO_OPEN = "use it inside `async with GraphMemory.connect() as memory:`"
_MOST_USER_ID_CHARACTERS = 256


class GraphMemory:
    """One user's memory, open inside `async with`; a call outside of it, or in another event loop, is refused."""

    def __init__(self, opening: "_Opening", user_id: str) -> None:
        self._opening, self._user_id = opening, checked_user_id(user_id)

    @classmethod
    def connect(
        cls,
        *,
        user_id: str = "default",
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        language_model: LanguageModel | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """A client that opens at `async with`: its database is started if need be, and enriched while it is open.

        Args:
            user_id: whose memory it is.
            settings: default: from the environment and the configuration file.
            embedder: default: the one that the settings name.
            language_model: default: the one that the settings name; its answers are checked, and the rules stand by.
            clock: default: the machine's.
        """
        return cls(_Opening(settings, embedder, language_model, clock), user_id)

    async def __aenter__(self) -> Self:
        await self._opening.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._opening.close()

    @property
    def user_id(self) -> UserId:
        """Whose memory it is."""
        return self._user_id

    def as_user(self, user_id: str) -> "GraphMemory":
        """The memory of another user over the same connection; it is open for as long as this one is."""
        return GraphMemory(self._opening, user_id)

    async def remember(
        self, text: str | MemoryDraft, *, time_zone: str | None = None, wait: bool = False, **given: object
    ) -> Remembered:
        """Writes one memory; `given` are the fields of MemoryDraft. Answers after the commit.

        Args:
            time_zone: the IANA zone of dates without an offset; None: the user's.
            wait: answer only when the links and the context of the memory are made too.
        """
        services = self._services()
        draft = text if isinstance(text, MemoryDraft) else from_fields(MemoryDraft, {"text": text, **given})
        return await services.remember(self._user_id, draft, time_zone=time_zone, wait=wait)

    async def remember_many(self, drafts: Sequence[MemoryDraft]) -> RememberedMany:
        """Writes many memories; one that breaks a rule fails alone."""
        return await self._services().remember.many(self._user_id, drafts)

    async def recall(self, query: str, *, k: int | None = None, **filters: object) -> Answer:
        """The best memories for a question; `filters` are the fields of services.recall.Question."""
        services = self._services()
        return await services.recall(self._user_id, from_fields(Question, {"query": query, "k": k, **filters}))

    async def feedback(
        self, receipt_id: str, *, used: Sequence[str] = (), misleading: Sequence[str] = ()
    ) -> list[Memory]:
        """Says which hits of an answer were of use and which misled; each word counts once.

        Raises NotFoundError for an unknown receipt, InvalidValueError for ids that are no hits of its answer.
        """
        return await self._services().feedback(self._user_id, receipt_id, used=used, misleading=misleading)

    async def context(
        self, *, token_budget: int | None = None, bucket: str | None = None, episodes: int | None = None
    ) -> str:
        """What an agent should know before anybody asks, as text for a prompt, fenced as data."""
        return await self._services().agent_context(
            self._user_id, token_budget=token_budget, bucket=bucket, episodes=episodes
        )

    async def start_episode(self, *, at: datetime | None = None) -> Episode:
        """Begins an episode; others that are open stay so."""
        return await self._services().episodes.start(self._user_id, at=at)

    async def add_turns(self, episode_id: str, turns: Sequence[Said]) -> Episode:
        """Adds turns to an open episode, and remembers what the user says. Raises ConflictError for one that has ended.

        A turn is a TurnDraft, a mapping of its fields, or a text, which the user said now.
        """
        return await self._services().episodes.add_turns(self._user_id, episode_id, [_turn(each) for each in turns])

    async def say(self, *turns: Said) -> list[Episode]:
        """Adds turns to the open episode, or begins one behind a long silence; all that got any, the oldest first."""
        return await self._services().episodes.say(self._user_id, [_turn(each) for each in turns])

    async def end_episode(self, episode_id: str | None = None, *, at: datetime | None = None) -> Episode:
        """Ends an episode, the open one if none is named, and sums it up; one that has ended is given as it is."""
        return await self._services().episodes.end(self._user_id, episode_id, at=at)

    async def delete_episode(self, episode_id: str) -> None:
        """Removes an episode with its turns and its share of the relationship and of insights; memories stay."""
        await self._services().episodes.delete(self._user_id, episode_id)

    async def episode(self, episode_id: str) -> Episode:
        """One episode, without its turns. Raises NotFoundError."""
        return await self._services().find_episodes.episode(self._user_id, episode_id)

    async def episodes(self, *, first: int | None = 10, after: str | None = None) -> Page[Episode]:
        """One page of the latest episodes, the latest first."""
        return await self._services().find_episodes.listed(self._user_id, first=first, after=after)

    async def search_episodes(
        self, query: str, *, first: int | None = 10, after: str | None = None
    ) -> Page[FoundEpisode]:
        """One page of the episodes that hold any of the words, best first."""
        return await self._services().find_episodes.search(self._user_id, query, first=first, after=after)

    async def turns(self, episode_id: str, *, first: int | None = 50, after: str | None = None) -> Page[Turn]:
        """One page of the turns of an episode, in their order. Raises NotFoundError."""
        find = self._services().find_episodes
        episode = await find.episode(self._user_id, episode_id)
        return await find.turns(self._user_id, episode.id, first=first, after=after)

    async def recent_turns(self) -> list[Turn]:
        """The short-term buffer: the last things that were said, the oldest of them first."""
        return await self._services().find_episodes.recent_turns(self._user_id)

    async def relationship(self) -> Relationship:
        """How this user and the agent stand."""
        return await self._services().relationship(self._user_id)

    async def memory(self, memory_id: str, *, reinforce: bool = False) -> Memory:
        """One memory, whatever its state; with `reinforce` it counts as used. Raises NotFoundError."""
        services = self._services()
        return await (services.use.read if reinforce else services.inspect.memory)(self._user_id, memory_id)

    async def memories(
        self,
        *,
        order: MemoryOrder = MemoryOrder.CREATED_DESC,
        first: int | None = None,
        after: str | None = None,
        people: Sequence[str] | None = None,
        entities: Sequence[str] | None = None,
        **filters: object,
    ) -> Page[Memory]:
        """One page of the memories that pass a filter; `filters` are the fields of ports.MemoryFilter."""
        return await self._services().inspect.find_memories(
            self._user_id,
            from_fields(MemoryFilter, filters),
            PageRequest(first=first, after=after),
            order=order,
            named=from_fields(NameFilter, {"people": people, "entities": entities}),
        )

    async def update(self, memory_id: str, **changes: object) -> Memory:
        """Changes where a memory belongs and when it holds; `changes` are the fields of services.amend.Update."""
        return await self._services().amend.update(self._user_id, memory_id, from_fields(Update, changes))

    async def correct(self, memory_id: str, text: str, *, reason: str | None = None) -> Memory:
        """Gives a memory whose text was wrong the right one; the old text is kept as a version."""
        return await self._services().revise.correct(self._user_id, memory_id, text, reason=reason)

    async def confirm(self, memory_id: str, *, arousal: float | None = None, reason: str | None = None) -> Memory:
        """Says that it is so: believed more, and used."""
        return await self._services().use.confirm(self._user_id, memory_id, arousal=arousal, reason=reason)

    async def doubt(self, memory_id: str, *, arousal: float | None = None, reason: str | None = None) -> Memory:
        """Says that it may not be so: believed less."""
        return await self._services().use.doubt(self._user_id, memory_id, arousal=arousal, reason=reason)

    async def supersede(
        self, memory_id: str, by: str, *, at: datetime | None = None, reason: str | None = None
    ) -> Memory:
        """The world changed: `by` takes the place of the memory; the old one as it then is. Raises ConflictError."""
        return await self._services().revise.supersede(self._user_id, memory_id, by, at=at, reason=reason)

    async def pin(self, memory_id: str) -> Memory:
        """Keeps a memory from ever fading."""
        return await self._services().use.pin(self._user_id, memory_id)

    async def unpin(self, memory_id: str) -> Memory:
        """Lets a memory fade again."""
        return await self._services().use.unpin(self._user_id, memory_id)

    async def touch(self, memory_ids: Sequence[str], *, at: datetime | None = None) -> list[Memory]:
        """Uses memories once; a use before the last one, or within a minute of it, changes nothing."""
        return await self._services().use.touch(self._user_id, memory_ids, at=at)

    async def decide(self, text: str, **given: object) -> Decided:
        """Enters a decision; `given` are the fields of services.ledger.DecisionDraft. Raises ConflictError."""
        draft = from_fields(DecisionDraft, {"text": text, **given})
        return await self._services().ledger.decide(self._user_id, draft)

    async def record_outcome(self, memory_id: str, outcome: Outcome | str, *, reason: str | None = None) -> Memory:
        """Says what came of a decision."""
        services, chosen = self._services(), cast(Outcome, _member(Outcome, "outcome", outcome))
        return await services.ledger.record_outcome(self._user_id, memory_id, chosen, reason=reason)

    async def decisions(self, *, first: int | None = None, after: str | None = None, **filters: object) -> Page[Memory]:
        """One page of decisions, the latest first; `filters` are the fields of services.ledger.DecisionsWanted."""
        wanted = from_fields(DecisionsWanted, filters)
        return await self._services().ledger.decisions(self._user_id, wanted, first=first, after=after)

    async def why(
        self,
        topic: str,
        *,
        domain: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> list[Chain]:
        """How decisions on a topic came to be; where no topic is called so, those that its words find best."""
        ledger = self._services().ledger
        return await ledger.why(self._user_id, topic, domain=domain, as_of=as_of, known_at=known_at)

    async def supersession_chain(self, memory_id: str) -> list[ChainStep]:
        """All that took the place of each other, from any of them, the oldest first."""
        return await self._services().ledger.chain(self._user_id, memory_id)

    async def contradictions(
        self, *, settled: bool | None = None, first: int | None = None, after: str | None = None
    ) -> Page[Contradiction]:
        """One page of memories that exclude each other, the latest found first."""
        return await self._services().inspect.contradictions(self._user_id, settled=settled, first=first, after=after)

    async def versions(self, memory_id: str) -> list[Version]:
        """The earlier texts of a memory, the oldest first. Raises NotFoundError."""
        inspect = self._services().inspect
        memory = await inspect.memory(self._user_id, memory_id)
        return (await inspect.versions(self._user_id, [memory.id])).get(memory.id, [])

    async def sources(self, memory_id: str) -> list[Memory]:
        """What sleep drew a memory from, the oldest first. Raises NotFoundError."""
        inspect = self._services().inspect
        memory = await inspect.memory(self._user_id, memory_id)
        return (await inspect.sources(self._user_id, [memory.id])).get(memory.id, [])

    async def changes(self, target_id: str, *, first: int | None = None, after: str | None = None) -> Page[Change]:
        """One page of what happened to a memory or person, the latest first."""
        return await self._services().inspect.changes_of(self._user_id, target_id, first=first, after=after)

    async def forget(self, memory_id: str, *, reason: str | None = None) -> Memory:
        """Takes a memory out of recall; `restore` brings it back."""
        return await self._services().amend.forget(self._user_id, memory_id, reason=reason)

    async def restore(self, memory_id: str, *, reason: str | None = None) -> Memory:
        """Makes a memory current again."""
        return await self._services().amend.restore(self._user_id, memory_id, reason=reason)

    async def erase(self, memory_id: str, *, reason: str | None = None) -> Erased:
        """Removes a memory for good."""
        return await self._services().amend.erase(self._user_id, memory_id, reason=reason)

    async def erase_everything(self, *, confirm: str) -> Erased:
        """Removes all of this user; `confirm` repeats the user's id."""
        return await self._services().amend.erase_everything(self._user_id, confirm=confirm)

    async def link(
        self, link_type: LinkType | str, source: str, target: str, *, weight: float = 1.0, reason: str | None = None
    ) -> Link:
        """Links two memories, persons or entities."""
        services, chosen = self._services(), cast(LinkType, _member(LinkType, "link_type", link_type))
        return await services.links.link(self._user_id, chosen, source, target, weight=weight, reason=reason)

    async def unlink(self, link_id: str) -> bool:
        """Removes a link by its id."""
        return await self._services().links.unlink(self._user_id, link_id)

    async def people(
        self, *, search: str | None = None, first: int | None = None, after: str | None = None
    ) -> Page[NamedNode]:
        """One page of the persons that memories name, the latest mentioned first."""
        return await self._services().inspect.find_names(
            self._user_id, NameKind.PERSON, search=search, first=first, after=after
        )

    async def person(self, name: str) -> PersonView | None:
        """Whom a name, alias, near spelling or first name means; None when nobody, or several."""
        return await self._services().people.person(self._user_id, name)

    async def mention(self, person: str, **given: object) -> PersonView:
        """Takes down what was said of a person, or that they did; `given` are the fields of MentionDraft."""
        draft = from_fields(MentionDraft, {"person": person, **given})
        return await self._services().meet.mention(self._user_id, draft)

    async def log_communication(self, person_id: str, **given: object) -> PersonView:
        """Takes down one exchange with a person; `given` are the fields of CommunicationDraft."""
        draft = from_fields(CommunicationDraft, given)
        return await self._services().meet.log_communication(self._user_id, person_id, draft)

    async def add_alias(self, person_id: str, alias: str) -> PersonView:
        """Gives a person another name. Raises ConflictError when another person is called so."""
        return await self._services().meet.add_alias(self._user_id, person_id, alias)

    async def add_note(self, person_id: str, note: str) -> PersonView:
        """Notes something on a person."""
        return await self._services().meet.add_note(self._user_id, person_id, note)

    async def relate_people(self, source: str, target: str, label: str) -> bool:
        """Says what one person is to another; False when it was said before."""
        return await self._services().meet.relate(self._user_id, source, target, label)

    async def merge_people(self, keep: str, merge: str, *, reason: str | None = None) -> PersonView:
        """Makes two people one; the id of the change among `changes(keep)` is what undoes it."""
        return await self._services().merge_people.merge(self._user_id, keep, merge, reason=reason)

    async def undo_merge(self, change_id: str) -> PersonView:
        """Makes two people of one again. Raises ConflictError when the kept one was merged again since."""
        return await self._services().merge_people.undo(self._user_id, change_id)

    async def entities(
        self, *, search: str | None = None, first: int | None = None, after: str | None = None
    ) -> Page[NamedNode]:
        """One page of the entities that memories name, the latest mentioned first."""
        return await self._services().inspect.find_names(
            self._user_id, NameKind.ENTITY, search=search, first=first, after=after
        )

    async def sleep(
        self, beat: Beat | str = Beat.CYCLE, *, dry_run: bool = False, at: datetime | None = None, wait: bool = True
    ) -> Run:
        """Runs a beat of sleep now; refused while one of its kind is under way.

        Args:
            dry_run: only tell what would be done.
            at: the instant to work for; None: now.
            wait: answer when it has ended, or as soon as it has begun.
        """
        services, chosen = self._services(), cast(Beat, _member(Beat, "beat", beat))
        return await services.sleep(self._user_id, chosen, dry_run=dry_run, at=at, wait=wait)

    async def sleep_runs(self, *, first: int | None = None, after: str | None = None) -> Page[Run]:
        """One page of what sleep did, the latest run first."""
        return await self._services().sleep.runs(self._user_id, first=first, after=after)

    def sleep_progress(self, run_id: str | None = None) -> AsyncIterator[Run]:
        """Each new standing of one run until it has ended; without an id, of all runs from now on."""
        return self._services().sleep.follow(self._user_id, run_id)

    async def priorities(self, *, first: int | None = None, after: str | None = None) -> Page[PrioritySnapshot]:
        """One page of what mattered to this user, the latest snapshot first."""
        return await self._services().priorities(self._user_id, first=first, after=after)

    async def notices(self) -> list[Notice]:
        """What this user should hear of unasked, the latest first."""
        return await self._services().notices(self._user_id)

    async def stats(self) -> Stats:
        """What this user's graph holds."""
        return await self._services().inspect.stats(self._user_id)

    async def usage(self, *, since: datetime | None = None) -> UsageReport:
        """What this user's questions to language models used, from the day (of UTC) of `since` on."""
        return await self._services().usage(self._user_id, since=since)

    async def settings(self) -> UserSettings:
        """What this user chose, or the defaults."""
        return await self._services().inspect.settings(self._user_id)

    async def update_settings(self, *, time_zone: str | None = None, tier_profile: str | None = None) -> UserSettings:
        """Changes what this user chose; None leaves it as it is."""
        change = self._services().change_settings
        return await change(self._user_id, time_zone=time_zone, tier_profile=tier_profile)

    def _services(self) -> Services:
        return self._opening.services()


@dataclass(slots=True)
class _Open:
    services: Services
    loop: asyncio.AbstractEventLoop
    stack: AsyncExitStack


class _Opening:
    """What the clients of one connection share: the services while they are open, in the loop that opened them."""

    def __init__(
        self,
        settings: Settings | None,
        embedder: Embedder | None,
        language_model: LanguageModel | None,
        clock: Clock | None,
    ) -> None:
        self._settings, self._embedder, self._clock = settings, embedder, clock
        self._language_model = language_model
        self._open: _Open | None = None
        self._began = False

    async def open(self) -> None:
        if self._began:
            raise StoreError(f"this client was opened before; connect anew: {_HOW_TO_OPEN}")
        self._began = True
        settings = self._settings or Settings.from_environment()
        async with AsyncExitStack() as stack:
            services = await stack.enter_async_context(
                open_services(settings, embedder=self._embedder, language_model=self._language_model, clock=self._clock)
            )
            await stack.enter_async_context(background_work(services))
            self._open = _Open(services, asyncio.get_running_loop(), stack.pop_all())

    async def close(self) -> None:
        if self._open:
            self.services()  # refuses to close from another loop, where the connections could not be given back
            held, self._open = self._open, None
            await held.stack.aclose()

    def services(self) -> Services:
        """The open services. Raises StoreError that names what is wrong with the use of the client."""
        if self._open is None:
            raise StoreError(f"this client {'is closed' if self._began else 'is not open'}; {_HOW_TO_OPEN}")
        if self._open.loop is not asyncio.get_running_loop():
            raise StoreError(
                "this client belongs to the event loop that opened it and was used in another; connect in each loop"
            )
        return self._open.services


def checked_user_id(user_id: str) -> UserId:
    """The id, if it can be one. Raises InvalidValueError: an empty id never means everybody."""
    if problems := text_problems("user_id", user_id, most_characters=_MOST_USER_ID_CHARACTERS):
        raise InvalidValueError("user", problems)
    return UserId(user_id)


def from_fields(kind: type[V], given: Mapping[str, object]) -> V:
    """A value of `kind` from fields as a caller writes them: words of closed sets as text, lists for tuples.

    Raises InvalidValueError that lists every unknown field and every unknown word.
    """
    hints = typing.get_type_hints(kind)
    known = {each.name for each in fields(cast(Any, kind))}
    problems, values = [], dict[str, object]()
    for name, value in given.items():
        if name not in known:
            problems.append(Problem(name, f"is no field; there are {', '.join(sorted(known))}"))
            continue
        try:
            values[name] = _converted(name, value, hints[name])
        except InvalidValueError as error:
            problems += error.problems
    if problems:
        raise InvalidValueError(kind.__name__, problems)
    return kind(**values)


def _turn(said: Said) -> TurnDraft:
    if isinstance(said, TurnDraft):
        return said
    return from_fields(TurnDraft, {"role": Role.USER.value, "content": said} if isinstance(said, str) else said)


def _converted(name: str, value: object, hint: Any) -> object:
    if value is None:
        return None
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    for option in options:
        if typing.get_origin(option) is tuple:
            return _tuple(name, value, typing.get_args(option)[0])
        if isinstance(option, type) and issubclass(option, StrEnum):
            return _member(option, name, value)
    return value


def _tuple(name: str, value: object, item: Any) -> tuple[object, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence | set | frozenset):
        raise InvalidValueError(name, [Problem(name, f"is {value!r}; a list is wanted")])
    return tuple(_converted(name, each, item) for each in value)


def _member(words: type[StrEnum], name: str, value: object) -> StrEnum:
    """The word of a closed set, in small or capital letters."""
    by_name = {str(spelling).lower(): each for each in words for spelling in (each.name, each.value)}
    if isinstance(value, str) and value.lower() in by_name:
        return by_name[value.lower()]
    allowed = ", ".join(each.value for each in words)
    raise InvalidValueError(name, [Problem(name, f"is {value!r}; there are {allowed}")])

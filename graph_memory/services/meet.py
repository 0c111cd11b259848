"""Meet: what is learnt of people, in mentions and exchanges, and what the user says of them by hand."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import TypeVar

from graph_memory.domain.change import Action, Change
from graph_memory.domain.dates import in_utc
from graph_memory.domain.draft import date_problems, identifier_problems, is_user, name_problems, tag_problems
from graph_memory.domain.identity import evidence_id, tidy_name
from graph_memory.domain.memory import Json
from graph_memory.domain.name_resolution import NamedPerson, alias_by_hand, alias_key, resolve
from graph_memory.domain.people import Direction, EvidenceType, PersonMention, PersonRules, mentions_of_others
from graph_memory.domain.person import (
    KeptCommunication,
    KeptEvidence,
    Person,
    PersonView,
    after_communication,
    after_evidence,
    shown,
    with_alias,
    with_note,
)
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.errors import ConflictError, InvalidValueError, NotFoundError, Problem
from graph_memory.ports import Clock, Ids, Met, NewPerson, PeopleStore, UserSettings
from graph_memory.services.inspect import Inspect
from graph_memory.services.name_books import NameBooks
from graph_memory.services.people import askable
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

_Words = TypeVar("_Words", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionDraft:
    """A mention of a person as the caller gave it; None means the default."""

    person: str
    context: str | None = None
    sentiment: float | None = None
    domains: tuple[str, ...] = ()
    evidence_type: str | None = None
    memory_id: str | None = None
    at: datetime | None = None
    idempotency_key: str | None = None  # a mention with a key that was used before changes nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunicationDraft:
    """An exchange with a person as the caller gave it."""

    channel: str
    direction: str
    summary: str
    sentiment: float | None = None
    memory_id: str | None = None
    at: datetime | None = None


class Meet:
    """Learns of people, each change under a lock and with an audit row that repeats no text."""

    def __init__(
        self,
        *,
        people: PeopleStore,
        inspect: Inspect,
        books: NameBooks,
        rules: PersonRules,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._people, self._inspect, self._books, self._rules = people, inspect, books, rules
        self._clock, self._ids, self._settings = clock, ids, settings

    async def mention(self, user_id: UserId, draft: MentionDraft) -> PersonView:
        """One piece of evidence on whom the name means, or on somebody new.

        Raises: InvalidValueError, also for the user themselves; NotFoundError for an unknown memory.
        """
        if problems := list(self._mention_problems(draft)):
            raise InvalidValueError("mention", problems)
        user = await self._inspect.settings(user_id)
        memory_id = await self._memory(user_id, draft.memory_id)
        now, name, new_id = self._clock.now(), tidy_name(draft.person), NodeId(self._ids.new())
        key = draft.idempotency_key
        piece = KeptEvidence(
            id=self._ids.new() if key is None else evidence_id(user_id, key),
            name=name,
            at=_instant(draft.at, now, zone_of(user.time_zone)),
            sentiment=draft.sentiment or 0.0,
            type=_word(EvidenceType, draft.evidence_type or EvidenceType.OBSERVED) or EvidenceType.OBSERVED,
            domains=tuple(dict.fromkeys(draft.domains)),
            context=draft.context or "",
            memory_id=memory_id,
        )

        def choose(known: Sequence[NamedPerson]) -> NodeId | NewPerson:
            return resolve(name, known, self._rules).person_id or NewPerson(id=new_id, name=name)

        def write(person: Person) -> Met:
            if any(kept.id == piece.id for kept in person.evidence):
                return Met(person)
            spelling = resolve(name, [person.named()], self._rules).new_alias
            after = with_alias(after_evidence(person, piece, now, self._rules), spelling)
            return Met(after, (self._trust_change(person, after, now),))

        return await self._met(user_id, choose, write, user=user, now=now, memory_id=memory_id)

    async def log_communication(self, user_id: UserId, person_id: str, draft: CommunicationDraft) -> PersonView:
        """One exchange with a person. Raises InvalidValueError, NotFoundError."""
        if problems := list(self._communication_problems(draft)):
            raise InvalidValueError("communication", problems)
        user = await self._inspect.settings(user_id)
        memory_id = await self._memory(user_id, draft.memory_id)
        now = self._clock.now()
        communication = KeptCommunication(
            id=self._ids.new(),
            at=_instant(draft.at, now, zone_of(user.time_zone)),
            channel=draft.channel,
            direction=_word(Direction, draft.direction) or Direction.BIDIRECTIONAL,
            summary=draft.summary,
            sentiment=draft.sentiment or 0.0,
            memory_id=memory_id,
        )

        def write(person: Person) -> Met:
            after = after_communication(person, communication, self._rules)
            return Met(after, (self._change(person, Action.UPDATE, "communications", communication.id, now),))

        return await self._met(user_id, _exactly(askable(person_id)), write, user=user, now=now, memory_id=memory_id)

    async def add_alias(self, user_id: UserId, person_id: str, alias: str) -> PersonView:
        """Another name of a person, by hand.

        Raises: InvalidValueError, NotFoundError; ConflictError when another person is called so.
        """
        if problems := list(self._name_problems("alias", alias)):
            raise InvalidValueError("alias", problems)
        wanted, now = askable(person_id), self._clock.now()

        def choose(known: Sequence[NamedPerson]) -> NodeId:
            for other in known:
                if other.id != wanted and alias_key(alias) in _keys(other):
                    raise ConflictError(f"person {other.id} is called so; merge the two if they are one")
            return wanted

        def write(person: Person) -> Met:
            given = alias_by_hand(alias, person.named(), self._rules)
            others = tuple(held for held in person.aliases if held.text != given.text)
            after = replace(with_alias(replace(person, aliases=others), given), edited_by_hand=True)
            if after == person:
                return Met(person)
            return Met(after, (self._change(person, Action.EDIT, "aliases", given.text, now),))

        return await self._met(user_id, choose, write, user=await self._inspect.settings(user_id), now=now)

    async def add_note(self, user_id: UserId, person_id: str, note: str) -> PersonView:
        """A note on a person, by hand. Raises InvalidValueError, NotFoundError."""
        limit = self._settings.limits.reason_characters
        if problems := text_problems("note", note, most_characters=limit):
            raise InvalidValueError("note", problems)
        now = self._clock.now()

        def write(person: Person) -> Met:
            return Met(with_note(person, note), (self._change(person, Action.EDIT, "notes", None, now),))

        user = await self._inspect.settings(user_id)
        return await self._met(user_id, _exactly(askable(person_id)), write, user=user, now=now)

    async def relate(self, user_id: UserId, source: str, target: str, label: str) -> bool:
        """Says what one person is to another; False when it was said before.

        Raises: InvalidValueError, NotFoundError.
        """
        problems = text_problems("label", label, most_characters=self._settings.limits.tag_characters)
        if source == target:
            problems.append(Problem("to", "is the same person"))
        if problems:
            raise InvalidValueError("relation", problems)
        ends, now = (askable(source), askable(target)), self._clock.now()
        change = Change(
            id=self._ids.new(),
            target_id=source,
            at=now,
            action=Action.LINK,
            field="relations",
            after={"to": target, "label": tidy_name(label)},
        )
        made = await self._people.relate(user_id, *ends, tidy_name(label), change, at=now)
        if made is None:
            known = await self._people.get(user_id, ends)
            raise NotFoundError("person", next(end for end in ends if end not in known))
        return made

    async def _met(
        self,
        user_id: UserId,
        choose: Callable[[Sequence[NamedPerson]], NodeId | NewPerson],
        write: Callable[[Person], Met],
        *,
        user: UserSettings,
        now: datetime,
        memory_id: MemoryId | None = None,
    ) -> PersonView:
        person = await self._people.meet(user_id, choose, write, user=user, at=now, memory_id=memory_id)
        self._books.drop(user_id)
        return shown(person, now, self._rules)

    async def _memory(self, user_id: UserId, memory_id: str | None) -> MemoryId | None:
        return None if memory_id is None else (await self._inspect.memory(user_id, memory_id)).id

    def _trust_change(self, before: Person, after: Person, now: datetime) -> Change:
        trusted, trusts = before.trust.overall(self._rules), after.trust.overall(self._rules)
        change = self._change(before, Action.MENTION, "trust", trusts, now)
        return replace(change, before=trusted, delta=trusts - trusted)

    def _change(self, person: Person, action: Action, field: str, after: Json, now: datetime) -> Change:
        return Change(id=self._ids.new(), target_id=person.id, at=now, action=action, field=field, after=after)

    def _mention_problems(self, draft: MentionDraft) -> Iterable[Problem]:
        limits = self._settings.limits
        yield from self._name_problems("person", draft.person)
        yield from text_problems(
            "context", draft.context or "", most_characters=limits.text_characters, blank_allowed=True
        )
        yield from sentiment_problems(draft.sentiment)
        yield from (Problem("domains", problem.message) for problem in tag_problems(draft.domains, limits))
        if draft.evidence_type is not None and _word(EvidenceType, draft.evidence_type) is None:
            yield _unknown_word("evidence_type", draft.evidence_type, EvidenceType)
        yield from date_problems("at", draft.at)
        yield from identifier_problems("idempotency_key", draft.idempotency_key, limits)

    def _communication_problems(self, draft: CommunicationDraft) -> Iterable[Problem]:
        limits = self._settings.limits
        yield from text_problems("channel", draft.channel, most_characters=limits.tag_characters)
        if _word(Direction, draft.direction) is None:
            yield _unknown_word("direction", draft.direction, Direction)
        yield from text_problems("summary", draft.summary, most_characters=limits.text_characters, blank_allowed=True)
        yield from sentiment_problems(draft.sentiment)
        yield from date_problems("at", draft.at)

    def _name_problems(self, field: str, name: str) -> Iterable[Problem]:
        yield from name_problems(field, (name,), self._settings.limits)
        if is_user(name) or not mentions_of_others([PersonMention(name=name)], own_names=()):
            yield Problem(field, "means the user, who is no person of their own memory")


def sentiment_problems(sentiment: float | None) -> Iterable[Problem]:
    """What is wrong with a feeling; an absent one is right."""
    if sentiment is not None and not (math.isfinite(sentiment) and -1.0 <= sentiment <= 1.0):
        yield Problem("sentiment", f"is {sentiment}; it must lie in -1..1")


def _exactly(person_id: NodeId) -> Callable[[Sequence[NamedPerson]], NodeId]:
    return lambda known: person_id


def _keys(person: NamedPerson) -> set[str]:
    return {alias_key(person.name), *(alias.key for alias in person.aliases)}


def _instant(given: datetime | None, now: datetime, zone: tzinfo) -> datetime:
    return now if given is None else in_utc(given, zone=zone)


def _word(words: type[_Words], given: str) -> _Words | None:
    folded = given.strip().lower()
    return next((word for word in words if word.value == folded), None)


def _unknown_word(field: str, given: str, words: type[StrEnum]) -> Problem:
    return Problem(field, f"is {given!r}; it must be one of {', '.join(word.value for word in words)}")

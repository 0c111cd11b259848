"""PeopleStore on Neo4j. Changes of one user's people come one after the other: each begins by locking the user."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from graph_memory.domain.change import Change
from graph_memory.domain.identity import name_key
from graph_memory.domain.name_resolution import NamedPerson
from graph_memory.domain.people import PersonRules
from graph_memory.domain.people_lists import KnownPerson
from graph_memory.domain.person import Person, without_sources
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.errors import ConflictError, NotFoundError
from graph_memory.ports import Met, NewPerson, Parted, PartPeople, UserSettings
from graph_memory.stores.connection import Connection, Transaction
from graph_memory.stores.person_rows import (
    communication_row,
    evidence_row,
    frozen,
    known_person_from,
    named_person_from,
    person_from,
    person_properties,
    thawed,
)
from graph_memory.stores.rows import change_properties

Tie = dict[str, Any]


class Neo4jPeopleStore:
    """Keeps people in Neo4j."""

    def __init__(self, connection: Connection, *, rules: PersonRules, mention_weight: float) -> None:
        self._connection, self._rules, self._mention_weight = connection, rules, mention_weight

    async def named(self, user_id: UserId) -> list[NamedPerson]:
        rows = await self._connection.run("people/find_named", user_id=user_id)
        return [named_person_from(row, self._rules) for row in rows]

    async def get(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, Person]:
        return await _people(self._connection, user_id, ids, self._rules)

    async def listed(self, user_id: UserId) -> list[KnownPerson]:
        rows = await self._connection.run("people/find_listed", user_id=user_id, limit=self._rules.most_people)
        return [known_person_from(row["person"], self._rules) for row in rows]

    async def meet(
        self,
        user_id: UserId,
        choose: Callable[[Sequence[NamedPerson]], NodeId | NewPerson],
        write: Callable[[Person], Met],
        *,
        user: UserSettings,
        at: datetime,
        memory_id: MemoryId | None = None,
    ) -> Person:
        async def meet_person(transaction: Transaction) -> Person:
            await _lock_owner(transaction, user_id, user, at=at)
            rows = await transaction.run("people/find_named", user_id=user_id)
            chosen = choose([named_person_from(row, self._rules) for row in rows])
            if isinstance(chosen, NewPerson):
                chosen = await _add(transaction, user_id, chosen, at=at)
            [before] = await _locked(transaction, user_id, [chosen], self._rules)
            if memory_id is not None:
                await self._refer(transaction, user_id, memory_id, before.id, at=at)
            met = write(before)
            await _write(transaction, user_id, before, met.person, met.changes)
            return met.person

        return await self._connection.transaction(meet_person)

    async def relate(
        self, user_id: UserId, source: NodeId, target: NodeId, label: str, change: Change, *, at: datetime
    ) -> bool | None:
        async def relate_people(transaction: Transaction) -> bool | None:
            await transaction.run("people/lock_people", user_id=user_id, ids=sorted({source, target}))
            rows = await transaction.run(
                "people/relate_people",
                user_id=user_id,
                from_id=source,
                to_id=target,
                label=label,
                at=at,
                change=change_properties(change),
            )
            return rows[0]["made"] if rows else None

        return await self._connection.transaction(relate_people)

    async def merge(
        self,
        user_id: UserId,
        keep_id: NodeId,
        merge_id: NodeId,
        join: Callable[[Person, Person], Met],
        *,
        user: UserSettings,
        at: datetime,
    ) -> Person:
        async def merge_people(transaction: Transaction) -> Person:
            await _lock_owner(transaction, user_id, user, at=at)
            keep, merged = await _locked(transaction, user_id, [keep_id, merge_id], self._rules)
            met = join(keep, merged)
            ties = await _ties(transaction, user_id, [keep_id, merge_id])
            held = {_identity(tie) for tie in ties[keep_id]}
            for tie in ties[merge_id]:
                tie["moved"] = tie["other_id"] != keep_id and _identity(tie) not in held
            memento = {
                "keep": await _stored(transaction, user_id, keep_id),
                "keep_evidence": [each.id for each in keep.evidence],
                "keep_communications": [each.id for each in keep.communications],
                "merged": await _stored(transaction, user_id, merge_id),
                "ties": ties[merge_id],
            }
            moved = [_thawed(tie) for tie in ties[merge_id] if tie["moved"]]
            await transaction.run("people/add_ties", user_id=user_id, id=keep_id, rows=moved)
            await transaction.run("people/erase_person", user_id=user_id, id=merge_id)
            [change] = met.changes
            row = {**change_properties(change), "before": json.dumps(memento, ensure_ascii=False)}
            await _write(transaction, user_id, met.person, met.person, (), rows=[row])
            return met.person

        return await self._connection.transaction(merge_people)

    async def part(
        self, user_id: UserId, change_id: str, part: PartPeople, *, user: UserSettings, at: datetime
    ) -> Person:
        async def part_people(transaction: Transaction) -> Person:
            await _lock_owner(transaction, user_id, user, at=at)
            rows = await transaction.run("people/get_merge", user_id=user_id, id=change_id)
            if not rows:
                raise NotFoundError("merge of people", change_id)
            keep_id, memento = NodeId(rows[0]["keep_id"]), json.loads(rows[0]["before"])
            found = await _locked(transaction, user_id, [keep_id], self._rules, missing_allowed=True)
            parted = part(*self._before_merge(found[0] if found else None, memento))
            ties = [_thawed(tie) for tie in memento["ties"]]
            moved = [
                {**tie, "label": tie["properties"].get("label")}
                for tie, written in zip(ties, memento["ties"], strict=True)
                if written["moved"]
            ]
            await transaction.run("people/remove_ties", user_id=user_id, id=keep_id, rows=moved)
            await self._bring_back(transaction, user_id, memento, parted)
            await transaction.run("people/add_ties", user_id=user_id, id=parted.merged.id, rows=ties)
            await _write(transaction, user_id, parted.keep, parted.keep, parted.changes)
            return (await _people(transaction, user_id, [keep_id], self._rules))[keep_id]

        try:
            return await self._connection.transaction(part_people)
        except ConflictError as error:
            if error.__cause__ is None:
                raise
            raise ConflictError("another person has the name of the merged one meanwhile") from error

    async def _refer(
        self, transaction: Transaction, user_id: UserId, memory_id: MemoryId, person_id: NodeId, *, at: datetime
    ) -> None:
        rows = await transaction.run(
            "people/refer_to_person",
            user_id=user_id,
            memory_id=memory_id,
            person_id=person_id,
            weight=self._mention_weight,
            at=at,
        )
        if not rows:
            raise NotFoundError("memory", memory_id)

    def _before_merge(self, now: Person | None, memento: Mapping[str, Any]) -> tuple[Person | None, Person, Person]:
        """The kept person as they are, and the two as they were, with what is still kept of their evidence."""
        evidence = {each.id: each for each in now.evidence} if now else {}
        communications = {each.id: each for each in now.communications} if now else {}
        keep = person_from(thawed(memento["keep"]), self._rules)
        merged = person_from(thawed(memento["merged"]), self._rules)
        return now, keep, merged

    async def _bring_back(
        self, transaction: Transaction, user_id: UserId, memento: Mapping[str, Any], parted: Parted
    ) -> None:
        properties = {**thawed(memento["merged"]), **person_properties(parted.merged)}
        rows = await transaction.run(
            "people/add_person", user_id=user_id, name_key=properties["name_key"], person=properties
        )
        if rows[0]["id"] != parted.merged.id:
            raise ConflictError("another person has the name of the merged one meanwhile")

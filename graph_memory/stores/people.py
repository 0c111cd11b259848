"""PeopleStore on Neo4j. Changes of one user's people come one after the other: each begins by locking the user."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graph_memory.domain.change import Change
from graph_memory.domain.identity import name_key
from graph_memory.domain.memory import Json
from graph_memory.domain.name_resolution import NamedPerson
from graph_memory.domain.people import PersonRules
from graph_memory.domain.people_lists import KnownPerson
from graph_memory.domain.person import Merge, Person, without_source
from graph_memory.domain.vocabulary import MemoryId, NodeId, UserId
from graph_memory.errors import ConflictError, NotFoundError
from graph_memory.ports import Met, NewPerson, Parted, UserSettings
from graph_memory.settings import LinkSettings
from graph_memory.stores.connection import Connection, Row, Transaction
from graph_memory.stores.owners import OwnerTurns, lock_owner
from graph_memory.stores.person_rows import (
    communication_row,
    evidence_row,
    frozen,
    known_person_from,
    merge_from,
    named_person_from,
    person_from,
    person_properties,
    thawed,
)
from graph_memory.stores.rows import change_properties


class Neo4jPeopleStore:
    """Keeps people in Neo4j."""

    def __init__(self, connection: Connection, *, rules: PersonRules, links: LinkSettings) -> None:
        self._connection, self._rules, self._links = connection, rules, links
        self._in_turn = OwnerTurns(connection)

    async def named(self, user_id: UserId) -> list[NamedPerson]:
        rows = await self._connection.run("people/find_named", user_id=user_id)
        return [named_person_from(row, self._rules) for row in rows]

    async def get(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, Person]:
        return await _read(self._connection, user_id, ids, self._rules)

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
            await lock_owner(transaction, user_id, user, at=at)
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

        return await self._in_turn.transaction(user_id, meet_person)

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
            await lock_owner(transaction, user_id, user, at=at)
            keep, merged = await _locked(transaction, user_id, [keep_id, merge_id], self._rules)
            met = join(keep, merged)
            ties = await _ties_to_move(transaction, user_id, keep_id, merge_id)
            memento = await _memento(transaction, user_id, keep, merged, ties)
            moved = [_thawed(tie) for tie in ties if tie["moved"]]
            await transaction.run("people/add_ties", user_id=user_id, id=keep_id, rows=moved)
            await transaction.run("people/erase_person", user_id=user_id, id=merge_id)
            changes = [replace(change, before=memento) for change in met.changes]
            await _write(transaction, user_id, met.person, met.person, changes)
            return (await _read(transaction, user_id, [keep_id], self._rules))[keep_id]

        return await self._in_turn.transaction(user_id, merge_people)

    async def part(
        self,
        user_id: UserId,
        change_id: str,
        part: Callable[[Person | None, Merge], Parted],
        *,
        user: UserSettings,
        at: datetime,
    ) -> Person:
        async def part_people(transaction: Transaction) -> Person:
            await lock_owner(transaction, user_id, user, at=at)
            rows = await transaction.run("people/get_merge", user_id=user_id, id=change_id)
            if not rows:
                raise NotFoundError("merge of people", change_id)
            keep_id, memento = NodeId(rows[0]["keep_id"]), json.loads(rows[0]["before"])
            now = (await _lock(transaction, user_id, [keep_id], self._rules)).get(keep_id)
            parted = part(now, merge_from(memento, now, self._rules))
            await _bring_back(transaction, user_id, keep_id, memento, parted.merged)
            await _write(transaction, user_id, parted.keep, parted.keep, parted.changes)
            return (await _read(transaction, user_id, [keep_id], self._rules))[keep_id]

        return await self._in_turn.transaction(user_id, part_people)

    async def _refer(
        self, transaction: Transaction, user_id: UserId, memory_id: MemoryId, person_id: NodeId, *, at: datetime
    ) -> None:
        rows = await transaction.run(
            "people/refer_to_person",
            user_id=user_id,
            memory_id=memory_id,
            person_id=person_id,
            weight=self._links.entity_weight,
            rare_names=self._links.rare_names,
            least_weight=self._links.min_weight,
            at=at,
        )
        if not rows:
            raise NotFoundError("memory", memory_id)


async def forget_source(
    transaction: Transaction, user_id: UserId, memory_id: MemoryId, *, rules: PersonRules, at: datetime
) -> int:
    """Erases what people are known by from a memory that is about to be erased; how many people that changes."""
    await transaction.run("people/blank_quotes", user_id=user_id, memory_id=memory_id)
    rows = await transaction.run("people/find_drawn_from", user_id=user_id, memory_id=memory_id)
    concerned = await _lock(transaction, user_id, [NodeId(row["id"]) for row in rows], rules)
    for before in concerned.values():
        await _write(transaction, user_id, before, without_source(before, memory_id, at, rules), ())
    return len(concerned)


async def _add(transaction: Transaction, user_id: UserId, new: NewPerson, *, at: datetime) -> NodeId:
    """The new person, or the one whom enrichment made of that name a moment ago."""
    person = {"id": new.id, "name": new.name, "aliases": [new.name], "alias_keys": [], "created_at": at}
    [row] = await transaction.run("people/add_person", user_id=user_id, name_key=name_key(new.name), person=person)
    return NodeId(row["id"])


async def _lock(
    transaction: Transaction, user_id: UserId, ids: Sequence[NodeId], rules: PersonRules
) -> dict[NodeId, Person]:
    """The people found, as they are, locked until the transaction ends."""
    await transaction.run("people/lock_people", user_id=user_id, ids=sorted(set(ids)))
    return await _read(transaction, user_id, ids, rules)


async def _locked(transaction: Transaction, user_id: UserId, ids: Sequence[NodeId], rules: PersonRules) -> list[Person]:
    """All of these people. Raises NotFoundError for the first that is not there."""
    found = await _lock(transaction, user_id, ids, rules)
    for person_id in ids:
        if person_id not in found:
            raise NotFoundError("person", person_id)
    return [found[person_id] for person_id in ids]


async def _rows(source: Connection | Transaction, user_id: UserId, ids: Sequence[NodeId]) -> list[Row]:
    return await source.run("people/get_people", user_id=user_id, ids=list(dict.fromkeys(ids)))


async def _read(
    source: Connection | Transaction, user_id: UserId, ids: Sequence[NodeId], rules: PersonRules
) -> dict[NodeId, Person]:
    people = [
        person_from(
            row["person"],
            rules,
            evidence=row["evidence"],
            communications=row["communications"],
            relations=row["relations"],
        )
        for row in await _rows(source, user_id, ids)
    ]
    return {person.id: person for person in people}


async def _write(
    transaction: Transaction, user_id: UserId, before: Person, after: Person, changes: Sequence[Change]
) -> None:
    """Stores a person as they shall be; only evidence and exchanges that came or went are touched."""
    held = {each.id for each in before.evidence} | {each.id for each in before.communications}
    kept = {each.id for each in after.evidence} | {each.id for each in after.communications}
    await transaction.run(
        "people/write_person",
        user_id=user_id,
        id=after.id,
        properties=person_properties(after),
        evidence=[evidence_row(each) for each in after.evidence if each.id not in held],
        communications=[communication_row(each) for each in after.communications if each.id not in held],
        dropped=sorted(held - kept),
        changes=[change_properties(change) for change in changes],
    )


async def _ties_to_move(
    transaction: Transaction, user_id: UserId, keep_id: NodeId, merge_id: NodeId
) -> list[dict[str, Any]]:
    """Every relationship of the merged person, and whether the kept one gets it or has its like already."""
    rows = await transaction.run("people/find_ties", user_id=user_id, ids=[keep_id, merge_id])
    held = {_identity(row) for row in rows if row["id"] == keep_id}
    return [
        {
            "type": row["type"],
            "outgoing": row["outgoing"],
            "other_id": row["other_id"],
            "properties": frozen(row["properties"]),
            "label": row["properties"].get("label"),
            "moved": row["other_id"] != keep_id and _identity(row) not in held,
        }
        for row in rows
        if row["id"] == merge_id
    ]


def _identity(tie: Mapping[str, Any]) -> tuple[str, bool, str, str | None]:
    return tie["type"], tie["outgoing"], tie["other_id"], tie["properties"].get("label")


def _thawed(tie: Mapping[str, Any]) -> dict[str, Any]:
    return {**tie, "properties": thawed(tie["properties"])}


async def _memento(
    transaction: Transaction, user_id: UserId, keep: Person, merged: Person, ties: list[dict[str, Any]]
) -> Json:
    """What undoing a merge needs: names, numbers and ids, never what was said."""
    rows = await _rows(transaction, user_id, [keep.id, merged.id])
    stored = {row["person"]["id"]: frozen(row["person"]) for row in rows}
    return {
        "keep": stored[keep.id],
        "keep_holds": _held(keep),
        "merged": stored[merged.id],
        "merged_holds": _held(merged),
        "ties": list(ties),
    }


def _held(person: Person) -> Json:
    return {
        "evidence": [each.id for each in person.evidence],
        "communications": [each.id for each in person.communications],
    }


async def _bring_back(
    transaction: Transaction, user_id: UserId, keep_id: NodeId, memento: Mapping[str, Any], merged: Person
) -> None:
    """Makes the merged person again and gives them back what led to them. Raises ConflictError."""
    ties = [_thawed(tie) for tie in memento["ties"]]
    moved = [tie for tie in ties if tie["moved"]]
    await transaction.run("people/remove_ties", user_id=user_id, id=keep_id, rows=moved)
    properties = {**thawed(memento["merged"]), **person_properties(merged)}
    key = name_key(merged.name)
    [row] = await transaction.run("people/add_person", user_id=user_id, name_key=key, person=properties)
    if row["id"] != merged.id:
        raise ConflictError("another person has the name of the merged one meanwhile")
    await transaction.run("people/add_ties", user_id=user_id, id=merged.id, rows=ties)

"""Between what Neo4j stores of people and our values.

`aliases` are what is shown and may get further spellings from enrichment; `alias_details` (JSON) tells what an alias is
and how sure it is; `alias_keys` are the folded forms in which names are found in texts.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graph_memory.domain.identity import name_key
from graph_memory.domain.name_resolution import Alias, AliasType, NamedPerson, alias_key, alias_type
from graph_memory.domain.people import Direction, EvidenceType, PersonRules
from graph_memory.domain.people_lists import KnownPerson
from graph_memory.domain.person import KeptCommunication, KeptEvidence, Merge, Person, Relation
from graph_memory.domain.trust import Trust, fresh_trust
from graph_memory.domain.vocabulary import MemoryId, NodeId
from graph_memory.stores.rows import Properties, instant, maybe_instant


def person_from(
    stored: Properties,
    rules: PersonRules,
    *,
    evidence: Sequence[Properties] = (),
    communications: Sequence[Properties] = (),
    relations: Sequence[Properties] = (),
) -> Person:
    """The person of a node and what hangs on it; one that enrichment made has fresh trust."""
    return Person(
        id=NodeId(stored["id"]),
        name=stored["name"],
        aliases=aliases_from(stored, rules),
        trust=_trust_from(stored, rules),
        created_at=instant(stored["created_at"]),
        interactions=stored.get("interactions") or 0,
        pieces_seen=stored.get("pieces_seen") or 0,
        sentiments=tuple(stored.get("sentiments") or ()),
        last_mentioned_at=maybe_instant(stored.get("last_mentioned_at")),
        last_interaction_at=maybe_instant(stored.get("last_interaction_at")),
        evidence=tuple(sorted(map(_evidence_from, evidence), key=lambda each: (each.at, each.id))),
        communications=tuple(sorted(map(_communication_from, communications), key=lambda each: (each.at, each.id))),
        relations=tuple(sorted(map(_relation_from, relations), key=lambda each: (each.label, each.other_id))),
        notes=tuple(stored.get("notes") or ()),
        edited_by_hand=stored.get("edited_by_hand") or False,
        last_merge_id=stored.get("last_merge_id"),
    )


def named_person_from(row: Mapping[str, Any], rules: PersonRules) -> NamedPerson:
    """A person by every name."""
    return NamedPerson(NodeId(row["id"]), row["name"], aliases_from(row, rules))


def known_person_from(stored: Properties, rules: PersonRules) -> KnownPerson:
    """What the lists need of a person."""
    return person_from(stored, rules).known()


def aliases_from(stored: Mapping[str, Any], rules: PersonRules) -> tuple[Alias, ...]:
    """Every alias but the name itself; a spelling that enrichment found is as sure as what it spells."""
    name, details = stored["name"], json.loads(stored.get("alias_details") or "{}")
    known = {alias_key(text): (AliasType(kind), confidence) for text, (kind, confidence) in details.items()}
    found = []
    for text in stored.get("aliases") or ():
        if text == name:
            continue
        if text in details:
            kind, confidence = AliasType(details[text][0]), details[text][1]
        elif alias_key(text) == alias_key(name):
            kind, confidence = AliasType.NAME, rules.match_name
        else:
            kind, confidence = known.get(alias_key(text), (alias_type(text, primary_name=name), rules.alias_by_hand))
        found.append(Alias(text, kind, confidence))
    return tuple(found)


def person_properties(person: Person) -> dict[str, Any]:
    """Every property of a person's node that exchanges, aliases, merges and erasures may change."""
    own = name_key(person.name)
    keys = {key for alias in person.aliases for key in (name_key(alias.text), alias.key) if key}
    expertise = sorted(person.trust.expertise.items())
    return {
        "aliases": [person.name, *(alias.text for alias in person.aliases)],
        "alias_keys": sorted(keys - {own}),
        "alias_details": json.dumps(
            {alias.text: [alias.type.value, alias.confidence] for alias in person.aliases}, ensure_ascii=False
        ),
        "trust_reliability": person.trust.reliability,
        "trust_emotional": person.trust.emotional,
        "trust_timeliness": person.trust.timeliness,
        "trust_information": person.trust.information,
        "expertise_domains": [domain for domain, _ in expertise],
        "expertise_values": [value for _, value in expertise],
        "interactions": person.interactions,
        "pieces_seen": person.pieces_seen,
        "sentiments": list(person.sentiments),
        "created_at": person.created_at,
        "last_mentioned_at": person.last_mentioned_at,
        "last_interaction_at": person.last_interaction_at,
        "notes": list(person.notes),
        "edited_by_hand": person.edited_by_hand,
        "last_merge_id": person.last_merge_id,
    }


def evidence_row(piece: KeptEvidence) -> dict[str, Any]:
    """A piece of evidence as stored."""
    return {
        "memory_id": piece.memory_id,
        "properties": {
            "id": piece.id,
            "name": piece.name,
            "type": piece.type.value,
            "sentiment": piece.sentiment,
            "domains": list(piece.domains),
            "context": piece.context,
            "memory_id": piece.memory_id,
            "at": piece.at,
        },
    }


def communication_row(communication: KeptCommunication) -> dict[str, Any]:
    """An exchange as stored."""
    return {
        "memory_id": communication.memory_id,
        "properties": {
            "id": communication.id,
            "channel": communication.channel,
            "direction": communication.direction.value,
            "summary": communication.summary,
            "sentiment": communication.sentiment,
            "memory_id": communication.memory_id,
            "at": communication.at,
        },
    }


def merge_from(memento: Mapping[str, Any], now: Person | None, rules: PersonRules) -> Merge:
    """A merge as its audit row tells it, with the evidence and exchanges that the kept person still has."""
    keep, merged = _as_before(memento, "keep", now, rules), _as_before(memento, "merged", now, rules)
    held, lost = memento["keep_holds"], memento["merged_holds"]
    return Merge(
        keep=keep,
        merged=merged,
        keep_is_whole=len(keep.evidence) + len(keep.communications)
        == len(held["evidence"]) + len(held["communications"]),
        lost_evidence=len(lost["evidence"]) - len(merged.evidence),
        lost_communications=len(lost["communications"]) - len(merged.communications),
    )


def _as_before(memento: Mapping[str, Any], who: str, now: Person | None, rules: PersonRules) -> Person:
    holds = memento[f"{who}_holds"]
    return replace(
        person_from(thawed(memento[who]), rules),
        evidence=tuple(each for each in now.evidence if each.id in holds["evidence"]) if now else (),
        communications=tuple(each for each in now.communications if each.id in holds["communications"]) if now else (),
    )


def frozen(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Stored properties as JSON can keep them."""
    return {name: _frozen(value) for name, value in properties.items()}


def thawed(written: Mapping[str, Any]) -> dict[str, Any]:
    """The properties again; what is called `_at` is an instant."""
    return {
        name: datetime.fromisoformat(value) if name.endswith("_at") and value is not None else value
        for name, value in written.items()
    }


def _frozen(value: Any) -> Any:
    return instant(value).isoformat() if hasattr(value, "to_native") or isinstance(value, datetime) else value


def _trust_from(stored: Properties, rules: PersonRules) -> Trust:
    if stored.get("trust_reliability") is None:
        return fresh_trust(rules)
    pairs = zip(stored.get("expertise_domains") or (), stored.get("expertise_values") or (), strict=True)
    return Trust(
        reliability=stored["trust_reliability"],
        emotional=stored["trust_emotional"],
        timeliness=stored["trust_timeliness"],
        information=stored["trust_information"],
        expertise=dict(pairs),
    )


def _evidence_from(stored: Properties) -> KeptEvidence:
    return KeptEvidence(
        id=stored["id"],
        name=stored.get("name") or "",
        at=instant(stored["at"]),
        sentiment=stored["sentiment"],
        type=EvidenceType(stored["type"]),
        domains=tuple(stored["domains"]),
        context=stored["context"],
        memory_id=_memory_id(stored),
    )


def _communication_from(stored: Properties) -> KeptCommunication:
    return KeptCommunication(
        id=stored["id"],
        at=instant(stored["at"]),
        channel=stored["channel"],
        direction=Direction(stored["direction"]),
        summary=stored["summary"],
        sentiment=stored["sentiment"],
        memory_id=_memory_id(stored),
    )


def _memory_id(stored: Properties) -> MemoryId | None:
    return None if stored.get("memory_id") is None else MemoryId(stored["memory_id"])


def _relation_from(stored: Properties) -> Relation:
    return Relation(
        other_id=NodeId(stored["other_id"]),
        other_name=stored["other_name"],
        label=stored["label"],
        outgoing=stored["outgoing"],
    )

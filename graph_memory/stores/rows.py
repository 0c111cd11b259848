"""Between what Neo4j stores and our values: instants, enums and the maps in which they travel."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

from graph_memory.domain.activation import ActivationFacts, StateDates
from graph_memory.domain.change import Action, Change
from graph_memory.domain.decay import FAR_FUTURE, StrengthFacts
from graph_memory.domain.decision import Decision, Outcome, topic_key
from graph_memory.domain.link import Link, LinkType
from graph_memory.domain.memory import EMOTIONS, Emotion, Interval, Memory, NamedDate, PastInterval
from graph_memory.domain.names import NameKind
from graph_memory.domain.observed import Observed
from graph_memory.domain.vocabulary import (
    Category,
    EnrichmentStatus,
    EpistemicType,
    Horizon,
    Kind,
    Lane,
    MemoryId,
    NodeId,
    Source,
    State,
    UserId,
)
from graph_memory.ports import NamedNode, NewMemory, Receipt, Rewritten, Verdict
from graph_memory.stores.full_text import search_scope

Properties = Mapping[str, Any]

_DATES = frozenset({"visible_until", "dream_at", "forgotten_at", "archive_at"})
_MIXED = ""  # the settings behind dates of which some were solved with these, some with those
# A node keeps its past intervals as parallel lists `past_<field>`, so that a query can compare their dates.
PAST_FIELDS = ("valid_at", "invalid_at", "invalidated_at", "expired_at", "restored_at")


def instant(stored: Any) -> datetime:
    """An aware datetime in UTC from the driver's own type."""
    if isinstance(stored, str):  # hot queries give dates as text, which is read far faster than the driver's type
        return _instant_of(stored)
    native: datetime = stored.to_native() if hasattr(stored, "to_native") else stored
    return native.astimezone(UTC)


@lru_cache(maxsize=4_096)  # a memory has few different dates: most are its first, or the far future
def _instant_of(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def maybe_instant(stored: Any) -> datetime | None:
    """The same for a property that may be absent."""
    return None if stored is None else instant(stored)


def position_key(occurred_at: datetime, memory_id: str) -> str:
    """Where a memory stands in its session: sorts as text by the instant, then by the id."""
    moment = occurred_at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
    return f"{moment}~{memory_id}"


def memory_properties(new: NewMemory, embedder: str, *, dates_by: str) -> dict[str, Any]:
    """Every property of a new memory's node."""
    memory = new.memory
    return {
        "id": memory.id,
        "user_id": memory.user_id,
        "text": memory.text,
        "kind": memory.kind.value,
        "epistemic_type": memory.epistemic_type.value,
        "bucket": memory.bucket,
        "lane": memory.lane.value,
        "general": memory.general,
        **living_properties(memory),
        "dates_by": dates_by,
        "occurred_at": memory.occurred_at,
        "valid_at": memory.interval.valid_at,
        "invalid_at": memory.interval.invalid_at,
        "invalidated_at": memory.interval.invalidated_at,
        "created_at": memory.interval.created_at,
        "expired_at": memory.interval.expired_at,
        "superseded_at": memory.superseded_at,
        **_named_date_properties(memory),
        "speaker": memory.speaker,
        "session_id": memory.session_id,
        "position": position_key(memory.occurred_at, memory.id) if memory.session_id else None,
        "agent_id": memory.agent_id,
        "external_id": memory.external_id,
        "tags": list(memory.tags),
        "metadata": _metadata(memory),
        "content_hash": memory.content_hash,
        "current_key": memory.content_hash,
        **_decision_properties(memory),
        "text_hash": new.text_hash,
        "idempotency_key": new.idempotency_key,
        "search_text": new.search_text,
        "search_scope": search_scope(memory.user_id, memory.bucket),
        "script_terms": new.index_terms,
        "is_question": new.is_question,
        "word_count": new.word_count,
        "name_count": new.name_count,
        "heading_key": new.heading_key,
        "subject_keys": list(memory.subject_keys),
        "people": list(memory.given_people),
        "entities": list(memory.given_entities),
        "embedder": embedder,
        "enrich_due_at": memory.interval.created_at,
        "attempts": 0,
        "distil_after": memory.interval.created_at if memory.kind is Kind.EPISODIC else None,
        "link_due_at": memory.interval.created_at,
        "link_attempts": 0,
    }


def living_properties(memory: Memory) -> dict[str, Any]:
    """What use, time's beats, belief, evidence and emotion may change of a memory's node."""
    strength, activation, evidence = memory.strength, memory.activation, memory.evidence
    return {
        "category": memory.category.value,
        "horizon": memory.horizon.value,
        "source": memory.source.value,
        "confirmed": memory.confirmed,
        "confidence": memory.confidence,
        "pinned": memory.pinned,
        "base_strength": strength.base_strength,
        "anchor_at": strength.anchor_at,
        "spaced_access_count": strength.spaced_access_count,
        "visible_until": memory.visible_until,
        "access_stamps": list(activation.stamps),
        "access_count": memory.access_count,
        "first_access_at": memory.first_access_at,
        "last_accessed_at": memory.last_accessed_at,
        "encoding_factor": activation.encoding_factor,
        "activation_decay": activation.decay,
        "state": memory.state.value,
        **state_date_properties(memory.states),
        "touched_at": memory.touched_at,
        "search_tier_at": FAR_FUTURE if memory.pinned else memory.touched_at,
        "outcome": memory.decision.outcome.value if memory.decision else None,
        "labile_since": memory.labile_since,
        "labile_until": memory.labile_until,
        "last_suppressed_at": memory.last_suppressed_at,
        "occurrences": evidence.occurrences,
        "session_count": evidence.session_count,
        "first_observed_at": evidence.first_at,
        "last_reinforced_at": evidence.last_at,
        "emotions": [getattr(memory.emotion, name) for name in EMOTIONS],
        "arousal": memory.emotion.arousal,
        "valence": memory.emotion.valence,
    }


def changed_properties(before: Memory, after: Memory, *, dates_by: str) -> dict[str, Any]:
    """What of a memory's living properties differs: an index is only touched for what really changed.

    A change need not solve every date anew. One that meets dates of other settings leaves them marked as mixed, so that
    the next recomputation finds them.
    """
    old, new = living_properties(before), living_properties(after)
    changed = {name: value for name, value in new.items() if value != old[name]}
    if before.dates_by != dates_by and _DATES & changed.keys():
        changed["dates_by"] = _MIXED
    return changed


def retired_properties(before: Memory, after: Memory, *, dates_by: str) -> dict[str, Any]:
    """What changes of a memory's node when another takes its place."""
    return {
        **changed_properties(before, after, dates_by=dates_by),
        "invalid_at": after.interval.invalid_at,
        "invalidated_at": after.interval.invalidated_at,
        "expired_at": after.interval.expired_at,
        "superseded_at": after.superseded_at,
    }


def rewritten_properties(before: Memory, after: Rewritten, embedder: str, *, dates_by: str) -> dict[str, Any]:
    """What changes of a memory's node with its text."""
    return {
        **changed_properties(before, after.memory, dates_by=dates_by),
        **_moved_dates(before, after.memory),
        "text": after.memory.text,
        **_named_date_properties(after.memory),
        "refined_at": after.memory.refined_at,
        "content_hash": after.memory.content_hash,
        "text_hash": after.text_hash,
        "search_text": after.search_text,
        "script_terms": after.index_terms,
        "is_question": after.is_question,
        "word_count": after.word_count,
        "name_count": after.name_count,
        "heading_key": after.heading_key,
        "embedding": after.embedding.tolist(),
        "embedder": embedder,
    }


def _moved_dates(before: Memory, after: Memory) -> dict[str, Any]:
    """Dates that follow a text drawn from other sources; the indexes are only touched where they differ."""
    old = {"occurred_at": before.occurred_at, "valid_at": before.interval.valid_at}
    new = {"occurred_at": after.occurred_at, "valid_at": after.interval.valid_at}
    return {name: value for name, value in new.items() if value != old[name]}


def updated_properties(memory: Memory, *, content_hash: str, search_text: str) -> dict[str, Any]:
    """What an update may change of a memory's node."""
    return {
        "bucket": memory.bucket,
        "general": memory.general,
        "lane": memory.lane.value,
        "category": memory.category.value,
        "tags": list(memory.tags),
        "metadata": _metadata(memory),
        "occurred_at": memory.occurred_at,
        "valid_at": memory.interval.valid_at,
        "invalid_at": memory.interval.invalid_at,
        "invalidated_at": memory.interval.invalidated_at,
        "people": list(memory.given_people),
        "entities": list(memory.given_entities),
        "subject_keys": list(memory.subject_keys),
        "position": position_key(memory.occurred_at, memory.id) if memory.session_id else None,
        "content_hash": content_hash,
        "search_text": search_text,
        "search_scope": search_scope(memory.user_id, memory.bucket),
    }


def _metadata(memory: Memory) -> str | None:
    return json.dumps(dict(memory.metadata), ensure_ascii=False) if memory.metadata else None


def state_date_properties(dates: StateDates) -> dict[str, datetime]:
    """The three state dates as stored."""
    return {"dream_at": dates.dream_at, "forgotten_at": dates.forgotten_at, "archive_at": dates.archive_at}


def memory_from(stored: Properties) -> Memory:
    """The memory of a node's properties."""
    emotions = stored.get("emotions") or [0.0] * len(EMOTIONS)
    return Memory(
        id=MemoryId(stored["id"]),
        user_id=UserId(stored["user_id"]),
        text=stored["text"],
        kind=Kind(stored["kind"]),
        epistemic_type=EpistemicType(stored["epistemic_type"]),
        category=Category(stored["category"]),
        horizon=Horizon(stored["horizon"]),
        bucket=stored["bucket"],
        lane=Lane(stored["lane"]),
        general=stored["general"],
        source=Source(stored["source"]),
        confirmed=stored["confirmed"],
        confidence=stored["confidence"],
        strength=StrengthFacts(
            base_strength=stored["base_strength"],
            anchor_at=instant(stored["anchor_at"]),
            spaced_access_count=stored["spaced_access_count"],
            arousal=stored["arousal"],
            pinned=stored["pinned"],
        ),
        activation=ActivationFacts(
            stamps=tuple(map(instant, stored["access_stamps"])),
            encoding_factor=stored["encoding_factor"],
            decay=stored["activation_decay"],
        ),
        state=State(stored["state"]),
        states=StateDates(
            dream_at=instant(stored["dream_at"]),
            forgotten_at=instant(stored["forgotten_at"]),
            archive_at=instant(stored["archive_at"]),
        ),
        visible_until=instant(stored["visible_until"]),
        access_count=stored["access_count"],
        first_access_at=maybe_instant(stored.get("first_access_at")),
        last_accessed_at=maybe_instant(stored.get("last_accessed_at")),
        touched_at=instant(stored["touched_at"]),
        emotion=Emotion(
            **dict(zip(EMOTIONS, emotions, strict=True)), arousal=stored["arousal"], valence=stored["valence"]
        ),
        occurred_at=instant(stored["occurred_at"]),
        interval=Interval(
            valid_at=instant(stored["valid_at"]),
            created_at=instant(stored["created_at"]),
            invalid_at=instant(stored["invalid_at"]),
            invalidated_at=instant(stored["invalidated_at"]),
            expired_at=instant(stored["expired_at"]),
        ),
        past_intervals=_past_intervals(stored),
        superseded_at=instant(stored["superseded_at"]),
        labile_until=maybe_instant(stored.get("labile_until")),
        labile_since=maybe_instant(stored.get("labile_since")),
        refined_at=maybe_instant(stored.get("refined_at")),
        last_suppressed_at=maybe_instant(stored.get("last_suppressed_at")),
        observed=_observed(stored),
        enrichment=_enrichment(stored),
        named_dates=_named_dates(stored),
        dates_told_at=stored.get("dates_told_at", "created_at"),
        speaker=stored.get("speaker"),
        session_id=stored.get("session_id"),
        agent_id=stored.get("agent_id"),
        external_id=stored.get("external_id"),
        tags=tuple(stored.get("tags") or ()),
        metadata=json.loads(stored["metadata"]) if stored.get("metadata") else {},
        decision=_decision(stored),
        content_hash=stored["content_hash"],
        given_people=tuple(stored.get("people") or ()),
        given_entities=tuple(stored.get("entities") or ()),
        dates_by=stored.get("dates_by") or "",
    )


def _observed(stored: Properties) -> Observed | None:
    if stored.get("occurrences") is None:
        return None
    return Observed(
        occurrences=stored["occurrences"],
        session_count=stored["session_count"],
        first_at=instant(stored["first_observed_at"]),
        last_at=instant(stored["last_reinforced_at"]),
    )


def _past_intervals(stored: Properties) -> tuple[PastInterval, ...]:
    if not stored.get("past_valid_at"):
        return ()
    columns = [stored[f"past_{field}"] for field in PAST_FIELDS]
    rows = (zip(PAST_FIELDS, map(instant, row), strict=True) for row in zip(*columns, strict=True))
    return tuple(PastInterval(**dict(row)) for row in rows)


def _named_date_properties(memory: Memory) -> dict[str, Any]:
    return {
        "date_texts": [named.text for named in memory.named_dates],
        "date_first_days": [named.first_day for named in memory.named_dates],
        "date_last_days": [named.last_day for named in memory.named_dates],
        "dates_told_at": memory.dates_told_at,
    }


def _named_dates(stored: Properties) -> tuple[NamedDate, ...]:
    if not stored.get("date_texts"):
        return ()
    columns = stored["date_texts"], stored["date_first_days"], stored["date_last_days"]
    return tuple(NamedDate(text, _day(first), _day(last)) for text, first, last in zip(*columns, strict=True))


def _day(stored: Any) -> date:
    if isinstance(stored, str):
        return date.fromisoformat(stored)
    native: date = stored.to_native() if hasattr(stored, "to_native") else stored
    return native


def _decision(stored: Properties) -> Decision | None:
    if stored["kind"] != Kind.DECISION.value:
        return None
    return Decision(
        domain=stored["domain"],
        topic_key=stored["topic_key"],
        reasoning=stored.get("reasoning"),
        outcome=Outcome(stored["outcome"]),
    )


def _decision_properties(memory: Memory) -> dict[str, Any]:
    if memory.decision is None:
        return {}
    return {
        "domain": memory.decision.domain,
        "domain_key": topic_key(memory.decision.domain),
        "topic_key": memory.decision.topic_key,
        "reasoning": memory.decision.reasoning,
        "decided_at": memory.interval.valid_at,
        "head_key": memory.decision.head_key,
    }


def _enrichment(stored: Properties) -> EnrichmentStatus:
    if stored.get("parked_at") is not None:
        return EnrichmentStatus.PARKED
    return EnrichmentStatus.PENDING if stored.get("enrich_due_at") is not None else EnrichmentStatus.DONE


def change_properties(change: Change) -> dict[str, Any]:
    """An audit row as stored: before and after as JSON, so that any value fits."""
    return {
        "id": change.id,
        "target_id": change.target_id,
        "at": change.at,
        "action": change.action.value,
        "field": change.field,
        "before": None if change.before is None else json.dumps(change.before, ensure_ascii=False),
        "after": None if change.after is None else json.dumps(change.after, ensure_ascii=False),
        "delta": change.delta,
        "arousal": change.arousal,
        "reason": change.reason,
        "actor": change.actor,
    }


def change_from(stored: Properties) -> Change:
    """The audit row of a node's properties."""
    return Change(
        id=stored["id"],
        target_id=stored["target_id"],
        at=instant(stored["at"]),
        action=Action(stored["action"]),
        field=stored.get("field"),
        before=json.loads(stored["before"]) if stored.get("before") else None,
        after=json.loads(stored["after"]) if stored.get("after") else None,
        delta=stored.get("delta"),
        arousal=stored.get("arousal"),
        reason=stored.get("reason"),
        actor=stored.get("actor", "user"),
    )


def link_from(stored: Properties) -> Link:
    """The link of a relationship's properties."""
    return Link(
        type=LinkType(stored["type"]),
        source=NodeId(stored["source_id"]),
        target=NodeId(stored["target_id"]),
        weight=stored.get("weight", 1.0),
        confidence=stored.get("confidence"),
        uses=stored.get("uses", 0),
        reason=stored.get("reason"),
        origin=stored.get("source", "rule"),
        discovered=stored.get("discovered") or False,
        created_at=instant(stored["created_at"]),
    )


def named_node_from(kind: str, stored: Properties) -> NamedNode:
    """The person or entity of a node's properties."""
    return NamedNode(
        id=NodeId(stored["id"]),
        kind=NameKind(kind),
        name=stored["name"],
        aliases=tuple(alias for alias in stored.get("aliases") or () if alias != stored["name"]),
        created_at=instant(stored["created_at"]),
        last_mentioned_at=maybe_instant(stored.get("last_mentioned_at")),
    )


def values(members: Sequence[Any] | None) -> list[Any] | None:
    """A filter as a query takes it: the stored words, or None for all."""
    return None if members is None else [getattr(member, "value", member) for member in members]


def receipt_properties(receipt: Receipt) -> dict[str, Any]:
    """A receipt as stored."""
    return {
        "id": receipt.id,
        "at": receipt.at,
        "expires_at": receipt.expires_at,
        "hit_ids": list(receipt.hit_ids),
        "scores": list(receipt.scores),
        "link_ids": list(receipt.link_ids),
        "applied": receipt.applied,
    }


def receipt_from(stored: Properties) -> Receipt:
    """The receipt of its node's properties."""
    return Receipt(
        id=stored["id"],
        user_id=UserId(stored["user_id"]),
        at=instant(stored["at"]),
        expires_at=instant(stored["expires_at"]),
        hit_ids=tuple(MemoryId(each) for each in stored["hit_ids"]),
        scores=tuple(stored["scores"]),
        link_ids=tuple(stored.get("link_ids") or ()),
        applied=stored["applied"],
    )


def verdicts_from(receipt_id: str, row: Properties) -> tuple[Verdict, Verdict]:
    """What is said of an answer for the first time, and what was said of it before."""
    fresh, before = (
        Verdict(
            receipt_id=receipt_id,
            used=tuple(MemoryId(each) for each in row[f"used{when}"]),
            misleading=tuple(MemoryId(each) for each in row[f"misleading{when}"]),
        )
        for when in ("", "_before")
    )
    return fresh, before


def link_properties(link: Link, *, used_at: datetime | None) -> dict[str, Any]:
    """What use may change of a link, with the ends that name it."""
    used = {} if used_at is None else {"last_used_at": used_at}
    ends = {"type": link.type.value, "source_id": link.source, "target_id": link.target}
    return {**ends, "properties": {"weight": link.weight, "uses": link.uses, **used}}

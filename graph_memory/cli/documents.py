"""Values as JSON documents: names as in Python, words as the graph stores them, dates in ISO 8601, open ends null."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast

from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.drift import PrioritySnapshot
from graph_memory.domain.episode import Episode
from graph_memory.domain.link import Link
from graph_memory.domain.memory import Json, Memory
from graph_memory.domain.model_usage import UsageReport
from graph_memory.domain.notice import Notice
from graph_memory.domain.relationship import (
    Relationship,
    RelationshipRules,
    band,
    by_confidence,
    by_count,
    peak_hours,
    trust,
)
from graph_memory.domain.sleep import Count, Run
from graph_memory.ports import Contradiction, Hit, NamedNode
from graph_memory.services.ledger import Chain, Decided
from graph_memory.services.reasons import reason
from graph_memory.services.recall import Answer
from graph_memory.services.remember import Remembered
from graph_memory.settings import Settings


def plain(value: object) -> Json:
    """Any value of ours as JSON."""
    match value:
        case datetime():
            return None if value >= FAR_FUTURE else value.isoformat()
        case date():
            return value.isoformat()
        case str():
            return str(value)
        case None | bool() | int() | float():
            return value
        case Path():
            return str(value)
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case Sequence() | frozenset():
            return [plain(each) for each in value]
    if is_dataclass(value):
        return _fields(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def memory_document(memory: Memory, settings: Settings, at: datetime) -> dict[str, Json]:
    """A memory, with its strength and state at an instant."""
    curve = settings.strength_curve()
    stored = {
        name: plain(getattr(memory, name))
        for name in (
            "id", "text", "kind", "epistemic_type", "category", "horizon", "bucket", "lane", "general", "source",
            "confirmed", "confidence", "pinned", "speaker", "session_id", "agent_id", "external_id", "tags",
            "metadata", "occurred_at", "enrichment", "access_count", "last_accessed_at", "visible_until", "named_dates",
        )
    }  # fmt: skip
    return {
        **stored,
        "people": list(memory.given_people),
        "entities": list(memory.given_entities),
        "valid_at": plain(memory.interval.valid_at),
        "invalid_at": plain(memory.interval.invalid_at),
        "created_at": plain(memory.interval.created_at),
        "expired_at": plain(memory.interval.expired_at),
        "superseded_at": plain(memory.superseded_at),
        "current": memory.is_current(at),
        "strength": curve.strength(memory.strength, at),
        "retention": curve.retention(memory.strength, at),
        "state": memory.states.state(at).value,
        "decision": _decision(memory, at),
    }


def hit_document(rank: int, hit: Hit, settings: Settings, at: datetime) -> dict[str, Json]:
    """A hit, with what put it there."""
    return {
        "rank": rank,
        "score": hit.score,
        "match": hit.match,
        "memory": memory_document(hit.memory, settings, at),
        "why": {
            "cosine": hit.cosine,
            "ranks": plain(hit.ranks),
            "parts": [{**_fields(part), "contribution": part.contribution} for part in hit.parts],
            "path": plain(hit.path),
            "text": reason(hit),
        },
    }


def answer_document(query: str, answer: Answer, settings: Settings, at: datetime) -> dict[str, Json]:
    """An answer with its hits, best first."""

    def documents(hits: Sequence[Hit]) -> list[Json]:
        return [hit_document(rank, hit, settings, at) for rank, hit in enumerate(hits, 1)]

    return {
        "query": query,
        "receipt_id": answer.receipt_id,
        "intent": answer.intent.value,
        "mode": answer.mode.value,
        "k": answer.k,
        "complexity": answer.complexity,
        "depth": answer.depth.value,
        "hits": documents(answer.hits),
        "overlay": documents(answer.overlay),
        "context": answer.context,
        "tokens": answer.tokens,
    }


def remembered_document(remembered: Remembered, settings: Settings, at: datetime) -> dict[str, Json]:
    """What became of a draft."""
    memory = remembered.memory
    return {
        "operation": remembered.operation.value,
        "replayed": remembered.replayed,
        "vetoed": remembered.vetoed,
        "memory": memory_document(memory, settings, at) if memory else None,
        "superseded": [memory_document(each, settings, at) for each in remembered.superseded],
    }


def decided_document(decided: Decided, settings: Settings, at: datetime) -> dict[str, Json]:
    """A decision that was entered."""
    return {
        "memory": memory_document(decided.memory, settings, at),
        "earlier": [memory_document(each, settings, at) for each in decided.earlier],
        "superseded": [memory_document(each, settings, at) for each in decided.superseded],
    }


def chain_document(chain: Chain, settings: Settings, at: datetime) -> dict[str, Json]:
    """A chain, the oldest step first."""
    steps = [
        {
            "memory": memory_document(step.memory, settings, at),
            "position": step.position,
            "current": step.current,
            "superseded_at": plain(step.superseded_at),
            "reason": step.reason,
        }
        for step in chain.steps
    ]
    return {"domain": chain.domain, "topic_key": chain.topic_key, "steps": list(steps)}


def contradiction_document(contradiction: Contradiction, settings: Settings, at: datetime) -> dict[str, Json]:
    """Two memories that exclude each other."""
    return {
        "older": memory_document(contradiction.older, settings, at),
        "newer": memory_document(contradiction.newer, settings, at),
        "kind": contradiction.kind.value,
        "settled": contradiction.settled,
        "at": plain(contradiction.at),
        "reason": contradiction.reason,
    }


def run_document(run: Run) -> dict[str, Json]:
    """A run of sleep."""
    return {
        "id": run.id,
        "beat": run.beat.value,
        "status": run.status.value,
        "progress": run.progress,
        "dry_run": run.dry_run,
        "at": plain(run.at),
        "started_at": plain(run.started_at),
        "finished_at": plain(run.finished_at),
        **{count.value: run.report.counts.get(count, 0) for count in Count},
        "plan": [each.document() for each in run.report.plan],
        "notes": list(run.report.notes),
        "statistics": plain(run.report.statistics),
        "estimate": plain(UsageReport.of(run.report.estimate)) if run.report.estimate else None,
    }


def snapshot_document(snapshot: PrioritySnapshot) -> dict[str, Json]:
    """What mattered to a user at a time."""
    return {
        "id": snapshot.id,
        "at": plain(snapshot.at),
        "weights": plain(snapshot.weights),
        "similarity": snapshot.similarity,
        "drift": snapshot.drift.value,
        "too_early": snapshot.too_early,
        "decision_ids": list(snapshot.decision_ids),
    }


def notice_document(notice: Notice, settings: Settings, at: datetime) -> dict[str, Json]:
    """What a user should hear of."""
    return {
        "kind": notice.kind.value,
        "text": notice.text,
        "at": plain(notice.at),
        "memories": [memory_document(each, settings, at) for each in notice.memories],
    }


def episode_document(episode: Episode) -> dict[str, Json]:
    """An episode, without its turns."""
    digest = episode.digest
    return {
        "id": episode.id,
        "started_at": plain(episode.started_at),
        "ended_at": plain(episode.ended_at),
        "duration_seconds": episode.duration_seconds,
        "summary": digest.summary if digest else None,
        "topics": plain(digest.topics) if digest else [],
        "emotional_tone": digest.tone.value if digest else None,
        "key_decisions": plain(digest.key_decisions) if digest else [],
        "importance": digest.importance if digest else None,
        "turn_count": episode.turn_count,
    }


def relationship_document(relationship: Relationship, rules: RelationshipRules) -> dict[str, Json]:
    """How user and agent stand; lists begin with what comes up most."""
    trusted = trust(relationship.sessions, relationship.streak_days, rules)
    part = peak_hours(relationship, rules)
    return {
        "trust": trusted,
        "band": band(trusted, rules).value,
        "sessions": relationship.sessions,
        "streak_days": relationship.streak_days,
        "longest_streak_days": relationship.longest_streak_days,
        "minutes": relationship.minutes,
        "first_at": plain(relationship.first_at),
        "last_at": plain(relationship.last_at),
        "topics": plain(by_count(relationship.topics)),
        "inside_jokes": list(reversed(relationship.inside_jokes)),
        "shared_references": plain(by_count(relationship.shared_references)),
        "communication_notes": plain(by_confidence(relationship)),
        "peak_hours": part.value if part else None,
        "mood": relationship.mood,
    }


def node_document(node: NamedNode) -> dict[str, Json]:
    """A person or an entity."""
    return {"id": node.id, "kind": node.kind.value, "name": node.name, "aliases": list(node.aliases)}


def link_document(link: Link) -> dict[str, Json]:
    """A link."""
    return {
        "id": link.id,
        "type": link.type.value,
        "family": link.family.value,
        "source": link.source,
        "target": link.target,
        "weight": link.weight,
        "reason": link.reason,
        "origin": link.origin,
        "created_at": plain(link.created_at),
    }


def _decision(memory: Memory, at: datetime) -> Json:
    if memory.decision is None:
        return None
    return {**_fields(memory.decision), "status": plain(memory.decision_status(at))}


def _fields(value: object) -> dict[str, Json]:
    return {each.name: plain(getattr(value, each.name)) for each in fields(cast(Any, value))}

"""Between episodes, turns and the relationship as Neo4j stores them and our values."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from graph_memory.domain.asked import EpisodeDigest, RelationshipSigns, Tone
from graph_memory.domain.episode import Episode, Role, Turn
from graph_memory.domain.index_terms import index_terms
from graph_memory.domain.relationship import Counted, EpisodeShare, Note, Relationship
from graph_memory.domain.vocabulary import NodeId, UserId
from graph_memory.stores.full_text import owner_scope
from graph_memory.stores.rows import instant, maybe_instant

Properties = Mapping[str, Any]


def episode_from(stored: Properties) -> Episode:
    """An episode from its properties."""
    return Episode(
        id=NodeId(stored["id"]),
        started_at=instant(stored["started_at"]),
        ended_at=instant(stored["ended_at"]),
        last_turn_at=maybe_instant(stored.get("last_turn_at")),
        turn_count=stored["turn_count"],
        due_at=maybe_instant(stored.get("due_at")),
        digest=_digest_from(stored),
        signs=_signs_from(stored) if stored.get("analysed") else None,
    )


def progress_properties(episode: Episode) -> dict[str, Any]:
    """What turns and the end change of an episode."""
    return {
        "ended_at": episode.ended_at,
        "last_turn_at": episode.last_turn_at,
        "turn_count": episode.turn_count,
        "due_at": episode.due_at,
    }


def new_episode_properties(user_id: UserId, episode: Episode) -> dict[str, Any]:
    """Every property of a new episode but its id and owner."""
    return {
        "started_at": episode.started_at,
        "search_scope": owner_scope(user_id),
        "topics": [],
        "key_decisions": [],
        **progress_properties(episode),
    }


def digest_properties(digest: EpisodeDigest | None) -> dict[str, Any]:
    """What an episode was about, and what it is found by; None takes all of it away."""
    if digest is None:
        gone = ("summary", "emotional_tone", "importance", "search_text", "script_terms")
        return {**dict.fromkeys(gone), "topics": [], "key_decisions": []}
    told = "\n".join((digest.summary, *digest.topics, *digest.key_decisions))
    return {
        "summary": digest.summary,
        "topics": list(digest.topics),
        "emotional_tone": digest.tone.value,
        "key_decisions": list(digest.key_decisions),
        "importance": digest.importance,
        "search_text": told,
        "script_terms": " ".join(index_terms(told)) or None,
    }


def signs_properties(signs: RelationshipSigns | None) -> dict[str, Any]:
    """What an episode showed of the relationship; None: it was not looked at."""
    shown = signs or RelationshipSigns()
    return {
        "analysed": signs is not None,
        "inside_jokes": list(shown.new_inside_jokes),
        "shared_references": list(shown.shared_references),
        "note_traits": list(shown.communication_notes),
        "note_values": list(shown.communication_notes.values()),
        "mood": shown.mood,
    }


def turn_from(stored: Properties) -> Turn:
    """A turn from its properties."""
    return Turn(
        id=NodeId(stored["id"]),
        episode_id=NodeId(stored["episode_id"]),
        role=Role(stored["role"]),
        text=stored["text"],
        occurred_at=instant(stored["occurred_at"]),
        speaker=stored.get("speaker"),
        idempotency_key=stored.get("idempotency_key"),
    )


def turn_properties(user_id: UserId, turn: Turn, *, at: datetime) -> dict[str, Any]:
    """Every property of a new turn but its owner and episode; what the user says is to be remembered and drawn from."""
    return {
        "id": turn.id,
        "role": turn.role.value,
        "text": turn.text,
        "speaker": turn.speaker,
        "occurred_at": turn.occurred_at,
        "idempotency_key": turn.idempotency_key,
        "memory_due_at": at if turn.role is Role.USER else None,
        "extract_due_at": at if turn.role is Role.USER else None,
        "search_scope": owner_scope(user_id),
        "script_terms": " ".join(index_terms(turn.text)) or None,
    }


def share_from(stored: Properties) -> EpisodeShare:
    """What an episode gives to the relationship."""
    started_at = instant(stored["started_at"])
    return EpisodeShare(
        started_at=started_at,
        seconds=max(0.0, (instant(stored["ended_at"]) - started_at).total_seconds()),
        topics=tuple(stored.get("topics") or ()),
        summary=stored["summary"],
        signs=_signs_from(stored),
    )


def share_of(episode: Episode) -> EpisodeShare:
    """The same of an episode that was just summed up."""
    assert episode.digest is not None
    return EpisodeShare(
        started_at=episode.started_at,
        seconds=episode.duration_seconds or 0.0,
        topics=episode.digest.topics,
        summary=episode.digest.summary,
        signs=episode.signs or RelationshipSigns(),
    )


def relationship_properties(relationship: Relationship, *, zone: str) -> dict[str, Any]:
    """Every property of the relationship's node but its owner."""
    topics, references, notes = (
        relationship.topics,
        relationship.shared_references,
        relationship.communication_notes,
    )
    return {
        "time_zone": zone,
        "sessions": relationship.sessions,
        "minutes": relationship.minutes,
        "first_at": relationship.first_at,
        "last_at": relationship.last_at,
        "latest_start_at": relationship.latest_start_at,
        "last_day": relationship.last_day.isoformat() if relationship.last_day else None,
        "streak_days": relationship.streak_days,
        "longest_streak_days": relationship.longest_streak_days,
        "start_hours": list(relationship.start_hours),
        "topics": [each.text for each in topics],
        "topic_counts": [each.count for each in topics],
        "inside_jokes": list(relationship.inside_jokes),
        "shared_references": [each.text for each in references],
        "reference_counts": [each.count for each in references],
        "reference_contexts": [each.context for each in references],
        "note_traits": [each.trait for each in notes],
        "note_values": [each.value for each in notes],
        "note_confidences": [each.confidence for each in notes],
        "mood": relationship.mood,
    }


def relationship_from(stored: Properties) -> Relationship:
    """The relationship from its properties."""
    topics = zip(stored["topics"], stored["topic_counts"], strict=True)
    references = zip(stored["shared_references"], stored["reference_counts"], stored["reference_contexts"], strict=True)
    notes = zip(stored["note_traits"], stored["note_values"], stored["note_confidences"], strict=True)
    return Relationship(
        sessions=stored["sessions"],
        minutes=stored["minutes"],
        first_at=maybe_instant(stored.get("first_at")),
        last_at=maybe_instant(stored.get("last_at")),
        latest_start_at=maybe_instant(stored.get("latest_start_at")),
        last_day=date.fromisoformat(stored["last_day"]) if stored.get("last_day") else None,
        streak_days=stored["streak_days"],
        longest_streak_days=stored["longest_streak_days"],
        start_hours=tuple(stored["start_hours"]),
        topics=tuple(Counted(text=text, count=count) for text, count in topics),
        inside_jokes=tuple(stored["inside_jokes"]),
        shared_references=tuple(
            Counted(text=text, count=count, context=context) for text, count, context in references
        ),
        communication_notes=tuple(
            Note(trait=trait, value=value, confidence=confidence) for trait, value, confidence in notes
        ),
        mood=stored.get("mood"),
    )


def _digest_from(stored: Properties) -> EpisodeDigest | None:
    if stored.get("summary") is None:
        return None
    return EpisodeDigest(
        summary=stored["summary"],
        topics=_texts(stored, "topics"),
        tone=Tone(stored["emotional_tone"]),
        key_decisions=_texts(stored, "key_decisions"),
        importance=stored["importance"],
    )


def _signs_from(stored: Properties) -> RelationshipSigns:
    traits, values = _texts(stored, "note_traits"), _texts(stored, "note_values")
    return RelationshipSigns(
        new_inside_jokes=_texts(stored, "inside_jokes"),
        shared_references=_texts(stored, "shared_references"),
        communication_notes=dict(zip(traits, values, strict=True)),
        mood=stored.get("mood"),
    )


def _texts(stored: Properties, name: str) -> tuple[str, ...]:
    listed: Sequence[str] = stored.get(name) or ()
    return tuple(listed)

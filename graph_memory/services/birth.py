"""From a checked draft to a memory with its first stored facts (constants.md 2.1, "one transaction writes")."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.change import Action, Change
from graph_memory.domain.dates import date_words
from graph_memory.domain.decay import StrengthFacts
from graph_memory.domain.draft import CheckedDraft
from graph_memory.domain.identity import content_hash, text_hash
from graph_memory.domain.memory import Emotion, Interval, Memory
from graph_memory.domain.text import script_terms, words
from graph_memory.domain.vocabulary import MemoryId, State, UserId
from graph_memory.ports import Floats, Ids, NewMemory, UserSettings
from graph_memory.settings import Settings


def search_text(text: str, *, speaker: str | None, people: Sequence[str], occurred_at: datetime, zone: tzinfo) -> str:
    """What full text finds a memory by: "Ana (8 May 2023): text", so that names and dates are words (ranking.md)."""
    named = ", ".join(name for name in (speaker, *people) if name)
    return f"{named} ({date_words(occurred_at, zone=zone)}): {text}".lstrip()


def newborn(
    draft: CheckedDraft,
    *,
    user_id: UserId,
    embedding: Floats,
    now: datetime,
    zone: tzinfo,
    user: UserSettings,
    ids: Ids,
    settings: Settings,
) -> NewMemory:
    """The memory that a draft becomes at `now`."""
    memory = _memory(draft, user_id=user_id, now=now, ids=ids, settings=settings)
    terms = script_terms(draft.text)
    return NewMemory(
        memory=memory,
        text_hash=text_hash(user_id, draft.text),
        idempotency_key=draft.idempotency_key,
        search_text=search_text(
            draft.text, speaker=draft.speaker, people=draft.people, occurred_at=memory.occurred_at, zone=zone
        ),
        script_terms=" ".join(terms) or None,
        is_question=draft.text.rstrip().endswith(("?", "？", "؟")),
        word_count=len(words(draft.text)),
        embedding=embedding,
        time_zone=user.time_zone,
        tier_profile=user.tier_profile,
        change=Change(id=ids.new(), target_id=memory.id, at=now, action=Action.ADD, reason=draft.source.value),
    )


def _memory(draft: CheckedDraft, *, user_id: UserId, now: datetime, ids: Ids, settings: Settings) -> Memory:
    strength = StrengthFacts(
        base_strength=settings.salience.initial_strength[draft.kind], anchor_at=now, pinned=draft.pinned
    )
    activation = ActivationFacts(stamps=(now,), decay=settings.decay.activation_decay)
    valid_at = draft.valid_at or draft.occurred_at or now
    return Memory(
        id=MemoryId(ids.new()),
        user_id=user_id,
        text=draft.text,
        kind=draft.kind,
        epistemic_type=draft.epistemic_type,
        category=draft.category,
        horizon=draft.horizon,
        bucket=draft.bucket,
        lane=draft.lane,
        general=draft.general,
        source=draft.source,
        confirmed=draft.confirmed,
        confidence=draft.confidence,
        strength=strength,
        activation=activation,
        state=State.CORE,
        states=settings.activation_curve().state_dates(activation, pinned=draft.pinned),
        visible_until=settings.strength_curve().visible_until(strength),
        access_count=0,
        first_access_at=None,
        last_accessed_at=None,
        touched_at=now,
        emotion=Emotion(),
        occurred_at=draft.occurred_at or valid_at,
        interval=Interval(valid_at=valid_at, created_at=now, invalid_at=draft.invalid_at),
        speaker=draft.speaker,
        session_id=draft.session_id,
        agent_id=draft.agent_id,
        external_id=draft.external_id,
        tags=draft.tags,
        metadata=draft.metadata,
        content_hash=content_hash(
            user_id,
            bucket=draft.bucket,
            lane=draft.lane,
            kind=draft.kind,
            text=draft.text,
            speaker=draft.speaker,
            occurred_at=draft.occurred_at,
        ),
        given_people=draft.people,
        given_entities=draft.entities,
    )

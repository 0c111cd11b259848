"""From a checked draft to a memory with its first stored facts (constants.md 2.1, "one transaction writes")."""

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.change import Action, Change
from graph_memory.domain.dates import date_words
from graph_memory.domain.decay import FAR_FUTURE, StrengthFacts
from graph_memory.domain.draft import CheckedDraft
from graph_memory.domain.identity import name_key, text_hash
from graph_memory.domain.index_terms import index_terms
from graph_memory.domain.memory import Emotion, Interval, Memory, NamedDate
from graph_memory.domain.names import capitalised_names, heading_of
from graph_memory.domain.relative_dates import date_mentions
from graph_memory.domain.sameness import hash_after, hash_of
from graph_memory.domain.text import words
from graph_memory.domain.vocabulary import MemoryId, State, UserId
from graph_memory.ports import Floats, Ids, NewMemory, Rewritten, Succession, UserSettings
from graph_memory.services.encode import Encoded
from graph_memory.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """What a memory's text gives beside itself, for the indexes."""

    text_hash: str
    search_text: str
    index_terms: str | None
    is_question: bool
    word_count: int
    name_count: int  # names that capital letters show
    heading_key: str | None  # the folded heading that the text begins with


def indexed(memory: Memory, *, zone: tzinfo) -> Indexed:
    """What a memory is found by. Full text sees names and the date as words (ranking.md): "Ana (8 May 2023): text"."""
    named = ", ".join(name for name in (memory.speaker, *memory.given_people) if name)
    lines = [f"{named} ({date_words(memory.occurred_at, zone=zone)}): {memory.text}".lstrip()]
    if memory.decision is not None:
        lines += [part for part in (memory.decision.reasoning, memory.decision.topic_key) if part]
    heading = heading_of(memory.text)
    terms = index_terms("\n".join((memory.text, *lines[1:])))
    return Indexed(
        text_hash=text_hash(memory.user_id, memory.text),
        search_text="\n".join(lines),
        index_terms=" ".join(terms) or None,
        is_question=memory.text.rstrip().endswith(("?", "？", "؟")),
        word_count=len(words(memory.text)),
        name_count=len({mention.key for mention in capitalised_names(memory.text)}),
        heading_key=name_key(heading) if heading else None,
    )


def newborn(
    draft: CheckedDraft,
    *,
    user_id: UserId,
    encoded: Encoded,
    now: datetime,
    zone: tzinfo,
    user: UserSettings,
    ids: Ids,
    settings: Settings,
) -> NewMemory:
    """The memory that a draft becomes at `now`."""
    memory = _memory(draft, user_id=user_id, now=now, ids=ids, settings=settings)
    memory = with_named_dates(settings.reinforcement().tagged(memory, encoded.emotion), zone=zone)
    return as_new(
        memory,
        idempotency_key=draft.idempotency_key,
        embedding=encoded.vector,
        zone=zone,
        user=user,
        change=Change(id=ids.new(), target_id=memory.id, at=now, action=Action.ADD, reason=draft.source.value),
    )


def with_named_dates(memory: Memory, *, zone: tzinfo) -> Memory:
    """The memory with the days that its text names, reckoned from the moment it was told."""
    mentions = date_mentions(memory.text, memory.told_at, zone=zone)
    named = tuple(NamedDate(each.text, each.first_day, each.last_day) for each in mentions)
    return memory if named == memory.named_dates else replace(memory, named_dates=named)


def as_new(
    memory: Memory,
    *,
    idempotency_key: str | None,
    embedding: Floats,
    zone: tzinfo,
    user: UserSettings,
    change: Change,
    successions: tuple[Succession, ...] = (),
) -> NewMemory:
    """A memory about to be written, with all that is stored beside it."""
    found = indexed(memory, zone=zone)
    return NewMemory(
        memory=memory,
        text_hash=found.text_hash,
        idempotency_key=idempotency_key,
        search_text=found.search_text,
        index_terms=found.index_terms,
        is_question=found.is_question,
        word_count=found.word_count,
        name_count=found.name_count,
        heading_key=found.heading_key,
        embedding=embedding,
        time_zone=user.time_zone,
        tier_profile=user.tier_profile,
        change=change,
        successions=successions,
    )


def stored_anew(
    before: Memory,
    after: Memory,
    *,
    embedding: Floats,
    zone: tzinfo,
    version_id: str,
    reason: str | None,
    changes: tuple[Change, ...],
) -> Rewritten:
    """A memory as it shall be, its emotion and named days told, with what it is found by from now on."""
    found = indexed(after, zone=zone)
    return Rewritten(
        memory=replace(after, content_hash=hash_after(before, after)),
        embedding=embedding,
        text_hash=found.text_hash,
        search_text=found.search_text,
        index_terms=found.index_terms,
        is_question=found.is_question,
        word_count=found.word_count,
        name_count=found.name_count,
        heading_key=found.heading_key,
        version_id=version_id,
        reason=reason,
        changes=changes,
    )


def _memory(draft: CheckedDraft, *, user_id: UserId, now: datetime, ids: Ids, settings: Settings) -> Memory:
    strength = StrengthFacts(
        base_strength=settings.salience.initial_strength[draft.kind], anchor_at=now, pinned=draft.pinned
    )
    activation = ActivationFacts(stamps=(now,), decay=settings.decay.activation_decay)
    valid_at = draft.valid_at or draft.occurred_at or now
    memory = Memory(
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
        interval=Interval(
            valid_at=valid_at,
            created_at=now,
            invalid_at=draft.invalid_at,
            invalidated_at=now if draft.invalid_at < FAR_FUTURE else FAR_FUTURE,  # an end that is given is known
        ),
        dates_told_at="created_at" if draft.occurred_at is None else "occurred_at",
        speaker=draft.speaker,
        session_id=draft.session_id,
        agent_id=draft.agent_id,
        external_id=draft.external_id,
        tags=draft.tags,
        metadata=draft.metadata,
        given_people=draft.people,
        given_entities=draft.entities,
    )
    return replace(memory, content_hash=hash_of(memory, occurred_at=draft.occurred_at))

"""Drawn: memories that sleep makes from others, as they are born and as they are reworded.

By rules the member nearest the centroid lends its text, and with it its vector, its emotion and the days that it names.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

import numpy as np

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.asked import Statement
from graph_memory.domain.change import Action, Change, text_change
from graph_memory.domain.clustering import cosines_to_centroid
from graph_memory.domain.decay import StrengthFacts
from graph_memory.domain.distillation import summary_text
from graph_memory.domain.identity import name_key, text_hash
from graph_memory.domain.memory import Emotion, Interval, Memory, NamedDate
from graph_memory.domain.sameness import hash_of
from graph_memory.domain.vocabulary import (
    GENERAL_BUCKET,
    Category,
    EpistemicType,
    Horizon,
    Kind,
    Lane,
    MemoryId,
    Source,
    State,
    UserId,
)
from graph_memory.ports import Drawable, Floats, Ids, NewMemory, Remnants, Rewritten, Share, UserSettings
from graph_memory.services.birth import as_new, stored_anew, with_named_dates
from graph_memory.settings import Settings


@dataclass(frozen=True, slots=True)
class Ranked:
    """The members of a cluster, the one nearest the centroid first, each with its cosine to it."""

    members: tuple[Drawable, ...]
    cosines: tuple[float, ...]

    def statements(self) -> list[Statement]:
        """The members as a language model is given them."""
        return [Statement(each.memory.id, each.memory.text) for each in self.members]

    def shares(self) -> list[Share]:
        """The members as a write checks them."""
        return [
            Share(each.memory.id, each.memory.content_hash, cosine)
            for each, cosine in zip(self.members, self.cosines, strict=True)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A text drawn from members, with what goes with it."""

    text: str
    vector: Floats
    emotion: Emotion
    told_by: Drawable | None  # whose text it is; None: a model's
    origin: str = "rule"  # or model

    @property
    def named_dates(self) -> tuple[NamedDate, ...]:
        return self.told_by.memory.named_dates if self.told_by else ()


def ranked(members: Sequence[Drawable]) -> Ranked:
    """The members by their nearness to the centroid; equally near ones by age."""
    rows = np.stack([each.vector for each in members]).astype(np.float64)
    cosines = cosines_to_centroid(rows)
    places = sorted(range(len(members)), key=lambda place: (-round(float(cosines[place]), 9), members[place].memory.id))
    return Ranked(tuple(members[place] for place in places), tuple(float(cosines[place]) for place in places))


def lent_by(member: Drawable, *, most: int) -> Wording:
    """The wording that a member lends."""
    text = summary_text(member.memory.text, most=most)
    return Wording(text=text, vector=member.vector, emotion=member.memory.emotion, told_by=member)


def drawn_memory(
    kind: Kind,
    wording: Wording,
    members: Sequence[Memory],
    *,
    category: Category,
    base_strength: float,
    confidence: float,
    bucket: str,
    user: UserSettings,
    zone: tzinfo,
    reason: str,
    at: datetime,
    ids: Ids,
    settings: Settings,
) -> NewMemory:
    """The memory that members give at `at`: an observation made by inference, true since the earliest of them."""
    strength = StrengthFacts(base_strength=base_strength, anchor_at=at)
    activation = ActivationFacts(stamps=(at,), decay=settings.decay.activation_decay)
    valid_at = min(each.interval.valid_at for each in members)
    told_at = wording.told_by.memory.told_at if wording.told_by else valid_at
    memory = Memory(
        id=MemoryId(ids.new()),
        user_id=members[0].user_id,
        text=wording.text,
        kind=kind,
        epistemic_type=EpistemicType.OBSERVATION,
        category=category,
        horizon=Horizon.LONG,
        bucket=bucket,
        lane=Lane.FACTS_PREFS,
        general=bucket == GENERAL_BUCKET,
        source=Source.CONSOLIDATED,
        confirmed=False,
        confidence=confidence,
        strength=strength,
        activation=activation,
        state=State.CORE,
        states=settings.activation_curve().state_dates(activation, pinned=False),
        visible_until=settings.strength_curve().visible_until(strength),
        access_count=0,
        first_access_at=None,
        last_accessed_at=None,
        touched_at=at,
        emotion=Emotion(),
        occurred_at=told_at,
        interval=Interval(valid_at=valid_at, created_at=at),
        dates_told_at="occurred_at",
        speaker=_shared_speaker(members),
        given_people=_shared([each.given_people for each in members]),
        given_entities=_shared([each.given_entities for each in members]),
    )
    memory = _worded(settings.reinforcement().tagged(memory, wording.emotion), wording, zone=zone)
    return as_new(
        replace(memory, content_hash=hash_of(memory)),
        idempotency_key=None,
        embedding=wording.vector,
        zone=zone,
        user=user,
        change=Change(id=ids.new(), target_id=memory.id, at=at, action=Action.ADD, reason=reason, actor="system"),
    )


def reworded(
    before: Memory,
    wording: Wording,
    members: Sequence[Memory],
    *,
    action: Action,
    reason: str,
    zone: tzinfo,
    at: datetime,
    ids: Ids,
    settings: Settings,
) -> Rewritten:
    """A drawn memory with another wording, drawn from these members."""
    valid_at = min(each.interval.valid_at for each in members)
    told_at = wording.told_by.memory.told_at if wording.told_by else valid_at
    told = replace(before, text=wording.text, occurred_at=told_at, interval=replace(before.interval, valid_at=valid_at))
    after = _worded(settings.reinforcement().tagged(told, wording.emotion), wording, zone=zone)
    change = text_change(ids.new(), before, after, action, at, reason=reason, actor="system")
    return stored_anew(
        before, after, embedding=wording.vector, zone=zone, version_id=ids.new(), reason=reason, changes=(change,)
    )


def remnants(user_id: UserId, *, zone: tzinfo, at: datetime, ids: Ids, settings: Settings) -> Remnants:
    """What becomes of drawn memories one source of which is erased (operations.md, erase)."""

    def rewritten(before: Memory, rest: Sequence[Drawable]) -> list[Rewritten]:
        believed = [each for each in rest if each.memory.is_current(at)] or list(rest)
        return [
            reworded(
                before,
                lent_by(member, most=settings.sleep.summary_characters),
                [each.memory for each in believed],
                action=Action.EDIT,
                reason="a source was erased",
                zone=zone,
                at=at,
                ids=ids,
                settings=settings,
            )
            for member in ranked(believed).members
        ]

    def erased(memory: Memory) -> tuple[str, Change]:
        change = Change(
            id=ids.new(), target_id=memory.id, at=at, action=Action.ERASE, reason="no source is left", actor="system"
        )
        return text_hash(user_id, memory.text), change

    return Remnants(rewritten=rewritten, erased=erased)


def _worded(memory: Memory, wording: Wording, *, zone: tzinfo) -> Memory:
    """The memory with the days that its text names: as the one who told it reckoned them, else reckoned anew."""
    if wording.told_by is None:
        return with_named_dates(memory, zone=zone)
    return replace(memory, named_dates=wording.named_dates)


def _shared_speaker(members: Sequence[Memory]) -> str | None:
    """Who speaks, where all members are of one voice."""
    speakers = {name_key(each.speaker or "") for each in members}
    return members[0].speaker if len(speakers) == 1 else None


def _shared(names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Names that every member was given, as the first of them spells them."""
    keys = set.intersection(*({name_key(name) for name in given} for given in names))
    return tuple(name for name in names[0] if name_key(name) in keys)

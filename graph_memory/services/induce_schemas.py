"""Induce schemas: patterns over statements are found, found again, and retired (constants.md 2.7, step 5).

A cluster of statements is a schema that is known where it has the same members, or lies where that one's members lie.
Whatever changes about a schema is one transaction, which looks again at its members and at how the schema stands.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

import numpy as np

from graph_memory.domain.asked import RULES, Question
from graph_memory.domain.change import Action, Change, belief_change
from graph_memory.domain.clustering import Rows, centroid, cluster_key
from graph_memory.domain.distillation import (
    Standing,
    first_standing,
    induced_again,
    is_supported,
    is_to_retire,
    missed,
    shared_category,
    summary_text,
)
from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.text import is_blank
from graph_memory.domain.vocabulary import GENERAL_BUCKET, Kind, MemoryId, Source, UserId
from graph_memory.errors import InferenceError
from graph_memory.ports import (
    CallEstimates,
    DistillationStore,
    Ending,
    Groupable,
    Ids,
    KnownSchema,
    LanguageModel,
    NewMemory,
    Pulse,
    Rewritten,
    Transformed,
    UserSettings,
)
from graph_memory.services.clusters import Clusters
from graph_memory.services.drawn import Ranked, Wording, drawn_memory, lent_by, ranked, reworded
from graph_memory.services.encode import Encode
from graph_memory.services.enrich import Enrich
from graph_memory.services.user_book import UserBook
from graph_memory.services.would_ask import would_ask
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings


@dataclass(frozen=True, slots=True)
class _Found:
    """A cluster of statements, and the schema that it is, if that is known."""

    key: str
    members: tuple[Groupable, ...]
    schema: KnownSchema | None

    @property
    def bucket(self) -> str:
        """That of the members if they share one, else general."""
        buckets = {each.bucket for each in self.members}
        return buckets.pop() if len(buckets) == 1 else GENERAL_BUCKET

    @property
    def needs_words(self) -> bool:
        """Whether it is new or has other members now; what a hand has edited is not ours to word."""
        if self.schema is None:
            return True
        return self.schema.memory.source is Source.CONSOLIDATED and self.schema.key != self.key


@dataclass(frozen=True, slots=True)
class _Sight:
    """What there is to do for a user."""

    due: tuple[tuple[_Found, Standing], ...]  # clusters whose schema is new, or stands otherwise now
    missing: tuple[KnownSchema, ...]  # known, and not found for the first time
    retiring: tuple[KnownSchema, ...]


class InduceSchemas:
    """Finds schemas, for one user (a SleepStep)."""

    name = "schemas"

    def __init__(
        self,
        *,
        store: DistillationStore,
        users: UserBook,
        clusters: Clusters,
        model: LanguageModel,
        estimates: CallEstimates,
        encode: Encode,
        enrich: Enrich,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._store, self._users, self._clusters = store, users, clusters
        self._model, self._encode, self._enrich = model, encode, enrich
        self._estimates, self._ids, self._all_settings, self._settings = estimates, ids, settings, settings.sleep
        self._rules = settings.sleep.schema_rules()

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        """Finds schemas, new and known, and retires others. Raises LeaseLostError, StoreError, InferenceError."""
        sight = await self._seen(user_id, at)
        if dry_run:
            return self._foreseen(sight).plus(await self._foreseen_questions(user_id, sight))
        user = await self._users.of(user_id)
        zone, notes, induced = zone_of(user.time_zone), Counter[str](), 0
        for done, (found, standing) in enumerate(sight.due):
            await pulse(_report(induced, notes), done=done, total=len(sight.due))
            if found.schema is None:
                induced += await self._add(user_id, found, standing, user, zone, notes, at)
            else:
                induced += await self._renew(user_id, found, found.schema, standing, zone, notes, at)
        for schema in sight.missing:
            await self._store.miss_schema(schema, at=at)
        for schema in sight.retiring:
            if await self._store.retire_schema(schema, self._retirement(schema, at), at=at):
                notes["schemas that were not found again retired"] += 1
        if induced:
            self._enrich.nudge()
        return _report(induced, notes)

    # What is there

    async def _seen(self, user_id: UserId, at: datetime) -> _Sight:
        facts = await self._store.facts(user_id, at=at, limit=self._settings.cluster_max)
        known = await self._store.schemas(user_id, at=at)
        clusters = await self._clusters(facts, self._settings.schema_clusters())
        found = matched(clusters, known, {each.id: each for each in facts}, same_cosine=self._rules.same_cosine)
        due = [(each, self._standing(each, at)) for each in found]
        again = {each.schema.memory.id for each in found if each.schema}
        lost = [each for each in known if each.memory.id not in again]
        return _Sight(
            due=tuple((each, now) for each, now in due if each.schema is None or now != each.schema.standing),
            missing=tuple(each for each in lost if missed(each.standing, at) != each.standing),
            retiring=tuple(each for each in lost if is_to_retire(each.standing, at, self._rules)),
        )

    def _standing(self, found: _Found, at: datetime) -> Standing:
        if found.schema is None:
            return first_standing(at, self._rules)
        same = found.schema.key == found.key
        return induced_again(found.schema.standing, at, same_members=same, rules=self._rules)

    def _foreseen(self, sight: _Sight) -> StepReport:
        """What a run would do now, by rules; nothing is written."""
        induced = [
            Planned(
                action="induce",
                memory_ids=tuple(each.id for each in found.members),
                text=found.schema.memory.text if found.schema else None,
                detail={"bucket": found.bucket, "confidence": standing.confidence, "status": standing.status.value},
            )
            for found, standing in sight.due
        ]
        retired = [
            Planned(action="retire", memory_ids=(each.memory.id,), text=each.memory.text) for each in sight.retiring
        ]
        return StepReport(counts={Count.SCHEMAS: len(induced)}, plan=(*induced, *retired))

    async def _foreseen_questions(self, user_id: UserId, sight: _Sight) -> StepReport:
        report = StepReport()
        for found, _ in sight.due:
            if found.needs_words and (cluster := await self._ranked(user_id, found)):
                report = report.plus(would_ask(self._estimates, Question.SCHEMA, cluster.statements()))
        return report

    # One schema

    async def _add(
        self,
        user_id: UserId,
        found: _Found,
        standing: Standing,
        user: UserSettings,
        zone: tzinfo,
        notes: Counter[str],
        at: datetime,
    ) -> bool:
        cluster = await self._ranked(user_id, found)
        if cluster is None:
            return False
        wording = await self._worded(user_id, cluster, notes)
        members = [each.memory for each in cluster.members]
        new: NewMemory = drawn_memory(
            Kind.SCHEMA,
            wording,
            members,
            category=shared_category([each.category for each in members]),
            base_strength=self._all_settings.salience.initial_strength[Kind.SCHEMA],
            confidence=standing.confidence,
            bucket=found.bucket,
            user=user,
            zone=zone,
            reason=f"induced from {len(members)}",
            at=at,
            ids=self._ids,
            settings=self._all_settings,
        )
        drawn, _ = await self._store.add_schema(
            found.key, cluster.shares(), new, standing, origin=wording.origin, at=at
        )
        return drawn is Ending.ADDED

    async def _renew(
        self,
        user_id: UserId,
        found: _Found,
        schema: KnownSchema,
        standing: Standing,
        zone: tzinfo,
        notes: Counter[str],
        at: datetime,
    ) -> bool:
        cluster = await self._ranked(user_id, found)
        if cluster is None:
            return False
        wording = await self._worded(user_id, cluster, notes) if found.needs_words else None

        def believed(before: Memory) -> Transformed:
            if before.confidence == standing.confidence:
                return Transformed(before, ())
            after = replace(before, confidence=standing.confidence)
            reason = f"found again in {len(found.members)}"
            change = belief_change(self._ids.new(), before, after, Action.CONFIRM, at, reason=reason, actor="system")
            return Transformed(after, (change,))

        return await self._store.renew_schema(
            found.key,
            cluster.shares(),
            schema,
            standing,
            rewrite=self._rewrite(schema.memory, wording, cluster, zone, at),
            believed=believed,
            origin=wording.origin if wording else "rule",
            at=at,
        )

    def _rewrite(
        self, schema: Memory, wording: Wording | None, cluster: Ranked, zone: tzinfo, at: datetime
    ) -> Callable[[Memory], Rewritten] | None:
        """What gives a schema its new text; None where it keeps the old one."""
        if wording is None or wording.text == schema.text:
            return None

        def rewrite(standing: Memory) -> Rewritten:
            return reworded(
                standing,
                wording,
                [each.memory for each in cluster.members],
                action=Action.EDIT,
                reason="its members changed",
                zone=zone,
                at=at,
                ids=self._ids,
                settings=self._all_settings,
            )

        return rewrite

    async def _ranked(self, user_id: UserId, found: _Found) -> Ranked | None:
        """The members as they are now; None where one is gone."""
        members = await self._store.fact_members(user_id, [each.id for each in found.members])
        return ranked(members) if len(members) == len(found.members) else None

    async def _worded(self, user_id: UserId, cluster: Ranked, notes: Counter[str]) -> Wording:
        """What a cluster shows, by the model or by rules; what the members do not bear out is dropped."""
        statements = cluster.statements()
        lent = lent_by(cluster.members[0], most=self._settings.summary_characters)
        try:
            answer = await self._model.schema(user_id, statements)
        except InferenceError as error:
            notes[f"the rules induced, since the model did not: {error}"] += 1
            return lent
        if answer.note:
            notes[answer.note] += 1
        if answer.by == RULES:
            return lent
        text = summary_text(answer.value.text, most=self._settings.summary_characters)
        speakers = [each.memory.speaker or "" for each in cluster.members]
        if is_blank(text) or not is_supported(text, [*(each.text for each in statements), *speakers]):
            notes["the rules induced, since the model said what no member says"] += 1
            return lent
        [encoded] = await self._encode([text])
        return Wording(text=text, vector=encoded.vector, emotion=encoded.emotion, told_by=None, origin="model")

    def _retirement(self, schema: KnownSchema, at: datetime) -> Change:
        return Change(
            id=self._ids.new(),
            target_id=schema.memory.id,
            at=at,
            action=Action.EXPIRE,
            field="schema_status",
            before=schema.standing.status.value,
            after="retired",
            reason="not found again",
            actor="system",
        )


def matched(
    clusters: Sequence[Sequence[Groupable]],
    known: Sequence[KnownSchema],
    facts: Mapping[MemoryId, Groupable],
    *,
    same_cosine: float,
) -> list[_Found]:
    """Each cluster with the schema that it is: of the same members, else the nearest by centroid; each schema once."""
    keys = [cluster_key(each.id for each in cluster) for cluster in clusters]
    centres = [_centre(cluster) for cluster in clusters]
    standing = {
        place: _centre([facts[each] for each in schema.member_ids if each in facts])
        for place, schema in enumerate(known)
        if any(each in facts for each in schema.member_ids)
    }
    pairs = [
        (2.0 if keys[cluster] == known[schema].key else float((centres[cluster] @ centre.T)[0, 0]), cluster, schema)
        for cluster in range(len(clusters))
        for schema, centre in standing.items()
    ]
    same: dict[int, int] = {}
    for cosine, cluster, schema in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if cosine >= same_cosine - 1e-9 and cluster not in same and schema not in same.values():
            same[cluster] = schema
    return [
        _Found(keys[place], tuple(cluster), known[same[place]] if place in same else None)
        for place, cluster in enumerate(clusters)
    ]


def _centre(members: Sequence[Groupable]) -> Rows:
    return centroid(np.stack([each.vector for each in members]).astype(np.float64))


def _report(induced: int, notes: Counter[str]) -> StepReport:
    said = tuple(note if times == 1 else f"{note} ({times} times)" for note, times in notes.items())
    return StepReport(counts={Count.SCHEMAS: induced} if induced else {}, notes=said)

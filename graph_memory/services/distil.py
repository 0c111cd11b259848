"""Distil: clusters of episodes become statements, then their sources fade (constants.md 2.7, steps 3 and 4).

First it is written down what shall be distilled together: a plan of clusters that outlives the worker, so that a run
taken over distils what the dead one would have, and nothing else. Then each cluster is one transaction: the statement
with its vector, its full text, its links and the mark on its sources. Then, in a transaction of their own, because only
now the statement can be found, the sources fade, once for ever. What died in between is found again by the statement
that says its sources are due.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo

from graph_memory.domain.asked import RULES, Distillate, Question
from graph_memory.domain.association import fade_factor
from graph_memory.domain.change import Action, Change
from graph_memory.domain.clustering import cluster_key
from graph_memory.domain.curation import Candidate, CurationRules, curate
from graph_memory.domain.distillation import (
    distilled_by_rules,
    distilled_strength,
    is_supported,
    shared_category,
    summary_text,
)
from graph_memory.domain.index_terms import index_query_terms
from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.text import is_blank, words
from graph_memory.domain.vocabulary import (
    GENERAL_BUCKET,
    EpistemicType,
    Horizon,
    Kind,
    MemoryId,
    UserId,
    WriteOperation,
)
from graph_memory.errors import InferenceError
from graph_memory.ports import (
    CallEstimates,
    DistillationStore,
    Drawable,
    Ending,
    Groupable,
    Ids,
    LanguageModel,
    MemoryStore,
    NewMemory,
    Pulse,
    Rewritten,
    Transformed,
    UserSettings,
)
from graph_memory.services.clusters import Clusters
from graph_memory.services.curate import statement_of
from graph_memory.services.drawn import Ranked, Wording, drawn_memory, lent_by, ranked, reworded
from graph_memory.services.encode import Encode
from graph_memory.services.enrich import Enrich
from graph_memory.services.user_book import UserBook
from graph_memory.services.would_ask import would_ask
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings

_TRIES = 3  # when members of a cluster changed while its text was drawn, it is drawn anew
_MOST_FADING = 1_000  # statements whose sources fade in one run


@dataclass(slots=True)
class _Tally:
    """What a run has done so far."""

    counts: Counter[Count] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def report(self) -> StepReport:
        notes = tuple(note if times == 1 else f"{note} ({times} times)" for note, times in self.notes.items())
        return StepReport(counts=dict(self.counts), notes=notes)


@dataclass(frozen=True, slots=True)
class _User:
    """Whose memories they are, with what their dates are read in."""

    id: UserId
    settings: UserSettings
    zone: tzinfo


class Distil:
    """Distils what lies together, for one user (a SleepStep)."""

    name = "distil"

    def __init__(
        self,
        *,
        store: DistillationStore,
        memories: MemoryStore,
        users: UserBook,
        clusters: Clusters,
        model: LanguageModel,
        estimates: CallEstimates,
        encode: Encode,
        enrich: Enrich,
        rules: CurationRules,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._store, self._memories, self._users, self._clusters = store, memories, users, clusters
        self._model, self._encode, self._enrich, self._rules = model, encode, enrich, rules
        self._estimates, self._ids, self._all_settings, self._settings = estimates, ids, settings, settings.sleep
        self._reinforcement, self._curve = settings.reinforcement(), settings.strength_curve()

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        """Distils all that is due. Raises LeaseLostError, StoreError, InferenceError."""
        if dry_run:
            return await self._foreseen(user_id, at)
        tally = _Tally()
        await self._fade_due(user_id, tally, at)
        await self._plan(user_id, at)
        chosen = await self._users.of(user_id)
        user = _User(user_id, chosen, zone_of(chosen.time_zone))
        keys = await self._store.planned(user_id)
        for done, key in enumerate(keys):
            await pulse(tally.report(), done=done, total=len(keys))
            await self._distil(user, key, tally, at)
            await self._fade_due(user_id, tally, at)
        if tally.counts:
            self._enrich.nudge()
        return tally.report()

    # What lies together

    async def _plan(self, user_id: UserId, at: datetime) -> None:
        """Writes down the clusters of every bucket in which something new waits."""
        for bucket in await self._store.due_buckets(user_id, at=at):
            pool, clusters = await self._found(user_id, bucket, at)
            members = {each.id for cluster in clusters for each in cluster}
            await self._store.plan(
                user_id,
                {cluster_key(each.id for each in cluster): [each.id for each in cluster] for cluster in clusters},
                noise=[each.id for each in pool if each.is_due and each.id not in members],
                until=self._put_off(at),
            )

    async def _found(self, user_id: UserId, bucket: str, at: datetime) -> tuple[list[Groupable], list[list[Groupable]]]:
        """What waits in a bucket, and the clusters in it. A question states nothing, and is never a source."""
        pool = await self._store.pool(user_id, bucket, at=at, limit=self._settings.cluster_max)
        stating = [each for each in pool if not each.is_question]
        return pool, await self._clusters(stating, self._settings.episodic_clusters())

    async def _foreseen(self, user_id: UserId, at: datetime) -> StepReport:
        """What a run would do now, by rules; nothing is written."""
        foreseen: list[Ranked] = []
        for key in await self._store.planned(user_id):
            members = _believed(await self._store.members(user_id, key), at)
            if len(members) >= self._settings.min_samples:
                foreseen.append(ranked(members))
        for bucket in await self._store.due_buckets(user_id, at=at):
            _, clusters = await self._found(user_id, bucket, at)
            for cluster in clusters:
                found = await self._memories.get(user_id, [each.id for each in cluster])
                vectors = {each.id: each.vector for each in cluster}
                foreseen.append(ranked([Drawable(each, vectors[each.id]) for each in found.values()]))
        fading = sum(len(each.members) for each in foreseen)
        report = StepReport(
            counts={Count.DISTILLED: len(foreseen), Count.FADED: fading},
            plan=tuple(self._planned(each) for each in foreseen),
        )
        for each in foreseen:
            report = report.plus(would_ask(self._estimates, Question.DISTIL, each.statements()))
        return report

    def _planned(self, cluster: Ranked) -> Planned:
        members = [each.memory for each in cluster.members]
        return Planned(
            action="distil",
            memory_ids=tuple(each.id for each in members),
            text=summary_text(members[0].text, most=self._settings.summary_characters),
            detail={"bucket": members[0].bucket, "least_cosine": min(cluster.cosines)},
        )

    # One cluster

    async def _distil(self, user: _User, key: str, tally: _Tally, at: datetime) -> None:
        for _ in range(_TRIES):
            members = _believed(await self._store.members(user.id, key), at)
            if len(members) < self._settings.min_samples:
                await self._store.close(user.id, key, known=False, at=at, until=self._put_off(at))
                return
            drawn = await self._draw(user, key, ranked(members), tally, at)
            if drawn is not Ending.OVERTAKEN:
                tally.counts[Count.DISTILLED] += drawn in (Ending.ADDED, Ending.JOINED)
                return
        tally.notes["a cluster changed while it was read and waits for the next run"] += 1

    async def _draw(self, user: _User, key: str, cluster: Ranked, tally: _Tally, at: datetime) -> Ending:
        wording, distillate = await self._worded(user.id, cluster, tally)
        new = self._new(user, cluster, wording, distillate, at)
        own_key = cluster_key(each.memory.id for each in cluster.members)
        before = await self._store.of_cluster(user.id, own_key)
        into = before or await self._equal(user.id, new, at)

        def rewrite(standing: Memory) -> Rewritten:
            return reworded(
                standing,
                wording,
                [each.memory for each in cluster.members],
                action=Action.EDIT,
                reason="distilled anew",
                zone=user.zone,
                at=at,
                ids=self._ids,
                settings=self._all_settings,
            )

        def joined(standing: Memory) -> Transformed:
            change = Change(
                id=self._ids.new(), target_id=standing.id, at=at, action=Action.LINK, reason=reason, actor="system"
            )
            return Transformed(standing, (change,))

        reason = f"distilled from {len(cluster.members)}"
        drawn, _ = await self._store.distil(
            user.id,
            key,
            cluster.shares(),
            cluster_key=own_key,
            new=None if into else new,
            into=into,
            rewrite=rewrite if before else None,
            joined=joined,
            origin=wording.origin,
            reason=reason,
            most=self._settings.max_sources,
            at=at,
            until=self._put_off(at),
        )
        return drawn

    async def _worded(self, user_id: UserId, cluster: Ranked, tally: _Tally) -> tuple[Wording, Distillate]:
        """What a cluster says, by the model or by rules; a model's text that the members do not bear out is dropped."""
        statements = cluster.statements()
        by_rules = distilled_by_rules(statements)
        shared = Distillate(text=by_rules.text, category=shared_category([e.memory.category for e in cluster.members]))
        lent = lent_by(cluster.members[0], most=self._settings.summary_characters)
        try:
            answer = await self._model.distil(user_id, statements)
        except InferenceError as error:
            tally.notes[f"the rules distilled, since the model did not: {error}"] += 1
            return lent, shared
        if answer.note:
            tally.notes[answer.note] += 1
        if answer.by == RULES:
            return lent, shared
        text = summary_text(answer.value.text, most=self._settings.summary_characters)
        speakers = [each.memory.speaker or "" for each in cluster.members]
        if is_blank(text) or not is_supported(text, [*(each.text for each in statements), *speakers]):
            tally.notes["the rules distilled, since the model said what no member says"] += 1
            return lent, shared
        [encoded] = await self._encode([text])
        wording = Wording(text=text, vector=encoded.vector, emotion=encoded.emotion, told_by=None, origin="model")
        return wording, Distillate(text=text, category=answer.value.category)

    def _new(self, user: _User, cluster: Ranked, wording: Wording, distillate: Distillate, at: datetime) -> NewMemory:
        members, salience = [each.memory for each in cluster.members], self._all_settings.salience
        return drawn_memory(
            Kind.SEMANTIC,
            wording,
            members,
            category=distillate.category,
            base_strength=distilled_strength(
                [self._curve.strength(each.strength, at) for each in members],
                least=salience.distilled_strength_min,
                most=salience.distilled_strength_max,
            ),
            confidence=self._all_settings.initial_confidence(EpistemicType.OBSERVATION, Horizon.LONG),
            bucket=members[0].bucket,
            user=user.settings,
            zone=user.zone,
            reason=f"distilled from {len(members)}",
            at=at,
            ids=self._ids,
            settings=self._all_settings,
        )

    async def _equal(self, user_id: UserId, new: NewMemory, at: datetime) -> MemoryId | None:
        """A statement that says the same of the same subjects already, by the rules of curation."""
        text = new.memory.text
        found = await self._memories.candidates(
            user_id,
            vector=new.embedding,
            words=words(text),
            index_terms=index_query_terms(text),
            kind=Kind.SEMANTIC,
            buckets=tuple({new.memory.bucket, GENERAL_BUCKET}),
            limit=self._all_settings.curation.candidates,
            at=at,
        )
        said = statement_of(new.memory)
        candidates = [
            (memory, Candidate(known, cosine))
            for memory, cosine in found
            if (known := statement_of(memory)).subjects == said.subjects and known.same_speaker(said)
        ]
        verdict, closest = curate(said, [candidate for _, candidate in candidates], self._rules)
        if verdict.operation is not WriteOperation.NONE:
            return None
        return next(memory.id for memory, candidate in candidates if candidate is closest)

    # Fading

    async def _fade_due(self, user_id: UserId, tally: _Tally, at: datetime) -> None:
        """Fades the sources of every statement that says they are due."""

        for statement_id in await self._store.fading(user_id, limit=_MOST_FADING):
            tally.counts[Count.FADED] += await self._store.fade(
                user_id, statement_id, self._faded(statement_id, at), at=at
            )

    def _faded(self, statement_id: MemoryId, at: datetime) -> Callable[[Memory, float], Transformed]:
        def faded(source: Memory, cosine: float) -> Transformed:
            """The more central, the more it fades; what is pinned does not."""
            if source.pinned:
                return Transformed(source, ())
            factor = fade_factor(cosine, least=self._settings.fade_min, span=self._settings.fade_span)
            after = self._reinforcement.weakened(source, factor)
            before_strength, after_strength = source.strength.base_strength, after.strength.base_strength
            change = Change(
                id=self._ids.new(),
                target_id=source.id,
                at=at,
                action=Action.FADE,
                field="base_strength",
                before=before_strength,
                after=after_strength,
                delta=after_strength - before_strength,
                reason=f"distilled into {statement_id}",
                actor="system",
            )
            return Transformed(after, (change,))

        return faded

    def _put_off(self, at: datetime) -> datetime:
        return at + timedelta(days=self._settings.noise_days)


def _believed(members: Sequence[Drawable], at: datetime) -> list[Drawable]:
    return [each for each in members if each.memory.is_current(at)]

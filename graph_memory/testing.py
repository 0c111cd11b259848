"""Doubles that say what they do, shipped for the tests of this product and of those built on it."""

import hashlib
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from graph_memory.domain.asked import Answer, Question
from graph_memory.domain.memory import Emotion
from graph_memory.domain.model_usage import BookedUse, UsageReport, Use
from graph_memory.domain.sleep import LOST_WORKER, Beat, Run, RunStatus, StepReport
from graph_memory.domain.text import script_terms, text_problems, words
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InferenceError, LeaseLostError
from graph_memory.ports import Floats, LanguageModel, OneByOne, Position, Row, ask


class FixedClock:
    """Tells the time that it was set to."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def set(self, now: datetime) -> None:
        """Moves to an instant."""
        self._now = now

    def advance(self, by: timedelta) -> None:
        """Moves on."""
        self._now += by


class ScriptedTagger:
    """Tells the emotions it was told to, by text; every other text is neutral."""

    def __init__(self, emotions: Mapping[str, Emotion]) -> None:
        self._emotions = dict(emotions)

    async def tag(self, texts: Sequence[str], vectors: Floats) -> list[Emotion]:
        return [self._emotions.get(text, Emotion()) for text in texts]


class CountedPulse:
    """Takes down what it is told, and can lose the lease: then it lets only so many pulses pass."""

    def __init__(self, *, lost_after: int | None = None) -> None:
        self.told: list[tuple[StepReport, int, int]] = []
        self._lost_after = lost_after

    async def __call__(self, so_far: StepReport, *, done: int, total: int) -> None:
        if self._lost_after is not None and len(self.told) >= self._lost_after:
            raise LeaseLostError("the lease was lost, as this double was told")
        self.told.append((so_far, done, total))


class HeldLeases:
    """LeaseStore in memory."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[str, datetime]] = {}

    async def take(self, job: str, holder: str, *, at: datetime, until: datetime) -> bool:
        other, ends_at = self._held.get(job, (holder, until))
        if other != holder and at < ends_at:
            return False
        self._held[job] = (holder, until)
        return True

    async def give_back(self, job: str, holder: str) -> None:
        if self._held.get(job, ("", None))[0] == holder:
            del self._held[job]


class ListedRuns:
    """RunStore in memory, for users that were made known to it."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}
        self._due: dict[UserId, dict[Beat, datetime]] = {}

    def know(self, user_id: UserId, *, at: datetime) -> None:
        """A user is new at an instant."""
        self._due[user_id] = {Beat.CYCLE: at, Beat.HOUSEKEEPING: at}

    async def begin(self, run: Run) -> bool:
        if run.user_id not in self._due:
            return False
        for other in self._running(run.user_id, run.beat):
            report = other.report.plus(StepReport(notes=(LOST_WORKER,)))
            ended = min(other.alive_until, run.started_at)
            self._runs[other.id] = replace(other, status=RunStatus.FAILED, finished_at=ended, report=report)
        self._runs[run.id] = run
        if not run.dry_run and run.beat in self._due[run.user_id]:
            await self.schedule(run.user_id, run.beat, run.alive_until)
        return True

    async def tell(self, run: Run) -> bool:
        return await self.end(run, due_at=None)

    async def end(self, run: Run, *, due_at: datetime | None) -> bool:
        if run.id not in {each.id for each in self._running(run.user_id, run.beat)}:
            return False
        self._runs[run.id] = run
        if due_at is not None and run.beat in self._due[run.user_id]:
            await self.schedule(run.user_id, run.beat, due_at)
        return True

    async def drop(self, user_id: UserId, run_id: str) -> None:
        if await self.get(user_id, run_id):
            del self._runs[run_id]

    async def add(self, runs: Sequence[Run]) -> None:
        self._runs.update({run.id: run for run in runs if run.user_id in self._due})

    async def get(self, user_id: UserId, run_id: str) -> Run | None:
        run = self._runs.get(run_id)
        return run if run and run.user_id == user_id else None

    async def find(self, user_id: UserId, *, after: Position | None, limit: int) -> list[Row[Run]]:
        runs = sorted(self._of(user_id), key=lambda run: (run.started_at, run.id), reverse=True)
        rows = [Row(run, Position(run.started_at.timestamp(), run.id)) for run in runs]
        return [row for row in rows if after is None or _place(row.position) < _place(after)][:limit]

    async def due(self, beat: Beat, *, at: datetime, limit: int) -> list[tuple[UserId, datetime]]:
        due = [(user_id, dates[beat]) for user_id, dates in self._due.items() if dates[beat] <= at]
        return sorted(due, key=lambda each: each[1])[:limit]

    async def schedule(self, user_id: UserId, beat: Beat, due_at: datetime) -> None:
        if user_id in self._due:
            self._due[user_id][beat] = due_at

    async def drop_old(self, user_id: UserId, beats: Sequence[Beat], *, before: datetime, limit: int) -> int:
        old = [run.id for run in self._of(user_id) if run.beat in beats and run.started_at < before][:limit]
        for run_id in old:
            del self._runs[run_id]
        return len(old)

    def _of(self, user_id: UserId) -> list[Run]:
        return [run for run in self._runs.values() if run.user_id == user_id]

    def _running(self, user_id: UserId, beat: Beat) -> list[Run]:
        return [run for run in self._of(user_id) if run.beat is beat and run.status is RunStatus.RUNNING]


def _place(position: Position) -> tuple[float, str]:
    return position.key, position.id


class CountingIds:
    """Makes ids that sort in the order of their making: "id-00000001" and on."""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix, self._count = prefix, 0

    def new(self) -> str:
        self._count += 1
        return f"{self._prefix}-{self._count:08}"


class HashingEmbedder:
    """Gives each word a direction of its own, found by hashing, and a text the mean of its words' directions.

    Texts that share words are near each other; nothing else is known of meaning. The same everywhere, at once.
    """

    def __init__(self, *, name: str = "hashing/1", dimensions: int = 384) -> None:
        self.name = name
        self.dimensions = dimensions

    async def embed_passages(self, texts: Sequence[str]) -> Floats:
        return self._embedded(texts)

    async def embed_queries(self, texts: Sequence[str]) -> Floats:
        return self._embedded(texts)

    def _embedded(self, texts: Sequence[str]) -> Floats:
        for position, text in enumerate(texts):
            if problems := text_problems(f"text {position}", text, most_characters=len(text)):
                raise InferenceError("; ".join(map(str, problems)))
        rows = [self._row(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimensions), np.float32)

    def _row(self, text: str) -> Floats:
        terms = [*words(text), *script_terms(text)] or [text]
        total = np.sum([self._direction(term) for term in terms], axis=0)
        row: Floats = (total / np.linalg.norm(total)).astype(np.float32)
        return row

    def _direction(self, term: str) -> Floats:
        seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.dimensions, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that a scripted model was asked, with what it was given."""

    question: Question
    user_id: UserId
    given: tuple[Any, ...]


class ScriptedLanguageModel(OneByOne):
    """Answers each question as it was told to, and keeps what it was asked.

    A reply is a value, an Answer, an error to raise, or a function of what was given with the question, which may take
    its time; a list of replies is used up one by one, its last for good. What the script leaves out is asked of
    `otherwise`, and without one fails.
    """

    def __init__(
        self, script: Mapping[Question, Any], *, otherwise: LanguageModel | None = None, name: str = "scripted"
    ) -> None:
        self._script = {
            question: list(reply) if isinstance(reply, list) else [reply] for question, reply in script.items()
        }
        self._otherwise, self.name = otherwise, name
        self.asked: list[Asked] = []

    async def answer(self, question: Question, user_id: UserId, *given: Any, **known: Any) -> Answer[Any]:
        self.asked.append(Asked(question, user_id, given))
        replies = self._script.get(question)
        if replies is None:
            return await self._unscripted(question, user_id, *given, **known)
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        if isinstance(reply, Exception):
            raise reply
        value = reply(*given) if callable(reply) else reply
        if inspect.isawaitable(value):
            value = await value
        return value if isinstance(value, Answer) else Answer(value, by=self.name)

    async def _unscripted(self, question: Question, user_id: UserId, *given: Any, **known: Any) -> Answer[Any]:
        if self._otherwise is None:
            raise InferenceError(f"the script has no answer to {question}")
        return await ask(self._otherwise, question, user_id, *given, **known)


class InMemoryModelLedger:
    """Keeps the ledger of model calls for as long as it lives (port ModelLedger)."""

    def __init__(self) -> None:
        self.booked: list[BookedUse] = []

    async def book(self, booked: BookedUse) -> None:
        self.booked.append(booked)

    async def report(self, user_id: UserId, *, since: date | None = None) -> UsageReport:
        wanted = [each for each in self.booked if each.user_id == user_id and each.day >= (since or date.min)]
        questions = sorted({each.question for each in wanted})
        return UsageReport.of(
            {question: Use.sum(each.use for each in wanted if each.question is question) for question in questions}
        )

    async def used_by_all(self, day: date) -> Use:
        return Use.sum(each.use for each in self.booked if each.day == day)

"""Revise: correct what was wrong, and supersede what the world has overtaken (operations.md, Writing)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, tzinfo

from graph_memory.domain.change import Action, Change, supersede_change, text_change
from graph_memory.domain.dates import in_utc
from graph_memory.domain.draft import date_problems, reason_problems
from graph_memory.domain.memory import Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.succession import SuccessionRules
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import Source, UserId
from graph_memory.errors import ConflictError, InvalidValueError, Problem
from graph_memory.ports import Clock, Ids, MemoryStore, Rewritten, Succession, Transformed
from graph_memory.services.birth import stored_anew, with_named_dates
from graph_memory.services.encode import Encode, Encoded
from graph_memory.services.enrich import Enrich
from graph_memory.services.inspect import Inspect
from graph_memory.services.name_books import NameBooks
from graph_memory.services.use import with_side_effects
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings


class Revise:
    """Changes what memories say, and which of them holds."""

    def __init__(
        self,
        *,
        memories: MemoryStore,
        inspect: Inspect,
        books: NameBooks,
        encode: Encode,
        enrich: Enrich,
        rules: SuccessionRules,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._memories, self._inspect, self._books = memories, inspect, books
        self._encode, self._enrich, self._rules = encode, enrich, rules
        self._reinforcement = settings.reinforcement()
        self._clock, self._ids, self._settings = clock, ids, settings

    async def correct(self, user_id: UserId, memory_id: str, text: str, *, reason: str | None = None) -> Memory:
        """The text was wrong: same memory, new text, the old one kept as a Version; the user vouches for it.

        Raises InvalidValueError, NotFoundError, ConflictError.
        """
        self._check(text=text, reason=reason)
        memory = await self._inspect.memory(user_id, memory_id)
        now = self._clock.now()

        def corrected(standing: Memory) -> Memory:
            return replace(standing, text=text, source=Source.MANUAL_EDIT, confirmed=True)

        rewritten = await self.rewritten(user_id, memory, corrected, action=Action.EDIT, reason=reason, at=now)
        self._books.drop(user_id)
        self._enrich.nudge()
        return rewritten

    async def supersede(
        self, user_id: UserId, memory_id: str, by: str, *, at: datetime | None = None, reason: str | None = None
    ) -> Memory:
        """The world changed: the old memory ends at `at`, or where the new one begins; the old one as it then is.

        Raises InvalidValueError, NotFoundError, and ConflictError when the old one has a successor already or the new
        one was itself superseded by it.
        """
        self._check(reason=reason, at=at)
        old, new = await self._inspect.require_two(user_id, memory_id, by)
        if old.id == new.id:
            raise InvalidValueError("supersede", [Problem("by", "is the memory itself")])
        zone = zone_of((await self._inspect.settings(user_id)).time_zone)
        now = self._clock.now()
        ends_at = in_utc(at, zone=zone) if at else new.interval.valid_at
        if ends_at < old.interval.valid_at:
            raise InvalidValueError("supersede", [Problem("at", "is earlier than the older memory's valid_at")])
        succession = Succession(old_id=old.id, retire=self._retire(ends_at, now, reason), reason=reason)
        retired, _ = await self._memories.supersede(user_id, succession, new.id, at=now)
        return retired

    async def rewritten(
        self,
        user_id: UserId,
        memory: Memory,
        change: Callable[[Memory], Memory],
        *,
        action: Action,
        reason: str | None,
        at: datetime,
    ) -> Memory:
        """The memory as `change` makes it, its new text embedded and indexed. Raises ConflictError."""
        text = change(memory).text
        [encoded] = await self._encode([text])
        zone = zone_of((await self._inspect.settings(user_id)).time_zone)

        def rewrite(standing: Memory) -> Rewritten:
            after = change(standing)
            if after.text != text:
                raise ConflictError(f"memory {memory.id} was changed meanwhile")
            step = after.confidence - standing.confidence
            told = text_change(self._ids.new(), standing, after, action, at, delta=step, reason=reason)
            return as_rewritten(
                standing,
                after,
                encoded,
                laws=self._reinforcement,
                zone=zone,
                version_id=self._ids.new(),
                reason=reason,
                changes=with_side_effects(told, standing, after, ids=self._ids, actor="system"),
            )

        return await self._memories.rewrite(user_id, memory.id, rewrite, at=at)

    def _retire(self, ends_at: datetime, now: datetime, reason: str | None) -> Callable[[Memory], Transformed]:
        def retire(standing: Memory) -> Transformed:
            if standing.superseded_at <= now:
                raise ConflictError(f"memory {standing.id} was superseded already")
            after = self._rules.superseded(standing, invalid_at=ends_at, at=now)
            change = supersede_change(self._ids.new(), standing, after, now, reason=reason)
            return Transformed(after, (change,))

        return retire

    def _check(self, *, text: str | None = None, reason: str | None = None, at: datetime | None = None) -> None:
        limits, problems = self._settings.limits, list[Problem]()
        if text is not None:
            problems += text_problems("text", text, most_characters=limits.text_characters)
        problems += reason_problems(reason, limits)
        problems += date_problems("at", at)
        if problems:
            raise InvalidValueError("revision", problems)


def as_rewritten(
    before: Memory,
    after: Memory,
    encoded: Encoded,
    *,
    laws: Reinforcement,
    zone: tzinfo,
    version_id: str,
    reason: str | None,
    changes: tuple[Change, ...],
) -> Rewritten:
    """A memory with its new text, and all that is stored beside it."""
    tagged = with_named_dates(laws.tagged(after, encoded.emotion), zone=zone)
    return stored_anew(
        before, tagged, embedding=encoded.vector, zone=zone, version_id=version_id, reason=reason, changes=changes
    )

"""Merge people: two nodes that are one person become one, and two again when that was wrong."""

from dataclasses import replace
from datetime import datetime

from graph_memory.domain.change import Action, Change
from graph_memory.domain.draft import reason_problems
from graph_memory.domain.people import PersonRules
from graph_memory.domain.person import Merge, Person, PersonView, joined, parted, shown
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import ConflictError, InvalidValueError, NotFoundError, Problem
from graph_memory.ports import Clock, Ids, Met, Parted, PeopleStore
from graph_memory.services.inspect import Inspect
from graph_memory.services.name_books import NameBooks
from graph_memory.services.people import askable
from graph_memory.settings import Settings


class MergePeople:
    """Merges people and undoes it (operations.md, mergePeople)."""

    def __init__(
        self,
        *,
        people: PeopleStore,
        inspect: Inspect,
        books: NameBooks,
        rules: PersonRules,
        clock: Clock,
        ids: Ids,
        settings: Settings,
    ) -> None:
        self._people, self._inspect, self._books, self._rules = people, inspect, books, rules
        self._clock, self._ids, self._settings = clock, ids, settings

    async def merge(self, user_id: UserId, keep: str, merge: str, *, reason: str | None = None) -> PersonView:
        """Moves all of `merge` to `keep`; the audit row of the merge is its name for undoing.

        Raises: InvalidValueError, NotFoundError.
        """
        self._check(keep, merge, reason)
        now, change_id = self._clock.now(), self._ids.new()

        def join(kept: Person, merged: Person) -> Met:
            change = Change(
                id=change_id,
                target_id=kept.id,
                at=now,
                action=Action.MERGE_PEOPLE,
                field="people",
                after=merged.id,
                reason=reason,
            )
            together = joined(kept, merged, now, self._rules)
            return Met(replace(together, last_merge_id=change_id), (change,))

        user = await self._inspect.settings(user_id)
        person = await self._people.merge(user_id, askable(keep), askable(merge), join, user=user, at=now)
        return self._shown(user_id, person, now)

    async def undo(self, user_id: UserId, change_id: str) -> PersonView:
        """Undoes a merge; the kept person. What came to them since stays with them.

        Raises: NotFoundError; ConflictError when it was undone, or one of the two was merged again since.
        """
        if text_problems("id", change_id, most_characters=1_000):
            raise NotFoundError("merge of people", change_id)
        now, own_id = self._clock.now(), self._ids.new()

        def part(kept: Person | None, merge: Merge) -> Parted:
            if kept is None or kept.last_merge_id != change_id:
                raise ConflictError("that merge was undone, or the kept person was merged again since")
            left, restored = parted(kept, merge, now, self._rules)
            change = Change(
                id=own_id,
                target_id=kept.id,
                at=now,
                action=Action.UNDO_MERGE,
                field="people",
                before=change_id,
                after=restored.id,
            )
            return Parted(keep=left, merged=restored, changes=(change,))

        user = await self._inspect.settings(user_id)
        person = await self._people.part(user_id, change_id, part, user=user, at=now)
        return self._shown(user_id, person, now)

    def _shown(self, user_id: UserId, person: Person, now: datetime) -> PersonView:
        self._books.drop(user_id)
        return shown(person, now, self._rules)

    def _check(self, keep: str, merge: str, reason: str | None) -> None:
        problems = list(reason_problems(reason, self._settings.limits))
        if keep == merge:
            problems.append(Problem("merge", "is the same person"))
        if problems:
            raise InvalidValueError("merge", problems)

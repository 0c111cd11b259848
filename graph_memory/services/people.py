"""People: who is known, how far each is trusted, and whom to tell an agent of. Nothing here counts as an exchange."""

from collections.abc import Iterable, Sequence

from graph_memory.domain.draft import name_problems
from graph_memory.domain.name_resolution import resolve
from graph_memory.domain.people import PersonRules
from graph_memory.domain.people_lists import KnownPerson, by_domain, most_recent, most_trusted, prompt_list
from graph_memory.domain.person import PersonView, shown
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import NodeId, UserId
from graph_memory.errors import InvalidValueError, NotFoundError
from graph_memory.ports import Clock, PeopleStore
from graph_memory.settings import Settings


class People:
    """Looks people up."""

    def __init__(self, *, people: PeopleStore, rules: PersonRules, clock: Clock, settings: Settings) -> None:
        self._people, self._rules, self._clock, self._settings = people, rules, clock, settings

    async def person(self, user_id: UserId, name: str) -> PersonView | None:
        """Whom a name, alias, near spelling or first name means; None when nobody, or when it could mean several."""
        if problems := list(name_problems("name", (name,), self._settings.limits)):
            raise InvalidValueError("person", problems)
        resolution = resolve(name, await self._people.named(user_id), self._rules)
        if resolution.person_id is None:
            return None
        return (await self.views(user_id, [resolution.person_id])).get(resolution.person_id)

    async def view(self, user_id: UserId, person_id: str) -> PersonView:
        """One person. Raises NotFoundError."""
        wanted = askable(person_id)
        if view := (await self.views(user_id, [wanted])).get(wanted):
            return view
        raise NotFoundError("person", person_id)

    async def views(self, user_id: UserId, ids: Sequence[NodeId]) -> dict[NodeId, PersonView]:
        """The people found, as they are now."""
        now, found = self._clock.now(), await self._people.get(user_id, ids)
        return {person_id: shown(person, now, self._rules) for person_id, person in found.items()}

    async def listed(self, user_id: UserId) -> list[PersonView]:
        """The people in the list: over 200, those with the fewest interactions, then the longest unseen, stand out."""
        return await self._in_order(user_id, await self._people.listed(user_id))

    async def most_trusted(self, user_id: UserId) -> list[PersonView]:
        """The ten trusted most."""
        known = await self._people.listed(user_id)
        return await self._in_order(user_id, most_trusted(known, self._clock.now(), self._rules))

    async def most_recent(self, user_id: UserId) -> list[PersonView]:
        """The ten seen last."""
        return await self._in_order(user_id, most_recent(await self._people.listed(user_id), self._rules))

    async def by_domain(self, user_id: UserId, domain: str) -> list[PersonView]:
        """The people with evidence in a domain, the most expert first."""
        if problems := text_problems("domain", domain, most_characters=self._settings.limits.tag_characters):
            raise InvalidValueError("people", problems)
        known = await self._people.listed(user_id)
        return await self._in_order(user_id, by_domain(known, domain, self._clock.now(), self._rules))

    async def prompt_list(self, user_id: UserId) -> list[PersonView]:
        """The fifteen whom an agent should be told of, best first."""
        known = await self._people.listed(user_id)
        return await self._in_order(user_id, prompt_list(known, self._clock.now(), self._rules))

    async def _in_order(self, user_id: UserId, known: Iterable[KnownPerson]) -> list[PersonView]:
        ids = [person.id for person in known]
        views = await self.views(user_id, ids)
        return [views[person_id] for person_id in ids if person_id in views]


def askable(person_id: str) -> NodeId:
    """The id as the store takes it. Raises NotFoundError for one that it could not even be asked for."""
    if text_problems("id", person_id, most_characters=1_000):
        raise NotFoundError("person", person_id)
    return NodeId(person_id)

"""Which memories of a list are wanted."""

from datetime import datetime

import strawberry

from api.context import ApiContext
from api.fields import taken
from api.given import given, given_list
from graph_memory.domain.vocabulary import Category, Kind, Lane, State, Tier
from graph_memory.ports import MemoryFilter as StoredFilter
from graph_memory.services.inspect import NameFilter


@taken
class MemoryFilter:
    """Every condition given must hold; a list means: any of these."""

    kinds: list[Kind] | None = strawberry.UNSET
    buckets: list[str] | None = strawberry.UNSET
    lanes: list[Lane] | None = strawberry.UNSET
    categories: list[Category] | None = strawberry.UNSET
    states: list[State] | None = strawberry.UNSET
    tiers: list[Tier] | None = strawberry.field(default=strawberry.UNSET, description="Now; never what is pinned.")
    text: str | None = strawberry.field(default=strawberry.UNSET, description="Anywhere in the text, in any case.")
    people: list[str] | None = strawberry.UNSET
    entities: list[str] | None = strawberry.UNSET
    tags: list[str] | None = strawberry.UNSET
    session_id: str | None = strawberry.UNSET
    agent_id: str | None = strawberry.UNSET
    external_id: str | None = strawberry.UNSET
    pinned: bool | None = strawberry.UNSET
    hidden: bool | None = strawberry.UNSET
    superseded: bool | None = strawberry.UNSET
    labile: bool | None = strawberry.UNSET
    expired: bool | None = strawberry.UNSET
    valid_from: datetime | None = strawberry.UNSET
    valid_until: datetime | None = strawberry.UNSET
    created_from: datetime | None = strawberry.UNSET
    created_until: datetime | None = strawberry.UNSET
    as_of: datetime | None = strawberry.field(
        default=strawberry.UNSET, description="Believed to hold then, as known at `knownAt`; each is now by default."
    )
    known_at: datetime | None = strawberry.UNSET

    async def wanted(self, context: ApiContext) -> StoredFilter:
        """What the service is asked for, but for names."""
        return StoredFilter(
            kinds=given_list(self.kinds),
            buckets=given_list(self.buckets),
            lanes=given_list(self.lanes),
            categories=given_list(self.categories),
            states=given_list(self.states),
            tiers=given_list(self.tiers),
            text=given(self.text),
            tags=given_list(self.tags),
            session_id=given(self.session_id),
            agent_id=given(self.agent_id),
            external_id=given(self.external_id),
            pinned=given(self.pinned),
            hidden=given(self.hidden),
            superseded=given(self.superseded),
            labile=given(self.labile),
            expired=given(self.expired),
            valid_from=await context.instant("validFrom", given(self.valid_from)),
            valid_until=await context.instant("validUntil", given(self.valid_until)),
            created_from=await context.instant("createdFrom", given(self.created_from)),
            created_until=await context.instant("createdUntil", given(self.created_until)),
            as_of=await context.instant("asOf", given(self.as_of)),
            known_at=await context.instant("knownAt", given(self.known_at)),
        )

    def names(self) -> NameFilter:
        """The people and entities that the memories must refer to."""
        return NameFilter(people=given_list(self.people), entities=given_list(self.entities))

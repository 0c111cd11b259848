"""What happened to a memory: its audit rows, its earlier texts, and the days that its text names."""

from datetime import date, datetime

import strawberry

from api.fields import output
from api.nodes import Node
from api.pages import PageInfo
from api.scalars import Json
from graph_memory.domain.change import Change as StoredChange
from graph_memory.domain.memory import NamedDate as StoredDate
from graph_memory.ports import Version as StoredVersion
from graph_memory.services.paging import Page


@output
class NamedDate:
    """Days that a text names, reckoned from the moment it was told: "last Thursday"."""

    text: str
    first_day: date
    last_day: date

    @classmethod
    def of(cls, named: StoredDate) -> "NamedDate":
        """The API type of days that were named."""
        return cls(text=named.text, first_day=named.first_day, last_day=named.last_day)


@output
class Version:
    """An earlier text of a memory."""

    text: str
    since: datetime = strawberry.field(name="from", description="When it became the text.")
    until: datetime = strawberry.field(description="When another took its place.")
    reason: str | None

    @classmethod
    def of(cls, version: StoredVersion) -> "Version":
        """The API type of an earlier text."""
        return cls(text=version.text, since=version.since, until=version.until, reason=version.reason)


@output
class Change(Node):
    """One audit row. Fields and values are named as the graph keeps them."""

    at: datetime
    action: str = strawberry.field(description="What was done: add, edit, confirm, weaken, touch, supersede …")
    field: str | None = strawberry.field(description="What changed; null where `before` and `after` name the fields.")
    before: Json | None
    after: Json | None
    delta: float | None = strawberry.field(description="By how much; of confidence, or of strength for a use.")
    arousal: float | None = strawberry.field(description="Of the utterance that caused it.")
    reason: str | None
    actor: str

    @classmethod
    def of(cls, change: StoredChange) -> "Change":
        """The API type of an audit row."""
        return cls(
            id=strawberry.ID(change.id),
            at=change.at,
            action=change.action.value,
            field=change.field,
            before=None if change.before is None else Json(change.before),
            after=None if change.after is None else Json(change.after),
            delta=change.delta,
            arousal=change.arousal,
            reason=change.reason,
            actor=change.actor,
        )


@output
class ChangeEdge:
    """An audit row at its place in a list."""

    cursor: str
    node: Change


@output
class ChangeConnection:
    """A page of audit rows."""

    edges: list[ChangeEdge]
    page_info: PageInfo

    @classmethod
    def of(cls, page: Page[StoredChange]) -> "ChangeConnection":
        """The API type of a page of audit rows."""
        edges = [
            ChangeEdge(cursor=cursor, node=Change.of(change))
            for cursor, change in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page))

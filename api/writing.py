"""What is written through the API: inputs, and what became of them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

import strawberry

from api.context import ApiContext
from api.errors import in_api_words
from api.fields import output, taken
from api.given import given, given_list, raise_problems
from api.memories import Memory
from api.scalars import Json
from graph_memory.domain.dates import in_utc
from graph_memory.domain.draft import MemoryDraft, date_problems
from graph_memory.domain.link import LinkType
from graph_memory.domain.vocabulary import Category, EpistemicType, Horizon, Kind, Lane, Source, WriteOperation
from graph_memory.errors import InvalidValueError
from graph_memory.errors import Problem as StoredProblem
from graph_memory.services.amend import Erased, Update
from graph_memory.services.remember import RejectedRow, Remembered
from graph_memory.services.zones import zone_of

_DATES = ("occurred_at", "valid_at", "invalid_at")


@taken
class RememberInput:
    """Something to remember. What is left out gets the default of its kind."""

    text: str
    kind: Kind | None = Kind.EPISODIC
    epistemic_type: EpistemicType | None = strawberry.UNSET
    category: Category | None = strawberry.UNSET
    horizon: Horizon | None = strawberry.UNSET
    bucket: str | None = strawberry.UNSET
    lane: Lane | None = strawberry.UNSET
    general: bool | None = False
    source: Source | None = strawberry.UNSET
    confidence: float | None = strawberry.UNSET
    speaker: str | None = strawberry.UNSET
    session_id: str | None = strawberry.UNSET
    agent_id: str | None = strawberry.UNSET
    people: list[str] | None = strawberry.UNSET
    entities: list[str] | None = strawberry.UNSET
    tags: list[str] | None = strawberry.UNSET
    metadata: Json | None = strawberry.UNSET
    external_id: str | None = strawberry.UNSET
    pinned: bool | None = False
    time_zone: str | None = strawberry.field(
        default=strawberry.UNSET, description="IANA name of the zone of dates without an offset; default: the user's."
    )
    occurred_at: datetime | None = strawberry.UNSET
    valid_at: datetime | None = strawberry.UNSET
    invalid_at: datetime | None = strawberry.UNSET
    idempotency_key: str | None = strawberry.field(
        default=strawberry.UNSET, description="A second write with the same key changes nothing and answers alike."
    )
    curate: bool | None = strawberry.field(
        default=True, description="Compare a statement with what is known; null as the default."
    )
    wait: bool | None = strawberry.field(
        default=False, description="Answer only when people, entities and links are found too."
    )

    def draft(self) -> MemoryDraft:
        """What the service is asked to remember; dates without an offset stay so."""
        return MemoryDraft(
            text=self.text,
            kind=self.kind or Kind.EPISODIC,
            epistemic_type=given(self.epistemic_type),
            category=given(self.category),
            horizon=given(self.horizon),
            bucket=given(self.bucket),
            lane=given(self.lane),
            general=bool(self.general),
            source=given(self.source),
            confidence=given(self.confidence),
            speaker=given(self.speaker),
            session_id=given(self.session_id),
            agent_id=given(self.agent_id),
            people=given_list(self.people) or (),
            entities=given_list(self.entities) or (),
            tags=given_list(self.tags) or (),
            metadata=_metadata(self.metadata) or {},
            external_id=given(self.external_id),
            pinned=bool(self.pinned),
            occurred_at=given(self.occurred_at),
            valid_at=given(self.valid_at),
            invalid_at=given(self.invalid_at),
            idempotency_key=given(self.idempotency_key),
            curate=self.curate is not False,
        )

    def draft_in_its_zone(self) -> MemoryDraft:
        """The same for a row of many, whose own zone is settled here. Raises InvalidValueError."""
        draft, name = self.draft(), given(self.time_zone)
        if name is None:
            return draft
        zone = zone_of(name)
        dates = {each: getattr(draft, each) for each in _DATES}
        sound = {each: date for each, date in dates.items() if date and not list(date_problems(each, date))}
        return replace(draft, **{each: in_utc(date, zone=zone) for each, date in sound.items()})  # type: ignore[arg-type]  # the names of dates


@taken
class UpdateInput:
    """What changes about a memory. What is left out, or null, stays as it is."""

    bucket: str | None = strawberry.UNSET
    lane: Lane | None = strawberry.UNSET
    category: Category | None = strawberry.UNSET
    tags: list[str] | None = strawberry.UNSET
    metadata: Json | None = strawberry.UNSET
    occurred_at: datetime | None = strawberry.UNSET
    valid_at: datetime | None = strawberry.UNSET
    invalid_at: datetime | None = strawberry.UNSET
    people: list[str] | None = strawberry.UNSET
    entities: list[str] | None = strawberry.UNSET

    def update(self) -> Update:
        """What the service is asked to change. Raises InvalidValueError."""
        return Update(
            bucket=given(self.bucket),
            lane=given(self.lane),
            category=given(self.category),
            tags=given_list(self.tags),
            metadata=_metadata(self.metadata),
            occurred_at=given(self.occurred_at),
            valid_at=given(self.valid_at),
            invalid_at=given(self.invalid_at),
            people=given_list(self.people),
            entities=given_list(self.entities),
        )


@taken
class LinkInput:
    """A link to make, from source to target."""

    source: strawberry.ID
    target: strawberry.ID
    type: LinkType
    weight: float | None = 1.0
    reason: str | None = strawberry.UNSET


@output
class Problem:
    """One wrong field of an input."""

    field: str
    message: str


@output
class RowProblem:
    """A row that was not written, and why."""

    index: int
    problems: list[Problem]


@output
class RememberPayload:
    """What became of one thing to remember."""

    index: int
    operation: WriteOperation
    memory: Memory | None
    superseded: list[Memory]
    replayed: bool = strawberry.field(description="An earlier write with the same idempotency key did it.")
    vetoed: bool = strawberry.field(description="The text was erased before; nothing was stored.")

    @classmethod
    def of(cls, remembered: Remembered, *, index: int | None = None) -> "RememberPayload":
        """The API type of what became of a draft."""
        return cls(
            index=remembered.index if index is None else index,
            operation=remembered.operation,
            memory=None if remembered.memory is None else Memory.of(remembered.memory),
            superseded=[Memory.of(each) for each in remembered.superseded],
            replayed=remembered.replayed,
            vetoed=remembered.vetoed,
        )


@output
class RememberManyPayload:
    """What became of many things to remember, each on its own."""

    results: list[RememberPayload]
    failed: list[RowProblem]
    added: int


@output
class ForgetPayload:
    """The memory as it is now that it is forgotten."""

    memory: Memory


@output
class ErasePayload:
    """What an erasure removed, and how many neighbours changed with it."""

    erased: int
    derived_touched: int
    tombstone: bool

    @classmethod
    def of(cls, erased: Erased) -> "ErasePayload":
        """The API type of an erasure."""
        return cls(erased=erased.erased, derived_touched=erased.derived_touched, tombstone=erased.tombstone)


async def remember_many(context: ApiContext, inputs: list[RememberInput]) -> RememberManyPayload:
    """Rows are independent: one that breaks a rule fails alone, and every index is the caller's."""
    drafts: dict[int, MemoryDraft] = {}
    rejected: list[RejectedRow] = []
    for index, each in enumerate(inputs):
        try:
            drafts[index] = each.draft_in_its_zone()
        except InvalidValueError as error:
            rejected.append(RejectedRow(index, error.problems))
    written = await context.services.remember.many(context.user_id, list(drafts.values()))
    indexes = list(drafts)
    rejected += [RejectedRow(indexes[row.index], row.problems) for row in written.failed]
    results = [await _settled(context, each, inputs[indexes[each.index]]) for each in written.results]
    return RememberManyPayload(
        results=[RememberPayload.of(each, index=indexes[each.index]) for each in results],
        failed=[_row_problem(row) for row in sorted(rejected, key=lambda row: row.index)],
        added=written.added,
    )


async def _settled(context: ApiContext, row: Remembered, wanted: RememberInput) -> Remembered:
    if not wanted.wait or row.memory is None:
        return row
    return replace(row, memory=await context.services.enrich.settled(context.user_id, row.memory))


def _row_problem(row: RejectedRow) -> RowProblem:
    return RowProblem(index=row.index, problems=[Problem(**in_api_words(each)) for each in row.problems])


def _metadata(value: Json | None) -> Mapping[str, Any] | None:
    if value is strawberry.UNSET or value is None:
        return None
    if not isinstance(value, Mapping):
        raise_problems("metadata", [StoredProblem("metadata", "must be a JSON object")])
    return cast(Mapping[str, Any], value)

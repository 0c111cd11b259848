"""What the memory does while nobody asks: reports of its runs, what matters to the user, and what to tell them."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from api.fields import output
from api.nodes import Node
from api.pages import PageInfo
from api.scalars import Json
from api.users import Usage
from graph_memory.domain.drift import Drift
from graph_memory.domain.drift import PrioritySnapshot as StoredSnapshot
from graph_memory.domain.model_usage import UsageReport
from graph_memory.domain.notice import Notice as StoredNotice
from graph_memory.domain.sleep import Beat, Count, Run, RunStatus
from graph_memory.services.paging import Page

if TYPE_CHECKING:
    from api.memories import Memory

AMemory = Annotated["Memory", strawberry.lazy("api.memories")]


@output
class SleepReport(Node):
    """One run of a beat: what it did, or what a dry run would do."""

    beat: Beat
    status: RunStatus
    progress: float = strawberry.field(description="0 to 1.")
    dry_run: bool
    at: datetime = strawberry.field(description="The instant that it worked for.")
    started_at: datetime
    finished_at: datetime | None
    promoted: int
    merged: int
    distilled: int
    faded: int
    schemas: int
    insights: int
    contradictions: int
    links: int
    states_changed: int
    pruned: int
    plan: Json = strawberry.field(description="A list: what a dry run would do, piece by piece.")
    notes: list[str]
    statistics: Json = strawberry.field(description="Of housekeeping: what the graph held.")
    estimate: Usage | None = strawberry.field(
        description="Of a dry run: what a language model would be asked, at most; null: nothing, the rules answer."
    )

    @classmethod
    def of(cls, run: Run) -> "SleepReport":
        """The API type of a run."""
        counts = run.report.counts
        return cls(
            id=strawberry.ID(run.id),
            beat=run.beat,
            status=run.status,
            progress=run.progress,
            dry_run=run.dry_run,
            at=run.at,
            started_at=run.started_at,
            finished_at=run.finished_at,
            promoted=counts.get(Count.PROMOTED, 0),
            merged=counts.get(Count.MERGED, 0),
            distilled=counts.get(Count.DISTILLED, 0),
            faded=counts.get(Count.FADED, 0),
            schemas=counts.get(Count.SCHEMAS, 0),
            insights=counts.get(Count.INSIGHTS, 0),
            contradictions=counts.get(Count.CONTRADICTIONS, 0),
            links=counts.get(Count.LINKS, 0),
            states_changed=counts.get(Count.STATES_CHANGED, 0),
            pruned=counts.get(Count.PRUNED, 0),
            plan=Json([each.document() for each in run.report.plan]),
            notes=list(run.report.notes),
            statistics=Json(dict(run.report.statistics)),
            estimate=Usage.of(UsageReport.of(run.report.estimate)) if run.report.estimate else None,
        )


@output
class SleepReportEdge:
    """A run at its place in a list."""

    cursor: str
    node: SleepReport


@output
class SleepReportConnection:
    """A page of runs."""

    edges: list[SleepReportEdge]
    page_info: PageInfo

    @classmethod
    def of(cls, page: Page[Run]) -> "SleepReportConnection":
        """The API type of a page of runs."""
        edges = [
            SleepReportEdge(cursor=cursor, node=SleepReport.of(run))
            for cursor, run in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page))


@output
class PrioritySnapshot(Node):
    """What mattered to the user at a time: topics by weight, of sum 1."""

    at: datetime
    weights: Json
    similarity: float | None = strawberry.field(description="To the snapshot of a month before; null: there is none.")
    drift: Drift
    too_early: bool = strawberry.field(description="Whether it is called stable only for want of an old snapshot.")
    decision_ids: list[strawberry.ID] = strawberry.field(description="The decisions that make the change a pivot.")

    @classmethod
    def of(cls, snapshot: StoredSnapshot) -> "PrioritySnapshot":
        """The API type of a snapshot."""
        return cls(
            id=strawberry.ID(snapshot.id),
            at=snapshot.at,
            weights=Json(dict(snapshot.weights)),
            similarity=snapshot.similarity,
            drift=snapshot.drift,
            too_early=snapshot.too_early,
            decision_ids=[strawberry.ID(each) for each in snapshot.decision_ids],
        )


@output
class PrioritySnapshotEdge:
    """A snapshot at its place in a list."""

    cursor: str
    node: PrioritySnapshot


@output
class PrioritySnapshotConnection:
    """A page of snapshots."""

    edges: list[PrioritySnapshotEdge]
    page_info: PageInfo

    @classmethod
    def of(cls, page: Page[StoredSnapshot]) -> "PrioritySnapshotConnection":
        """The API type of a page of snapshots."""
        edges = [
            PrioritySnapshotEdge(cursor=cursor, node=PrioritySnapshot.of(each))
            for cursor, each in zip(page.cursors, page.items, strict=True)
        ]
        return cls(edges=edges, page_info=PageInfo.of(page))


@output
class Notice:
    """One thing that the user should hear of."""

    kind: str = strawberry.field(description="drift, fading_soon, contradiction or parked.")
    text: str
    at: datetime = strawberry.field(description="Since when it is so.")
    memories: list[AMemory]

    @classmethod
    def of(cls, notice: StoredNotice) -> "Notice":
        """The API type of a notice."""
        from api.memories import Memory

        memories = [Memory.of(each) for each in notice.memories]
        return cls(kind=notice.kind.value, text=notice.text, at=notice.at, memories=memories)

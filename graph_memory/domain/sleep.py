"""Sleep: its beats, and what a run of one reports (constants.md 2.7)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from graph_memory.domain.asked import Question
from graph_memory.domain.memory import Json
from graph_memory.domain.model_usage import Use, together
from graph_memory.domain.vocabulary import MemoryId, UserId


class Beat(StrEnum):
    """What the scheduler does from time to time."""

    LINK = "link"
    STATES = "states"
    CYCLE = "cycle"
    HOUSEKEEPING = "housekeeping"


class RunStatus(StrEnum):
    """How a run stands: refused where another one of the same beat and user was under way."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"


class Count(StrEnum):
    """What a report counts."""

    PROMOTED = "promoted"
    MERGED = "merged"
    DISTILLED = "distilled"
    FADED = "faded"
    SCHEMAS = "schemas"
    INSIGHTS = "insights"
    CONTRADICTIONS = "contradictions"
    LINKS = "links"
    STATES_CHANGED = "states_changed"
    PRUNED = "pruned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One thing that a dry run would do."""

    action: str  # a verb: promote, merge, distil, fade …
    memory_ids: tuple[MemoryId, ...] = ()  # whom it would change; of a merge the one that stays first
    text: str | None = None  # what would be written, or what the memory says
    detail: Mapping[str, Json] = field(default_factory=dict)  # numbers behind it: {"score": 17}

    def document(self) -> dict[str, Json]:
        """The same as JSON."""
        return {
            "action": self.action,
            "memories": [str(each) for each in self.memory_ids],
            "text": self.text,
            **self.detail,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    """What a step of a beat did, or of a dry run would do."""

    counts: Mapping[Count, int] = field(default_factory=dict)  # in a dry run: of what would be done
    plan: tuple[Planned, ...] = ()  # of a dry run alone
    # For people: what failed, what a bound left for the next run, who answered. A note quotes no memory.
    notes: tuple[str, ...] = ()
    statistics: Mapping[str, Json] = field(default_factory=dict)  # of housekeeping: what the graph holds
    estimate: Mapping[Question, Use] = field(default_factory=dict)  # of a dry run: what a model would be asked, at most

    def plus(self, other: "StepReport") -> "StepReport":
        """Both, one after the other."""
        counts = Counter(self.counts)
        counts.update(other.counts)
        return StepReport(
            counts=dict(counts),
            plan=self.plan + other.plan,
            notes=self.notes + other.notes,
            statistics={**self.statistics, **other.statistics},
            estimate=together(self.estimate, other.estimate),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a beat, as its report tells it."""

    id: str
    user_id: UserId
    beat: Beat
    status: RunStatus
    at: datetime  # the instant that its steps worked for
    started_at: datetime
    alive_until: datetime  # while it runs: when it counts as dead unless it shows that it lives
    finished_at: datetime | None = None
    dry_run: bool = False
    progress: float = 0.0  # 0..1
    report: StepReport = field(default_factory=StepReport)

    def seen(self, now: datetime) -> "Run":
        """The run as it truly stands at `now`: one that shows no life any more has failed, whatever it last wrote."""
        if self.status is not RunStatus.RUNNING or now < self.alive_until:
            return self
        return replace(
            self,
            status=RunStatus.FAILED,
            finished_at=self.alive_until,
            report=self.report.plus(StepReport(notes=(LOST_WORKER,))),
        )

    @property
    def did_nothing(self) -> bool:
        """Whether there is nothing to tell of it."""
        return not any(self.report.counts.values()) and not self.report.notes


LOST_WORKER = "its worker was lost before the end; the next run goes on where it stopped"


def bounded(report: StepReport, *, most_planned: int, most_characters: int, most_notes: int) -> StepReport:
    """The report at a size that can be stored, saying what it left out."""
    plan = tuple(
        replace(each, text=each.text if each.text is None else shortened(each.text, most_characters))
        for each in report.plan[:most_planned]
    )
    notes = report.notes[:most_notes]
    if (left := len(report.plan) - len(plan)) > 0:
        notes += (f"the plan has {left} more entries than are shown",)
    if (left := len(report.notes) - most_notes) > 0:
        notes += (f"{left} more notes",)
    return replace(report, plan=plan, notes=notes)


def shortened(text: str, most: int) -> str:
    """The text, cut with a sign of it where it is longer than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"

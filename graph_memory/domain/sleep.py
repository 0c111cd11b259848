"""Sleep: its beats, and what a run of one reports (constants.md 2.7)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from graph_memory.domain.memory import Json
from graph_memory.domain.vocabulary import MemoryId


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
    notes: tuple[str, ...] = ()  # for people: what failed, what a bound left for the next run, who answered

    def plus(self, other: "StepReport") -> "StepReport":
        """Both, one after the other."""
        counts = Counter(self.counts)
        counts.update(other.counts)
        return replace(self, counts=dict(counts), plan=self.plan + other.plan, notes=self.notes + other.notes)

"""The words of the domain as enums of the API: member names in upper case, values as they are stored."""

import strawberry

from graph_memory.domain.decision import DecisionStatus, Outcome
from graph_memory.domain.depth import Depth
from graph_memory.domain.drift import Drift
from graph_memory.domain.link import LinkFamily, LinkType
from graph_memory.domain.sleep import Beat, RunStatus
from graph_memory.domain.vocabulary import (
    Category,
    EnrichmentStatus,
    EpistemicType,
    Horizon,
    Intent,
    Kind,
    Lane,
    MemoryOrder,
    RecallMode,
    Source,
    State,
    Tier,
    WriteOperation,
)

_SAME_NAME = (
    Beat,
    Category,
    DecisionStatus,
    Depth,
    Drift,
    EnrichmentStatus,
    EpistemicType,
    Horizon,
    Intent,
    Lane,
    LinkFamily,
    LinkType,
    MemoryOrder,
    Outcome,
    RecallMode,
    RunStatus,
    Source,
    Tier,
    WriteOperation,
)


def register() -> None:
    """Makes the domain's own classes usable in annotations of the API."""
    for each in _SAME_NAME:
        strawberry.enum(each, description=_first_line(each))
    strawberry.enum(Kind, name="MemoryKind", description=_first_line(Kind))
    strawberry.enum(State, name="MemoryState", description=_first_line(State))


def _first_line(enum: type) -> str:
    return (enum.__doc__ or "").strip().splitlines()[0]

"""One life from its making to its report, on any server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from graph_memory.bootstrap import Services, embedder_of, open_services
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Embedder
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock
from tests.simulation import laws
from tests.simulation.costs import Calls, CountedEmbedder
from tests.simulation.laws import Superseded, Trace
from tests.simulation.life import Life
from tests.simulation.play import Pace, Player
from tests.simulation.record import Played
from tests.simulation.trail import open_trail


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """A life that was played, and what the graph holds of it."""

    life: Life
    played: Played
    trail: tuple[Trace, ...]
    superseded: tuple[Superseded, ...]


@asynccontextmanager
async def lived(
    settings: Settings, life: Life, user_id: UserId, *, pace: Pace, embedder: Embedder | None = None
) -> AsyncIterator[tuple[Lived, Services]]:
    """The life, played for that user; the product stays open, on the clock of the last instant."""
    settings = replace(settings, decay=replace(settings.decay, allow_future=True))
    calls, clock = Calls(), FixedClock(life.starts_at)
    counted = CountedEmbedder(embedder or await embedder_of(settings), calls)
    async with (
        open_services(settings, embedder=counted, clock=clock) as services,
        open_trail(settings, user_id) as trail,
    ):
        player = Player(services, clock, trail, life=life, user_id=user_id, calls=calls, pace=pace)
        played = await player.play()
        changes, superseded = await trail.changes(), await trail.superseded()
        yield Lived(life=life, played=played, trail=tuple(changes), superseded=tuple(superseded)), services


def breaches(lived_through: Lived) -> dict[str, list[str]]:
    """Every law with what breaks it."""
    life, played = lived_through.life, lived_through.played
    return {
        "strength, pins and hiding": played.breaches,
        "supersession": list(laws.supersession_breaches(played.shown, lived_through.superseded)),
        "spacing": list(laws.spacing_breaches(life, played)),
        "context": list(laws.context_breaches(played.contexts)),
        "trail": list(laws.trail_breaches(played.memories, lived_through.trail)),
        "runs that failed": played.failed,
        "report": list(laws.report_breaches(played.reported, lived_through.trail)),
    }

"""Everything that has an id, and how a stored thing becomes its API type."""

import strawberry

from api import enums
from graph_memory.domain.change import Change as StoredChange
from graph_memory.domain.drift import PrioritySnapshot
from graph_memory.domain.episode import Episode as StoredEpisode
from graph_memory.domain.episode import Turn as StoredTurn
from graph_memory.domain.link import Link as StoredLink
from graph_memory.domain.memory import Memory as StoredMemory
from graph_memory.domain.sleep import Run
from graph_memory.services.inspect import Node as StoredNode

enums.register()  # before any class of the API is annotated with them


@strawberry.interface(description="Anything with an id. Ids are opaque.")
class Node:
    """Anything with an id."""

    id: strawberry.ID


def shown(stored: StoredNode | Run | PrioritySnapshot) -> Node:
    """The API type of a stored memory, person, entity, link, episode, turn, audit row, run or snapshot."""
    from api.episodes import Episode, Turn
    from api.history import Change
    from api.links import Link
    from api.memories import Memory
    from api.names import named
    from api.sleep import PrioritySnapshot as ShownSnapshot
    from api.sleep import SleepReport

    if isinstance(stored, StoredMemory):
        return Memory.of(stored)
    if isinstance(stored, StoredChange):
        return Change.of(stored)
    if isinstance(stored, Run):
        return SleepReport.of(stored)
    if isinstance(stored, PrioritySnapshot):
        return ShownSnapshot.of(stored)
    if isinstance(stored, StoredEpisode):
        return Episode.of(stored)
    if isinstance(stored, StoredTurn):
        return Turn.of(stored)
    return Link.of(stored) if isinstance(stored, StoredLink) else named(stored)

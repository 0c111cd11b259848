"""What was drawn from turns, and what waits to be."""

from datetime import datetime

import strawberry

from api.fields import output
from graph_memory.ports import WaitingTurn as StoredWaitingTurn
from graph_memory.services.extract import Extracted


@output
class WaitingTurn:
    """A turn that nothing was drawn from yet."""

    turn_id: strawberry.ID
    episode_id: strawberry.ID
    attempts: int
    problem: str | None = strawberry.field(description="Why the last try failed.")
    due_at: datetime | None = strawberry.field(description="When it is tried next; null: it is parked.")

    @classmethod
    def of(cls, turn: StoredWaitingTurn) -> "WaitingTurn":
        """The API type of a waiting turn."""
        return cls(
            turn_id=strawberry.ID(turn.id),
            episode_id=strawberry.ID(turn.episode_id),
            attempts=turn.attempts,
            problem=turn.problem,
            due_at=turn.due_at,
        )


@output
class ExtractionReport:
    """What came of the turns that were due."""

    turns: int
    facts: int
    observations: int
    decisions: int
    persons: int
    dropped: int = strawberry.field(description="Items that no message bears out, or whose text was erased.")
    failed: int = strawberry.field(description="Turns that nothing could be drawn from; they are tried again.")
    parked: int = strawberry.field(description="Those of them that were tried often enough.")
    contradictions: int = strawberry.field(description="That new decisions and preferences stand in, found at once.")
    notes: list[str]

    @classmethod
    def of(cls, done: Extracted) -> "ExtractionReport":
        """The API type of a report."""
        return cls(
            turns=done.turns,
            facts=done.facts,
            observations=done.observations,
            decisions=done.decisions,
            persons=done.persons,
            dropped=done.dropped,
            failed=done.failed,
            parked=done.parked,
            contradictions=done.contradictions,
            notes=list(done.notes),
        )

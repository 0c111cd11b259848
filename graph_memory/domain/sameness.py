"""What makes a memory the same one again, also after it was changed (operations.md, identity)."""

from datetime import datetime

from graph_memory.domain.identity import content_hash
from graph_memory.domain.memory import Memory


def hash_of(memory: Memory, *, occurred_at: datetime | None = None) -> str:
    """The content hash of a memory; for an episode with the date that it was told with, if any."""
    text = memory.text if memory.decision is None else f"{memory.decision.head_key}\n{memory.text}"
    return content_hash(
        memory.user_id,
        bucket=memory.bucket,
        lane=memory.lane,
        kind=memory.kind,
        text=text,
        speaker=memory.speaker,
        occurred_at=occurred_at,
    )


def hash_after(before: Memory, after: Memory) -> str:
    """The content hash of a memory that was changed.

    An episode written without a date is told apart without one, and stays so unless it got one now.
    """
    dated = after.occurred_at != before.occurred_at or before.content_hash == hash_of(
        before, occurred_at=before.occurred_at
    )
    return hash_of(after, occurred_at=after.occurred_at if dated else None)

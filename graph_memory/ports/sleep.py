"""What a beat of sleep asks of its steps, and what a step may ask of the run that it belongs to.

A beat is a list of steps, joined in `bootstrap.py`; `services/sleep.py` runs them in that order for one user, under a
lease that no other worker holds for the same user and beat. A step is a service of its own: it needs to know neither
leases nor reports, only this:

- *Bounded.* One call does a bounded amount of work; what is left waits for the next run.
- *In pieces.* Each piece (a cluster, a merge, a pair, a batch) is one transaction that checks again what it rests on:
  a worker may lose its lease between two pieces, and the next one starts from the graph alone.
- *Idempotent.* A second call with the same `at` finds nothing to do.
- *Pulse.* Before each piece it awaits `pulse(so_far, done=…, total=…)`, which tells how far the step has come and
  raises `LeaseLostError` when the job is no longer this worker's; a step lets that error pass.
- *Dry.* With `dry_run` it writes nothing and asks no model; its report counts what would be done, lists it in `plan`,
  and tells in `estimate` what a model would be asked for it.
- *Failure.* A GraphMemoryError ends the step alone: the report keeps what the last pulse was told, and the next step
  goes on. What a model could not answer is no failure: the rules answer, and a note says so.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from graph_memory.domain.sleep import StepReport
from graph_memory.domain.vocabulary import UserId


class Pulse(Protocol):
    """How a step shows that it lives."""

    async def __call__(self, so_far: StepReport, *, done: int, total: int) -> None:
        """Stores how far the step has come, and keeps the lease. Raises LeaseLostError: stop, another goes on.

        Args:
            so_far: all that the step did in this call, so that the report is right even if it dies now.
            done: how many pieces are behind it, of `total`.
        """


class SleepStep(Protocol):
    """One step of a beat, for one user."""

    @property
    def name(self) -> str:
        """One word or two for the report: "promote", "merge", "distil", "snapshot"."""

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        """Does what is due for a user.

        Args:
            at: the instant that the step works for, in UTC: "now" in every rule and the `at` of every Change.
        """


class DueUsers(Protocol):
    """Finds the users for whom a beat has something to do."""

    async def __call__(self, *, at: datetime, limit: int) -> Sequence[UserId]:
        """Some of them, the longest due first; by an index over what is due, never by a scan of memories."""

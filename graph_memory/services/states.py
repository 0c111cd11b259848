"""The steps of the beat of states, for one user who asks for it (operations.md, Time).

The scheduler does the same for all users at once (services/beats.py); no answer waits for either.
"""

from datetime import datetime

from graph_memory.domain.sleep import Count, Planned, StepReport
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import Pulse
from graph_memory.services.beats import FALLS, Beats
from graph_memory.settings import DecaySettings


class StateLabels:
    """Moves the labels that people see: one level, for whatever has passed its next date."""

    name = "state labels"

    def __init__(self, beats: Beats) -> None:
        self._beats = beats

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        due = await self._beats.due(user_id, at=at)
        total = sum(due.values())
        if dry_run:
            plan = tuple(
                Planned(action=f"lower to {low}", detail={"count": due[high]})
                for high, low in reversed(FALLS)
                if due.get(high)
            )
            return StepReport(counts={Count.STATES_CHANGED: total}, plan=plan)
        moved = 0
        for high, low in FALLS:
            await pulse(_changed(moved), done=moved, total=max(moved, total))
            while batch := await self._beats.lower_batch(user_id, high, low, at=at):
                moved += batch
                await pulse(_changed(moved), done=moved, total=max(moved, total))
        return _changed(moved)


class StaleDates:
    """Solves dates anew that follow other settings than those in use, up to a bound."""

    name = "stale dates"

    def __init__(self, beats: Beats, settings: DecaySettings) -> None:
        self._beats, self._settings = beats, settings

    async def __call__(self, user_id: UserId, *, at: datetime, dry_run: bool, pulse: Pulse) -> StepReport:
        stale = await self._beats.stale(user_id)
        if not stale:
            return StepReport()
        if dry_run:
            return StepReport(plan=(Planned(action="solve stale dates anew", detail={"count": stale}),))
        done = 0
        await pulse(_redated(done), done=done, total=stale)
        while done < self._settings.redate_most and (batch := await self._beats.redate_batch(user_id)):
            done += batch
            await pulse(_redated(done), done=done, total=max(done, stale))
        return _redated(done)


def _changed(labels: int) -> StepReport:
    return StepReport(counts={Count.STATES_CHANGED: labels})


def _redated(memories: int) -> StepReport:
    return StepReport(notes=(f"the stored dates of {memories} memories were solved anew",))

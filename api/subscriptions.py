"""The root of subscriptions."""

from collections.abc import AsyncIterator

import strawberry

from api.context import ApiInfo
from api.fields import output, streams
from api.given import given
from api.sleep import SleepReport


@output
class Subscription:
    """What can be followed, over a WebSocket (api/websocket.py)."""

    @streams("Each new standing of one run until it has ended; without an id, of all runs from now on.")
    async def sleep_progress(
        self, info: ApiInfo, run_id: strawberry.ID | None = strawberry.UNSET
    ) -> AsyncIterator[SleepReport]:
        async for run in info.context.services.sleep.follow(info.context.user_id, given(run_id)):
            yield SleepReport.of(run)

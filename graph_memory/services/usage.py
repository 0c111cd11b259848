"""Usage: what a user's questions to language models used."""

from datetime import datetime

from graph_memory.domain.dates import in_utc
from graph_memory.domain.model_usage import UsageReport
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import ModelLedger
from graph_memory.services.user_book import UserBook
from graph_memory.services.zones import zone_of


class Usage:
    """Reads the ledger of model calls."""

    def __init__(self, *, ledger: ModelLedger, users: UserBook) -> None:
        self._ledger, self._users = ledger, users

    async def __call__(self, user_id: UserId, *, since: datetime | None = None) -> UsageReport:
        """What was used from the day (of UTC) of an instant on, that whole day included; None: ever.

        An instant without an offset is read in the user's zone.
        """
        if since is None:
            return await self._ledger.report(user_id)
        zone = since.tzinfo or zone_of((await self._users.of(user_id)).time_zone)
        return await self._ledger.report(user_id, since=in_utc(since, zone=zone).date())

"""What each user chose, held ready so that no write and no recall has to ask for it."""

import asyncio
from collections import OrderedDict

from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import UserSettings, UserStore


class UserBook:
    """The settings of users, at most a few seconds old; the defaults for one who has none yet."""

    def __init__(self, users: UserStore, defaults: UserSettings, *, refresh_seconds: float, most_users: int) -> None:
        self._users, self._defaults = users, defaults
        self._refresh_seconds, self._most_users = refresh_seconds, most_users
        self._held: OrderedDict[UserId, tuple[UserSettings, float]] = OrderedDict()

    async def of(self, user_id: UserId) -> UserSettings:
        """What a user chose."""
        now = asyncio.get_running_loop().time()
        held = self._held.get(user_id)
        if held is not None and now - held[1] <= self._refresh_seconds:
            return held[0]
        chosen = await self._users.settings(user_id) or self._defaults
        self._held[user_id] = (chosen, now)
        self._held.move_to_end(user_id)
        while len(self._held) > self._most_users:
            self._held.popitem(last=False)
        return chosen

    def drop(self, user_id: UserId) -> None:
        """Forgets what was held, after the user chose otherwise or went."""
        self._held.pop(user_id, None)

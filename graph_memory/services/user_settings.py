"""A user's own settings: time zone and tier profile (operations.md, updateSettings).

Nothing stored is computed anew when they change. Tier and relevance are functions of the last touch and the profile,
reckoned at each read; a touch is dated by the profile of its time, and stays. Every stored instant is in UTC; the day
that a memory is found by ("8 May 2023") is the one that its user lived through, and stays too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from graph_memory.domain.change import Action, Change
from graph_memory.domain.tiers import TIER_PROFILES
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InvalidValueError, Problem
from graph_memory.ports import Clock, Ids, UserSettings, UserStore
from graph_memory.services.user_book import UserBook
from graph_memory.services.zones import zone_of
from graph_memory.settings import Settings


class ChangeSettings:
    """Changes what a user chose."""

    def __init__(self, *, users: UserStore, book: UserBook, clock: Clock, ids: Ids, settings: Settings) -> None:
        self._book = book
        self._users, self._clock, self._ids, self._settings = users, clock, ids, settings

    async def __call__(
        self, user_id: UserId, *, time_zone: str | None = None, tier_profile: str | None = None
    ) -> UserSettings:
        """The settings as they then are; None leaves one as it is. Raises InvalidValueError.

        Args:
            time_zone: an IANA name.
            tier_profile: default, sales or research.
        """
        if problems := list(_problems(time_zone, tier_profile)):
            raise InvalidValueError("updateSettings", problems)
        now = self._clock.now()

        def chosen(before: UserSettings) -> tuple[UserSettings, Sequence[Change]]:
            after = replace(
                before,
                time_zone=before.time_zone if time_zone is None else time_zone,
                tier_profile=before.tier_profile if tier_profile is None else tier_profile,
            )
            return after, [
                Change(
                    id=self._ids.new(),
                    target_id=user_id,
                    at=now,
                    action=Action.SETTINGS,
                    field=name,
                    before=getattr(before, name),
                    after=getattr(after, name),
                )
                for name in ("time_zone", "tier_profile")
                if getattr(before, name) != getattr(after, name)
            ]

        otherwise = UserSettings(tier_profile=self._settings.decay.tier_profile)
        after = await self._users.change_settings(user_id, chosen, otherwise=otherwise, at=now)
        self._book.drop(user_id)
        return after


def _problems(time_zone: str | None, tier_profile: str | None) -> Iterable[Problem]:
    if time_zone is not None:
        try:
            zone_of(time_zone)
        except InvalidValueError as error:
            yield from error.problems
    if tier_profile is not None and tier_profile not in TIER_PROFILES:
        yield Problem("tier_profile", f"is {tier_profile!r}; there are {', '.join(sorted(TIER_PROFILES))}")

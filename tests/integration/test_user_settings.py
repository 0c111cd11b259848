"""What a user chooses: checked, stored, written down, and felt at the next read."""

import asyncio
from datetime import timedelta

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.tiers import tier
from graph_memory.domain.vocabulary import Tier, UserId
from graph_memory.errors import InvalidValueError
from graph_memory.ports import UserSettings
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.integration.graph import Graph

CHANGES = """
MATCH (c:Change {user_id: $user_id}) WHERE c.action = 'settings'
RETURN c.field AS field, c.before AS before, c.after AS after, c.target_id AS target ORDER BY c.id
"""


async def test_a_choice_is_kept_and_written_down(services: Services, user: UserId, graph: Graph):
    chosen = await services.change_settings(user, time_zone="Europe/Lisbon", tier_profile="sales")

    rows = await graph.run(CHANGES, user_id=user)

    assert chosen == UserSettings(time_zone="Europe/Lisbon", tier_profile="sales")
    assert await services.inspect.settings(user) == chosen
    assert rows == [
        {"field": "time_zone", "before": '"UTC"', "after": '"Europe/Lisbon"', "target": user},
        {"field": "tier_profile", "before": '"default"', "after": '"sales"', "target": user},
    ]


async def test_what_is_left_out_stays_and_the_same_again_is_no_change(services: Services, user: UserId, graph: Graph):
    await services.change_settings(user, tier_profile="research")

    again = await services.change_settings(user, tier_profile="research", time_zone="UTC")

    assert again == UserSettings(time_zone="UTC", tier_profile="research")
    assert len(await graph.run(CHANGES, user_id=user)) == 1


async def test_every_wrong_choice_is_named_and_nothing_is_kept(services: Services, user: UserId, graph: Graph):
    with pytest.raises(InvalidValueError) as caught:
        await services.change_settings(user, time_zone="Europe/Atlantis", tier_profile="hurried")

    assert [problem.field for problem in caught.value.problems] == ["time_zone", "tier_profile"]
    assert await graph.run("MATCH (u:User {user_id: $user_id}) RETURN u", user_id=user) == []


@pytest.mark.parametrize("zone", ["", "../etc/passwd", "Europe", "+01:00", "no\0zone", "x" * 5_000])
async def test_what_is_no_zone_is_refused(services: Services, user: UserId, zone: str):
    with pytest.raises(InvalidValueError):
        await services.change_settings(user, time_zone=zone)


async def test_a_profile_is_felt_at_the_next_read_and_rewrites_no_memory(
    settings: Settings, user: UserId, clock: FixedClock, graph: Graph
):
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as services:
        memory = (await services.remember(user, MemoryDraft(text="The desk is oak."))).memory
        assert memory is not None
        before = await graph.run("MATCH (m:Memory {id: $id}) RETURN m", id=memory.id)
        clock.advance(timedelta(days=5))

        chosen = await services.change_settings(user, tier_profile="sales")
        stats = await services.inspect.stats(user)

    profile = settings.tier_profile(chosen.tier_profile)
    assert tier(memory.touched_at, clock.now(), profile=profile) is Tier.WARM
    assert stats.by_tier == {"warm": 1}
    assert await graph.run("MATCH (m:Memory {id: $id}) RETURN m", id=memory.id) == before


async def test_choices_made_at_once_all_count(services: Services, user: UserId, graph: Graph):
    zones = ["Europe/Lisbon", "Asia/Tokyo", "America/Lima", "Africa/Lagos"]

    await asyncio.gather(*(services.change_settings(user, time_zone=zone) for zone in zones))
    rows = await graph.run(CHANGES, user_id=user)

    befores, afters = [row["before"] for row in rows], [row["after"] for row in rows]
    assert sorted(afters) == sorted(f'"{zone}"' for zone in zones)
    assert sorted(befores) == sorted(['"UTC"', *(each for each in afters if each != _last(befores, afters))])


def _last(befores: list[str], afters: list[str]) -> str:
    [last] = set(afters) - set(befores)
    return last

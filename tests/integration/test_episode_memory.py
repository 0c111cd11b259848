"""What episodes leave in the mind: the relationship, searches, the agent's context, and what an erasure takes along."""

from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.episode import Episode, TurnDraft
from graph_memory.domain.prompt_text import tokens
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InvalidValueError, NotFoundError
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.integration.graph import Graph

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SECRETS = ("zanzibar", "quetzal")


async def chat(services: Services, user: UserId, start: datetime, *texts: str, minutes: float = 10) -> Episode:
    """An ended episode: user and assistant by turns, a minute apart."""
    episode = await services.episodes.start(user, at=start)
    turns = [
        TurnDraft(role=("user", "assistant")[place % 2], content=text, at=start + place * MINUTE)
        for place, text in enumerate(texts)
    ]
    await services.episodes.add_turns(user, episode.id, turns)
    return await services.episodes.end(user, episode.id, at=start + minutes * MINUTE)


async def found(services: Services, user: UserId, query: str) -> list[tuple[str, float]]:
    page = await services.find_episodes.search(user, query, first=10, after=None)
    return [(each.episode.id, each.score) for each in page.items]


# The relationship


async def test_streaks_are_counted_by_the_start_in_the_users_zone(timed: Services, user: UserId):
    await timed.change_settings(user, time_zone="Europe/Madrid")
    starts = [
        datetime(2031, 3, 28, 23, 30, tzinfo=UTC),  # 29 March, 00:30
        datetime(2031, 3, 30, 21, 50, tzinfo=UTC),  # 30 March, 23:50, when the clocks have gone forward
        datetime(2031, 3, 30, 22, 10, tzinfo=UTC),  # 31 March, 00:10
    ]

    for start in starts:
        await chat(timed, user, start, "Hello there.", "Hi.", minutes=30)
    relationship = await timed.relationship(user)

    assert (relationship.streak_days, relationship.sessions, relationship.minutes) == (3, 3, 90.0)
    assert relationship.start_hours == (0, 23, 0)


async def test_another_zone_counts_other_days_at_once(timed: Services, user: UserId):
    for start in (NOON + 9 * HOUR, NOON + 30 * HOUR):  # 21:00 and, the day after, 18:00 in UTC
        await chat(timed, user, start, "Hello there.", "Hi.")
    in_utc = await timed.relationship(user)

    await timed.change_settings(user, time_zone="Asia/Tokyo")  # 06:00 of 2 May, and 03:00 of 3 May
    in_tokyo = await timed.relationship(user)
    await chat(timed, user, NOON + 60 * HOUR, "Hello there.", "Hi.")  # 09:00 of 4 May

    assert (in_utc.start_hours, in_tokyo.start_hours) == ((21, 18), (6, 3))
    assert (await timed.relationship(user)).start_hours == (6, 3, 9)
    assert (await timed.relationship(user)).streak_days == 3


async def test_an_episode_that_comes_late_fills_its_day_and_resets_nothing(timed: Services, user: UserId):
    for days in (0, 2, 3):
        await chat(timed, user, NOON + days * DAY, "Hello there.", "Hi.")
    before = await timed.relationship(user)

    await chat(timed, user, NOON + DAY, "I am late.", "Hi.")

    after = await timed.relationship(user)
    assert (before.streak_days, after.streak_days, after.longest_streak_days) == (2, 4, 4)
    assert (after.last_at, after.sessions) == (before.last_at, 4)


async def test_a_deleted_episode_takes_its_words_out_of_the_relationship(timed: Services, user: UserId):
    kept = await chat(timed, user, NOON, "The kayak leaks. I'm happy.", "The kayak?", "Yes, the kayak.", "Oh.")
    gone = await chat(
        timed, user, NOON + DAY, "Our running joke about the duck. I'm tired.", "The duck!", "The duck, yes.", "Ha."
    )
    both = await timed.relationship(user)

    await timed.episodes.delete(user, gone.id)

    left = await timed.relationship(user)
    assert (both.inside_jokes, both.mood, [each.text for each in both.topics]) == (
        ("the duck",),
        "tired",
        ["kayak", "duck"],
    )
    assert (left.inside_jokes, left.mood, [each.text for each in left.topics]) == ((), "happy", ["kayak"])
    assert (left.sessions, left.streak_days) == (1, 1)
    await timed.episodes.delete(user, kept.id)
    assert (await timed.relationship(user)).sessions == 0


async def test_users_have_relationships_of_their_own(timed: Services, user: UserId, other_user: UserId):
    await chat(timed, user, NOON, "Our running joke about the duck.", "Ha.")

    assert (await timed.relationship(user)).sessions == 1
    assert (await timed.relationship(other_user)).sessions == 0
    assert await found(timed, other_user, "duck joke") == []
    assert await timed.find_episodes.recent_turns(other_user) == []


# Searching


async def test_a_search_weighs_the_fields_of_an_episode(timed: Services, user: UserId, clock: FixedClock):
    kayak = await chat(timed, user, NOON - 30 * DAY, "The kayak leaks.", "Does it?", "The kayak leaks a lot.", "Oh.")
    spoken = await chat(timed, user, NOON - 40 * DAY, "Hello there.", "We could take the kayak.")
    decided = await chat(timed, user, NOON - 2 * DAY, "Hello you. We decided to sell the kayak.", "Well.")
    clock.set(NOON)

    assert await found(timed, user, "kayak") == [
        (decided.id, 10 + 4 + 1 + 1),  # summary, decision, transcript, and younger than a week; the later of the two
        (kayak.id, 10 + 5 + 1),  # summary, topic, transcript
        (spoken.id, 1),
    ]
    assert await found(timed, user, "sell") == [(decided.id, 10 + 4 + 1 + 1)]
    assert await found(timed, user, "selling kayaks")
    assert await found(timed, user, "glacier") == []


@pytest.mark.parametrize("query", ["", " ", "?!", "the of", "kayak AND (", "title:", '"kayak', "/kayak/", "-kayak~2^9"])
async def test_whatever_is_typed_is_only_words(timed: Services, user: UserId, query: str):
    episode = await chat(timed, user, NOON, "The kayak leaks.", "Does it?")

    if not query.strip():
        with pytest.raises(InvalidValueError):
            await found(timed, user, query)
    else:
        assert [each for each, _ in await found(timed, user, query)] == ([episode.id] if "kayak" in query else [])


async def test_scripts_without_blanks_accents_and_times_are_found(timed: Services, user: UserId):
    chinese = await chat(timed, user, NOON, "周末去河边钓鱼", "好的")
    accented = await chat(timed, user, NOON + HOUR, "La canción de Chloé a las 18:40", "Claro")

    assert [each for each, _ in await found(timed, user, "钓鱼")] == [chinese.id]
    assert [each for each, _ in await found(timed, user, "canción")] == [accented.id]
    assert [each for each, _ in await found(timed, user, "18:40")] == [accented.id]


async def test_pages_of_a_search_hold_each_episode_once_and_older_ones_than_the_list(
    settings: Settings, user: UserId, clock: FixedClock
):
    few = Settings.from_environment({"GRAPH_MEMORY_CURATION__EPISODES_LISTED": "4"})
    async with open_services(
        Settings(neo4j=settings.neo4j, curation=few.curation, home=settings.home, cache=settings.cache),
        embedder=HashingEmbedder(),
        clock=clock,
    ) as services:
        episodes = [await chat(services, user, NOON + day * DAY, "The kayak leaks.", "Oh.") for day in range(7)]
        clock.set(NOON + 60 * DAY)
        seen: list[str] = []
        after = None
        while True:
            page = await services.find_episodes.search(user, "kayak", first=3, after=after)
            seen += [each.episode.id for each in page.items]
            after = page.next_cursor
            if after is None:
                break
        listed = await services.find_episodes.listed(user, first=10, after=None)

        assert seen == [each.id for each in reversed(episodes)]
        assert [each.id for each in listed.items] == [each.id for each in reversed(episodes)][:4]
        assert not listed.has_next


# The context


async def test_an_agent_is_told_of_the_last_five_episodes_the_oldest_first(
    timed: Services, user: UserId, clock: FixedClock
):
    for hours in (9 * 24, 100, 50, 26, 3, 0.5):
        await chat(timed, user, NOON - hours * HOUR, f"Number {hours} of the kayak.", "The kayak?", minutes=5)
    clock.set(NOON)

    text = await timed.agent_context(user)
    fewer = await timed.agent_context(user, episodes=1)

    ages = ["4 days ago: Number 100", "2 days ago: Number 50", "yesterday: Number 26", "3h ago:", "30m ago:"]
    assert [text.count(each) for each in ages] == [1] * 5
    assert sorted(ages, key=text.index) == ages
    assert "22 April: " not in text
    assert "(kayak)" in text
    assert "6 conversations" in text
    assert text.index("Talked of lately") < text.index("You and the user")
    assert (fewer.count("of the kayak. (kayak)"), "30m ago" in fewer) == (1, True)
    assert "Talked of lately" not in await timed.agent_context(user, episodes=0)


async def test_too_many_episodes_for_their_share_leave_the_latest(timed: Services, user: UserId):
    for hour in range(5):
        await chat(timed, user, NOON - (10 - hour) * HOUR, f"Chapter {hour} " + "word " * 30, "Oh.")

    text = await timed.agent_context(user, token_budget=300)

    told = [hour for hour in range(5) if f"ago: Chapter {hour}" in text]
    lines = [line for line in text.splitlines() if "ago: Chapter" in line]
    assert 0 < len(told) < 5
    assert told == list(range(5))[-len(told) :]
    assert tokens("\n".join(lines)) <= 90
    assert tokens(text) <= 300


@pytest.mark.parametrize("episodes", [-1, 10_000])
async def test_a_number_of_episodes_out_of_range_is_refused(timed: Services, user: UserId, episodes: int):
    with pytest.raises(InvalidValueError, match="episodes"):
        await timed.agent_context(user, episodes=episodes)


async def test_another_bucket_is_told_of_no_chat(timed: Services, user: UserId):
    await chat(timed, user, NOON, "The kayak leaks.", "Oh.")

    assert "The kayak leaks" not in await timed.agent_context(user, bucket="Boat")
    assert "The kayak leaks" in await timed.agent_context(user, bucket="default")


# Erasing


async def test_an_erased_memory_takes_its_exchange_and_its_share_of_the_summary_along(
    timed: Services, user: UserId, graph: Graph
):
    episode = await chat(
        timed,
        user,
        NOON,
        *("We met Quetzal in Zanzibar. We decided to marry in Zanzibar.", "In Zanzibar, with Quetzal?"),
        *("Our running joke about Quetzal. The kayak leaks, too.", "Quetzal! And the kayak?"),
        *("Yes, the kayak.", "I see."),
    )
    rows = await graph.run(
        "MATCH (m:Memory {user_id: $user_id}) WHERE m.text CONTAINS 'Quetzal' RETURN m.id AS id", user_id=user
    )
    assert len(rows) == 2

    for row in rows:
        await timed.amend.erase(user, row["id"])

    after = await timed.find_episodes.episode(user, episode.id)
    dump = repr(await graph.dump(user)).lower()
    assert [secret for secret in SECRETS if secret in dump] == []
    assert after.turn_count == 2
    assert after.digest is not None
    assert (after.digest.summary, after.digest.topics, after.digest.key_decisions) == ("Yes, the kayak.", (), ())
    assert (await timed.relationship(user)).inside_jokes == ()
    assert (await timed.relationship(user)).sessions == 1
    assert await graph.value("MATCH (:Turn {user_id: $user_id})-[r:NEXT]->() RETURN count(r)", user_id=user) == 1


async def test_an_episode_of_which_too_little_is_left_is_summed_up_no_more(timed: Services, user: UserId, graph: Graph):
    episode = await chat(timed, user, NOON, "We met Quetzal.", "Quetzal?")
    memory_id = await graph.value("MATCH (m:Memory {user_id: $user_id}) RETURN m.id", user_id=user)

    await timed.amend.erase(user, memory_id)

    after = await timed.find_episodes.episode(user, episode.id)
    assert (after.turn_count, after.digest) == (0, None)
    assert (await timed.relationship(user)).sessions == 0
    assert await found(timed, user, "Quetzal") == []
    with pytest.raises(NotFoundError):
        await timed.amend.erase(user, memory_id)


async def test_an_open_episode_goes_on_after_an_erasure(timed: Services, user: UserId, graph: Graph):
    [episode] = await timed.episodes.say(user, [TurnDraft(role="user", content="We met Quetzal.")])
    memory_id = await graph.value("MATCH (m:Memory {user_id: $user_id}) RETURN m.id", user_id=user)

    await timed.amend.erase(user, memory_id)
    [same] = await timed.episodes.say(user, [TurnDraft(role="user", content="The kayak leaks.")])

    assert (same.id, same.turn_count) == (episode.id, 1)
    assert "quetzal" not in repr(await graph.dump(user)).lower()


async def test_erasing_everything_leaves_no_episode_turn_or_relationship(timed: Services, user: UserId, graph: Graph):
    await chat(timed, user, NOON, "We met Quetzal.", "Quetzal?")
    await timed.episodes.say(user, [TurnDraft(role="user", content="And again.")])

    await timed.amend.erase_everything(user, confirm=user)

    dump = await graph.dump(user)
    assert (len(dump.nodes), dump.links) == (1, ())
    assert "erase_everything" in dump.nodes[0]

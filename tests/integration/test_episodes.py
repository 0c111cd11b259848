"""Episodes on the graph: begun, filled, ended once, summed up, found, deleted; each turn remembered once."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.asked import EpisodeDigest, Question, RelationshipSigns, Tone
from graph_memory.domain.episode import Episode, TurnDraft
from graph_memory.domain.vocabulary import Source, UserId
from graph_memory.errors import ConflictError, InferenceError, InvalidValueError, NotFoundError
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder, ScriptedLanguageModel
from tests.integration.graph import Graph

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def user_turn(content: str, minutes: float | None = None, key: str | None = None) -> TurnDraft:
    at = None if minutes is None else NOON + minutes * MINUTE
    return TurnDraft(role="user", content=content, at=at, idempotency_key=key)


def reply(content: str, minutes: float | None = None, key: str | None = None) -> TurnDraft:
    return replace(user_turn(content, minutes, key), role="assistant")


async def talked(services: Services, user: UserId, *turns: TurnDraft, start: datetime = NOON) -> Episode:
    """An episode of these turns, ended ten minutes after its start."""
    episode = await services.episodes.start(user, at=start)
    await services.episodes.add_turns(user, episode.id, turns)
    return await services.episodes.end(user, episode.id, at=start + 10 * MINUTE)


async def texts(services: Services, user: UserId, episode: Episode) -> list[str]:
    page = await services.find_episodes.turns(user, episode.id, first=100, after=None)
    return [turn.text for turn in page.items]


async def test_an_episode_is_begun_filled_and_summed_up(timed: Services, user: UserId):
    begun = await timed.episodes.start(user)
    filled = await timed.episodes.add_turns(
        user, begun.id, [user_turn("The kayak leaks again.", 1), reply("Where does the kayak leak?", 2)]
    )
    ended = await timed.episodes.end(user, begun.id, at=NOON + 3 * MINUTE)

    assert (begun.is_open, begun.turn_count, filled.turn_count) == (True, 0, 2)
    assert (ended.duration_seconds, ended.turn_count, ended.due_at) == (180.0, 2, None)
    assert ended.digest == EpisodeDigest(summary="The kayak leaks again.", topics=("kayak",), importance=0.22)
    assert await timed.find_episodes.episode(user, begun.id) == ended


async def test_what_the_user_says_is_remembered_once_in_the_session_of_the_episode(
    timed: Services, user: UserId, graph: Graph
):
    episode = await timed.episodes.start(user)
    turns = [user_turn("The kayak leaks.", 1, "k-1"), reply("Again?", 2, "k-2"), user_turn("Again.", 3, "k-3")]

    first = await timed.episodes.add_turns(user, episode.id, turns)
    again = await timed.episodes.add_turns(user, episode.id, [*turns, user_turn("And the oar broke.", 4, "k-4")])

    assert (first.turn_count, again.turn_count) == (3, 4)
    rows = await graph.run(
        "MATCH (e:Episode {user_id: $user_id})<-[:IN_EPISODE]-(m:Memory)-[:MENTIONED_IN]->(t:Turn)<-[:HAS_TURN]-(e)"
        " RETURN m.text AS text, t.text = m.text AS same, m.session_id = e.id AS session, m.source AS source,"
        " m.kind AS kind, m.occurred_at = t.occurred_at AS same_time ORDER BY t.occurred_at",
        user_id=user,
    )
    assert [row["text"] for row in rows] == ["The kayak leaks.", "Again.", "And the oar broke."]
    assert all(row["same"] and row["session"] and row["same_time"] for row in rows)
    assert {(row["source"], row["kind"]) for row in rows} == {(Source.USER_STATED.value, "episodic")}


async def test_turns_follow_each_other_by_time_even_when_they_come_late(timed: Services, user: UserId, graph: Graph):
    episode = await timed.episodes.start(user, at=NOON)
    await timed.episodes.add_turns(user, episode.id, [user_turn("one", 1), user_turn("four", 4)])
    await timed.episodes.add_turns(user, episode.id, [user_turn("two", 2), user_turn("three", 3)])

    assert await texts(timed, user, episode) == ["one", "two", "three", "four"]
    pairs = await graph.run(
        "MATCH (a:Turn {user_id: $user_id})-[:NEXT]->(b:Turn) RETURN a.text + ' ' + b.text AS pair ORDER BY pair",
        user_id=user,
    )
    assert [row["pair"] for row in pairs] == ["one two", "three four", "two three"]


async def test_what_is_said_finds_its_episode_and_a_long_silence_begins_another(
    timed: Services, user: UserId, clock: FixedClock
):
    [first] = await timed.episodes.say(user, [user_turn("Good morning, the kayak leaks.")])
    clock.advance(30 * MINUTE)  # as long as the gap, not longer
    [same] = await timed.episodes.say(user, [reply("Where?")])
    clock.advance(30 * MINUTE + timedelta(microseconds=2))
    [other] = await timed.episodes.say(user, [user_turn("Back again.")])
    await timed.episodes.settled()

    closed = await timed.find_episodes.episode(user, first.id)
    assert same.id == first.id != other.id
    assert closed.ended_at == closed.last_turn_at == NOON + 30 * MINUTE
    assert closed.digest is not None
    assert closed.digest.summary == "Good morning, the kayak leaks."
    assert other.is_open


async def test_turns_of_several_chats_said_at_once_are_parted(timed: Services, user: UserId):
    said = [user_turn("one", 0), reply("two", 20), user_turn("three", 51), user_turn("four", 200)]

    episodes = await timed.episodes.say(user, said)

    assert [each.turn_count for each in episodes] == [2, 1, 1]
    assert [each.is_open for each in episodes] == [False, False, True]
    assert [each.started_at for each in episodes] == [NOON + minutes * MINUTE for minutes in (0, 51, 200)]


async def test_an_episode_left_open_is_ended_at_its_last_turn_by_housekeeping(
    timed: Services, user: UserId, clock: FixedClock
):
    left = await timed.episodes.start(user)
    await timed.episodes.add_turns(user, left.id, [user_turn("The kayak leaks.", 1), reply("Where?", 5)])
    empty = await timed.episodes.start(user)
    clock.set(NOON + 35 * MINUTE)
    live = await timed.episodes.start(user)

    await timed.settle_episodes.for_everybody()  # not yet: the silence of the first is as long as the gap, no longer
    early = await timed.find_episodes.episode(user, left.id)
    clock.advance(timedelta(seconds=1))
    await timed.settle_episodes.for_everybody()

    ended = await timed.find_episodes.episode(user, left.id)
    assert early.is_open
    assert (ended.ended_at, ended.due_at) == (NOON + 5 * MINUTE, None)
    assert ended.digest is not None
    assert (await timed.find_episodes.episode(user, empty.id)).ended_at == NOON
    assert (await timed.find_episodes.episode(user, live.id)).is_open


async def test_two_ends_at_once_count_once(timed: Services, user: UserId, graph: Graph):
    episode = await timed.episodes.start(user, at=NOON)
    await timed.episodes.add_turns(user, episode.id, [user_turn("The kayak leaks.", 1), reply("Where?", 2)])

    ended = await asyncio.gather(
        *(timed.episodes.end(user, episode.id, at=NOON + 5 * MINUTE) for _ in range(8)),
        timed.settle_episodes.for_everybody(),
    )

    assert {each.ended_at for each in ended[:8]} == {NOON + 5 * MINUTE}
    assert (await timed.relationship(user)).sessions == 1
    assert (
        await graph.value("MATCH (c:Change {target_id: $id, action: 'end_episode'}) RETURN count(c)", id=episode.id)
        == 1
    )


async def test_many_writers_of_one_chat_lose_no_turn_and_make_one_chain(timed: Services, user: UserId, graph: Graph):
    episode = await timed.episodes.start(user)

    await asyncio.gather(
        *(timed.episodes.add_turns(user, episode.id, [user_turn(f"Word {number}")]) for number in range(12)),
        *(timed.episodes.say(user, [reply(f"Reply {number}")]) for number in range(12)),
    )

    stored = await timed.find_episodes.episode(user, episode.id)
    chain = await graph.value("MATCH p = (:Turn {user_id: $user_id})-[:NEXT*23]->(:Turn) RETURN count(p)", user_id=user)
    assert (stored.turn_count, len(set(await texts(timed, user, episode))), chain) == (24, 24, 1)
    assert len((await timed.find_episodes.listed(user, first=10, after=None)).items) == 1


@pytest.mark.parametrize(
    ("turns", "seconds"), [((user_turn("Hi.", 0), reply("Hi.", 0)), 59.0), ((user_turn("Alone.", 0),), 600.0)]
)
async def test_a_short_episode_is_kept_but_not_summed_up(
    timed: Services, user: UserId, turns: tuple[TurnDraft, ...], seconds: float
):
    episode = await timed.episodes.start(user, at=NOON)
    await timed.episodes.add_turns(user, episode.id, turns)

    ended = await timed.episodes.end(user, episode.id, at=NOON + timedelta(seconds=seconds))

    assert (ended.digest, ended.due_at) == (None, None)
    assert await texts(timed, user, ended) == [turn.content for turn in turns]
    assert (await timed.relationship(user)).sessions == 0


async def test_an_episode_of_a_minute_and_two_turns_is_summed_up(timed: Services, user: UserId):
    episode = await timed.episodes.start(user, at=NOON)
    await timed.episodes.add_turns(user, episode.id, [user_turn("Hi there.", 0), reply("Hi.", 0)])

    ended = await timed.episodes.end(user, episode.id, at=NOON + timedelta(seconds=60))

    assert ended.digest is not None
    assert (await timed.relationship(user)).sessions == 1


async def test_a_model_sums_up_and_a_failing_one_leaves_it_to_the_rules(
    settings: Settings, user: UserId, clock: FixedClock
):
    digest = EpisodeDigest(summary="They mended a kayak.", topics=("kayak",), tone=Tone.FOCUSED, importance=0.7)
    signs = RelationshipSigns(new_inside_jokes=("the duck",), mood="calm")
    model = ScriptedLanguageModel(
        {Question.EPISODE: [digest, InferenceError("busy")], Question.RELATIONSHIP: [signs, InferenceError("busy")]}
    )
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock, language_model=model) as services:
        told = await talked(services, user, user_turn("a" * 9_000 + " the duck", 1), reply("b" * 100, 2))
        failed = await talked(services, user, user_turn("It leaks.", 61), reply("Oh.", 62), start=NOON + 60 * MINUTE)

        assert told.digest == digest
        assert failed.digest is not None
        assert (failed.digest.summary, failed.digest.tone, failed.signs) == (
            "It leaks.",
            Tone.NEUTRAL,
            RelationshipSigns(),
        )
        relationship = await services.relationship(user)
        assert (relationship.sessions, relationship.inside_jokes, relationship.mood) == (2, ("the duck",), "calm")
    [seen, *_] = [each.given[0] for each in model.asked if each.question is Question.EPISODE]
    assert sum(len(each.text) for each in seen) == 8_000
    [looked_at, *_] = [each.given[0] for each in model.asked if each.question is Question.RELATIONSHIP]
    assert sum(len(each.text) for each in looked_at) == 4_000


async def test_a_memory_that_a_crash_kept_back_is_made_later_and_once(
    timed: Services, user: UserId, graph: Graph, clock: FixedClock
):
    episode = await timed.episodes.start(user)
    await timed.episodes.add_turns(user, episode.id, [user_turn("The kayak leaks.")])
    await graph.run("MATCH (t:Turn {user_id: $user_id}) SET t.memory_due_at = t.occurred_at", user_id=user)
    clock.advance(timedelta(hours=1))

    await timed.settle_episodes.for_everybody()
    await timed.settle_episodes.for_everybody()

    left, made = (
        await graph.value("MATCH (t:Turn {user_id: $user_id}) RETURN count(t.memory_due_at)", user_id=user),
        await graph.value("MATCH (m:Memory {user_id: $user_id}) RETURN count(m)", user_id=user),
    )
    assert (left, made) == (0, 1)


async def test_an_end_that_a_crash_cut_short_is_finished_later(
    timed: Services, user: UserId, graph: Graph, clock: FixedClock
):
    episode = await timed.episodes.start(user)
    await timed.episodes.add_turns(user, episode.id, [user_turn("The kayak leaks.", 1), reply("Where?", 2)])
    await graph.run(
        "MATCH (e:Episode {id: $id}) SET e.ended_at = $at, e.due_at = $at", id=episode.id, at=NOON + 3 * MINUTE
    )
    clock.set(NOON + 4 * MINUTE)

    await timed.settle_episodes.for_everybody()
    await timed.settle_episodes.for_everybody()

    assert (await timed.find_episodes.episode(user, episode.id)).is_recorded
    assert (await timed.relationship(user)).sessions == 1


async def test_mistakes_are_named_and_change_nothing(timed: Services, user: UserId, other_user: UserId, graph: Graph):
    episode = await talked(timed, user, user_turn("The kayak leaks.", 1), reply("Where?", 2))
    live = await timed.episodes.start(user, at=NOON)
    await timed.episodes.add_turns(user, live.id, [user_turn("one", 5)])
    before = await graph.dump(user)

    with pytest.raises(InvalidValueError) as wrong:
        await timed.episodes.add_turns(user, live.id, [TurnDraft(role="robot", content=" ")])
    assert [each.field for each in wrong.value.problems] == ["turns[0].role", "turns[0].content"]
    for turns in ([], [user_turn("early", -1)], [user_turn("x" * 30_000)], [user_turn("x")] * 1_001):
        with pytest.raises(InvalidValueError):
            await timed.episodes.add_turns(user, live.id, turns)
    with pytest.raises(InvalidValueError, match="before"):
        await timed.episodes.say(user, [user_turn("early", -1)])
    with pytest.raises(InvalidValueError, match="before the last turn"):
        await timed.episodes.end(user, live.id, at=NOON + MINUTE)
    with pytest.raises(ConflictError):
        await timed.episodes.add_turns(user, episode.id, [user_turn("late", 3)])
    with pytest.raises(ConflictError):
        await timed.episodes.end(user, episode.id, at=NOON + 11 * MINUTE)
    for owner, episode_id in ((user, "nowhere"), (other_user, live.id), (user, "\x00")):
        with pytest.raises(NotFoundError):
            await timed.episodes.add_turns(owner, episode_id, [user_turn("x")])
        with pytest.raises(NotFoundError):
            await timed.episodes.end(owner, episode_id)
        with pytest.raises(NotFoundError):
            await timed.episodes.delete(owner, episode_id)
    assert await timed.episodes.end(user, episode.id) == episode
    assert await graph.dump(user) == before


async def test_the_buffer_is_the_last_twenty_turns_and_older_ones_stay(timed: Services, user: UserId):
    episode = await timed.episodes.start(user)
    await timed.episodes.add_turns(user, episode.id, [user_turn(f"Word {number}") for number in range(25)])

    buffer = await timed.find_episodes.recent_turns(user)

    assert [turn.text for turn in buffer] == [f"Word {number}" for number in range(5, 25)]
    assert len(await texts(timed, user, episode)) == 25


async def test_a_deleted_episode_takes_its_turns_and_its_share_with_it_and_memories_stay(
    timed: Services, user: UserId, graph: Graph
):
    starts = [NOON + hours * 60 * MINUTE for hours in (0, 1, 2)]
    kept, gone, last = [
        await talked(
            timed, user, user_turn(f"Number {place} leaks.", place * 60 + 1), reply("Oh.", place * 60 + 2), start=at
        )
        for place, at in enumerate(starts)
    ]

    await timed.episodes.delete(user, gone.id)

    with pytest.raises(NotFoundError):
        await timed.episodes.delete(user, gone.id)
    listed = await timed.find_episodes.listed(user, first=10, after=None)
    assert [each.id for each in listed.items] == [last.id, kept.id]
    assert (await timed.relationship(user)).sessions == 2
    assert (await timed.relationship(user)).minutes == 20.0
    follows = "MATCH (a:Episode {user_id: $user_id})-[:NEXT]->(b) RETURN a.id AS first, b.id AS second"
    assert await graph.run(follows, user_id=user) == [{"first": kept.id, "second": last.id}]
    assert await graph.value("MATCH (t:Turn {user_id: $user_id}) RETURN count(t)", user_id=user) == 4
    assert await graph.value("MATCH (m:Memory {user_id: $user_id}) RETURN count(m)", user_id=user) == 3
    [change] = (await timed.inspect.changes_of(user, gone.id, first=1, after=None)).items
    assert change.action == "delete_episode"

"""Each mode searches what it says, brings back as much as it says, and is honest about what it does not find."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Category, Kind, Lane, RecallMode, UserId
from graph_memory.ports import Hit
from graph_memory.services.recall import Question
from graph_memory.testing import FixedClock
from tests.integration.graph import Graph

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
RANKED = tuple(mode for mode in RecallMode if mode is not RecallMode.CREATIVE)
SIMPLE, COMPLEX = "the team meets", "Why did Ana leave the team and how does that compare with the other team?"
# A memory a tier and one that time has hidden; of each the days since it was told, and of one that is pinned.
AGES = {"hidden": 100, "pinned": 99, "archive": 70, "cold": 30, "warm": 10, "active": 1}

_MAKE_SCHEMA = """
MATCH (s:Memory {user_id: $user_id, id: $schema}) SET s:Schema, s.kind = 'schema'
WITH s MATCH (m:Memory {user_id: $user_id}) WHERE m.id IN $members
CREATE (s)-[:ABSTRACTS {user_id: $user_id, weight: 1.0}]->(m)
"""


async def _told(services: Services, user: UserId, text: str, **facts: Any) -> Memory:
    draft = MemoryDraft(text=text, **{"kind": Kind.SEMANTIC, "curate": False, **facts})
    memory = (await services.remember(user, draft)).memory
    assert memory is not None
    return memory


async def _told_many(services: Services, user: UserId, texts: Iterable[str], **facts: Any) -> list[Memory]:
    drafts = [MemoryDraft(text=text, **{"kind": Kind.SEMANTIC, "curate": False, **facts}) for text in texts]
    return [each.memory for each in (await services.remember.many(user, drafts)).results if each.memory]


async def _aged(services: Services, user: UserId, clock: FixedClock) -> None:
    """One memory of every age; it is noon again when the last is told."""
    for name, days in AGES.items():
        clock.set(NOON - days * DAY)
        await _told(services, user, f"The oak desk is {name}", pinned=name == "pinned")
    clock.set(NOON)


def _ages(hits: Sequence[Hit]) -> set[str]:
    return {hit.memory.text.split()[-1] for hit in hits}


def _texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.memory.text for hit in hits]


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        (RecallMode.CUED, {"active", "warm", "cold", "pinned"}),
        (RecallMode.HEARTBEAT, {"active", "pinned"}),
        (RecallMode.NORMAL, {"active", "warm", "pinned"}),
        (RecallMode.DEEP, set(AGES)),
        (RecallMode.CREATIVE, {"cold", "archive", "hidden"}),
    ],
)
async def test_a_mode_searches_its_tiers_and_states_and_no_others(
    timed: Services, user: UserId, clock: FixedClock, mode: RecallMode, found: set[str]
):
    await _aged(timed, user, clock)

    answer = await timed.recall(user, Question(query="oak desk", mode=mode, k=20, reinforce=False))

    assert _ages(answer.hits) == found
    assert answer.mode is mode


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        (RecallMode.CUED, set(AGES)),
        (RecallMode.HEARTBEAT, {"active", "pinned"}),
        (RecallMode.NORMAL, {"active", "warm", "pinned"}),
        (RecallMode.DEEP, set(AGES)),
    ],
)
async def test_a_caller_may_ask_for_what_is_hidden_within_the_tiers_of_the_mode(
    timed: Services, user: UserId, clock: FixedClock, mode: RecallMode, found: set[str]
):
    await _aged(timed, user, clock)

    answer = await timed.recall(user, Question(query="oak desk", mode=mode, k=20, include_hidden=True, reinforce=False))

    assert _ages(answer.hits) == found


async def test_a_cued_recall_finds_what_lies_in_the_archive_only_where_nothing_else_is_found(
    timed: Services, user: UserId, clock: FixedClock
):
    clock.set(NOON - 70 * DAY)
    old = await _told(timed, user, "The oak desk came from Porto")
    clock.set(NOON)
    new = await _told(timed, user, "The oak desk stands in the hall")
    question = Question(query="oak desk", reinforce=False)

    beside_another = await timed.recall(user, question)
    await timed.amend.forget(user, new.id)
    alone = await timed.recall(user, question)

    assert _texts(beside_another.hits) == [new.text]
    assert _texts(alone.hits) == [old.text]


@pytest.mark.parametrize(
    ("mode", "simple", "complex_"),
    [
        (RecallMode.CUED, 5, 16),
        (RecallMode.HEARTBEAT, 5, 5),
        (RecallMode.NORMAL, 5, 8),
        (RecallMode.DEEP, 10, 16),
        (RecallMode.CREATIVE, 5, 5),
    ],
)
async def test_the_question_sets_how_many_come_back_within_the_range_of_the_mode(
    timed: Services, user: UserId, clock: FixedClock, mode: RecallMode, simple: int, complex_: int
):
    clock.set(NOON - (40 if mode is RecallMode.CREATIVE else 1) * DAY)
    await _told_many(timed, user, (f"The team meets in room {number}" for number in range(24)))
    clock.set(NOON)

    answers = [
        await timed.recall(user, Question(query=query, mode=mode, k=k, reinforce=False))
        for query, k in ((SIMPLE, None), (COMPLEX, None), (SIMPLE, 1), (SIMPLE, 22))
    ]

    assert [answer.k for answer in answers] == [simple, complex_, 1, 22]  # the caller's k wins over the mode
    assert [len(answer.hits) for answer in answers] == [simple, complex_, 1, 22]


@pytest.mark.parametrize("mode", RANKED)
async def test_the_context_ends_at_a_whole_line_within_the_tokens_of_the_mode(
    timed: Services, user: UserId, mode: RecallMode
):
    """Each text takes about a thousand tokens, so that 18 fill the context of every mode."""
    filler = "oak desk " * 440
    await _told_many(timed, user, (f"{filler}{number:02}" for number in range(18)))
    most = getattr(timed.settings.recall, f"mode_tokens_{mode}")

    by_mode = await timed.recall(user, Question(query="oak desk", mode=mode, k=18, reinforce=False))
    by_caller = await timed.recall(user, Question(query="oak desk", mode=mode, k=18, token_budget=1_200))

    assert most - 1_100 < by_mode.tokens <= most
    assert 0 < by_caller.tokens <= 1_200
    assert by_caller.context.splitlines()[-1] == f"</memories-{by_caller.receipt_id}>"
    assert len(by_caller.hits) == 18  # the text is cut, the answer is not


@pytest.mark.parametrize("mode", RANKED)
async def test_a_question_that_nothing_matches_gets_an_honest_empty_answer(
    timed: Services, user: UserId, mode: RecallMode
):
    await _told(timed, user, "The oak desk stands in the hall")
    await _told(timed, user, "Ana likes oak", general=True)

    unmatched = await timed.recall(user, Question(query="parachute lessons tomorrow", mode=mode, min_match=0.6))
    matched = await timed.recall(user, Question(query="oak desk hall", mode=mode, min_match=0.6))

    assert (unmatched.hits, unmatched.overlay, unmatched.context, unmatched.tokens) == ((), (), "", 0)
    assert _texts(matched.hits) == ["The oak desk stands in the hall"]
    assert all(hit.match >= 0.6 for hit in matched.hits)


@pytest.mark.parametrize("mode", RANKED)
async def test_what_was_believed_at_an_instant_is_found_in_every_mode(
    timed: Services, user: UserId, clock: FixedClock, mode: RecallMode
):
    """It was believed on the first day, replaced on the second, and all of it lies half a year back."""
    clock.set(NOON - 180 * DAY)
    old = await _told(timed, user, "The oak desk stands in the hall")
    gone = await _told(timed, user, "The oak desk has a lamp")
    first = clock.now()
    clock.advance(DAY)
    new = await _told(timed, user, "The oak desk stands in the study")
    await timed.revise.supersede(user, old.id, new.id)
    await timed.amend.forget(user, gone.id)
    clock.set(NOON)

    then = await timed.recall(user, Question(query="oak desk", mode=mode, k=10, as_of=first, known_at=first))
    later = first + 2 * DAY
    after = await timed.recall(user, Question(query="oak desk", mode=mode, k=10, as_of=later, known_at=later))
    await timed.aftermath.settled()

    assert set(_texts(then.hits)) == {old.text, gone.text}
    assert _texts(after.hits) == [new.text]
    used = await timed.inspect.memories(user, [old.id, gone.id, new.id])
    assert {memory.access_count for memory in used.values()} == {0}  # looking back uses nothing


@pytest.mark.parametrize("mode", RANKED)
async def test_the_overlay_is_a_section_of_its_own_that_repeats_nothing(
    timed: Services, user: UserId, mode: RecallMode
):
    await _told_many(timed, user, (f"The oak desk has drawer {number}" for number in range(8)), bucket="work")
    await _told_many(timed, user, (f"Ana likes oak of kind {number}" for number in range(13)), general=True)

    everywhere = await timed.recall(user, Question(query="oak", mode=mode, k=8, reinforce=False))
    at_work = await timed.recall(user, Question(query="oak", mode=mode, k=8, buckets=("work",), reinforce=False))
    general = await timed.recall(user, Question(query="oak", mode=mode, k=8, buckets=("general",), reinforce=False))
    without = await timed.recall(user, Question(query="oak", mode=mode, k=8, general=False, reinforce=False))

    for answer in (everywhere, at_work):
        shown = [hit.memory.id for hit in (*answer.hits, *answer.overlay)]
        assert len(shown) == len(set(shown))
        assert {hit.memory.bucket for hit in answer.overlay} == {"general"}
        assert len(answer.overlay) == 4
    assert {hit.memory.bucket for hit in at_work.hits} == {"work"}
    assert (len(general.hits), general.overlay) == (8, ())  # the bucket itself was asked for
    assert (len(without.hits), without.overlay) == (8, ())


async def test_the_overlay_is_there_where_the_bucket_holds_nothing(timed: Services, user: UserId):
    """Who Ana is counts in a bucket that is still empty, too."""
    memory = await _told(timed, user, "Ana likes oak", general=True)

    answer = await timed.recall(user, Question(query="oak", buckets=("new project",)))

    assert answer.hits == ()
    assert _texts(answer.overlay) == [memory.text]


@pytest.mark.parametrize("mode", RANKED)
async def test_only_the_buckets_asked_for_are_searched(timed: Services, user: UserId, mode: RecallMode):
    for bucket in ("a", "b", "c"):
        await _told(timed, user, f"The oak desk of {bucket}", bucket=bucket)

    async def found(*buckets: str) -> set[str]:
        question = Question(query="oak desk", mode=mode, k=10, buckets=buckets or None, reinforce=False)
        return _ages((await timed.recall(user, question)).hits)

    assert await found("b") == {"b"}
    assert await found("a", "c") == {"a", "c"}  # not what lies between them
    assert await found() == {"a", "b", "c"}
    assert await found("d") == set()


@pytest.mark.parametrize("mode", RANKED)
async def test_a_schema_narrows_an_answer_to_what_it_abstracts(
    timed: Services, graph: Graph, user: UserId, other_user: UserId, mode: RecallMode
):
    schema = await _told(timed, user, "Desks wear out")
    members = await _told_many(timed, user, (f"The oak desk creaks {number}" for number in range(3)))
    await _told_many(timed, user, (f"The oak desk shines {number}" for number in range(3)))
    await graph.run(_MAKE_SCHEMA, user_id=user, schema=schema.id, members=[memory.id for memory in members])
    stranger = await _told(timed, other_user, "The oak desk of a stranger")
    question = Question(query="oak desk", mode=mode, k=10, schema_id=schema.id, reinforce=False)

    own, strangers = await timed.recall(user, question), await timed.recall(other_user, question)

    assert {hit.memory.id for hit in own.hits} == {memory.id for memory in members}
    assert strangers.hits == ()
    assert stranger.id not in {hit.memory.id for hit in own.hits}


async def _long_untouched(services: Services, user: UserId, clock: FixedClock) -> list[Memory]:
    """Twelve that may be drawn, and one each of what never is."""
    clock.set(NOON - 40 * DAY)
    drawn = await _told_many(services, user, (f"Shell {number} of the beach" for number in range(12)))
    await _told(services, user, "Shell of a pin", pinned=True)
    old, new = await _told_many(services, user, ("Shell that was", "Shell that is"))
    await services.revise.supersede(user, old.id, new.id)
    await _told(services, user, "Shell of a day", invalid_at=NOON - DAY)
    forgotten = await _told(services, user, "Shell in the sea")
    await services.amend.forget(user, forgotten.id)
    clock.set(NOON)
    await _told(services, user, "Shell of today")
    return [*drawn, new]


async def test_a_creative_draw_is_repeated_by_its_seed_and_reaches_all_that_lies_long_untouched(
    timed: Services, user: UserId, clock: FixedClock
):
    may_be_drawn = await _long_untouched(timed, user, clock)

    async def drawn(seed: int) -> list[str]:
        return _texts((await timed.recall(user, Question(query="beach", mode=RecallMode.CREATIVE, seed=seed))).hits)

    draws = [await drawn(seed) for seed in range(25)]

    assert [await drawn(seed) for seed in (0, 1, 2)] == draws[:3]
    assert all(len(draw) == len(set(draw)) == 5 for draw in draws)
    assert len({tuple(draw) for draw in draws}) > 1
    assert {text for draw in draws for text in draw} == {memory.text for memory in may_be_drawn}


@pytest.mark.parametrize(
    "asked",
    [
        {"tags": ("sea",)},
        {"categories": (Category.PREFERENCE,)},
        {"session_id": "s-1"},
        {"agent_id": "agent-1"},
        {"occurred_until": NOON - 39 * DAY},
        {"buckets": ("work",)},
        {"lanes": (Lane.MID_TERM,)},
        {"kinds": (Kind.EPISODIC,)},
    ],
    ids=lambda asked: next(iter(asked)),
)
async def test_a_creative_draw_keeps_within_what_was_asked_for(
    timed: Services, user: UserId, clock: FixedClock, asked: dict[str, Any]
):
    clock.set(NOON - 40 * DAY)
    await _told(
        timed,
        user,
        "The one that is meant",
        tags=("sea",),
        category=Category.PREFERENCE,
        session_id="s-1",
        agent_id="agent-1",
        bucket="work",
        lane=Lane.MID_TERM,
        kind=Kind.EPISODIC,
    )
    clock.set(NOON - 35 * DAY)
    await _told_many(timed, user, (f"Another one {number}" for number in range(4)))
    clock.set(NOON)

    answer = await timed.recall(user, Question(query="one", mode=RecallMode.CREATIVE, **asked))

    assert _texts(answer.hits) == ["The one that is meant"]


async def test_a_creative_draw_at_an_instant_draws_from_what_was_believed_then(
    timed: Services, user: UserId, clock: FixedClock
):
    clock.set(NOON - 180 * DAY)
    gone = await _told(timed, user, "The oak desk has a lamp")
    first = clock.now()
    clock.advance(DAY)
    await timed.amend.forget(user, gone.id)
    await _told(timed, user, "The oak desk stands in the study")
    clock.set(NOON)

    then = await timed.recall(user, Question(query="oak", mode=RecallMode.CREATIVE, as_of=first, known_at=first))

    assert _texts(then.hits) == [gone.text]


async def test_a_creative_draw_and_a_heartbeat_use_nothing(timed: Services, user: UserId, clock: FixedClock):
    memories = await _long_untouched(timed, user, clock)
    for mode in (RecallMode.CREATIVE, RecallMode.HEARTBEAT):
        answer = await timed.recall(user, Question(query="shell", mode=mode))
        assert answer.hits
    await timed.aftermath.settled()

    after = await timed.inspect.memories(user, [memory.id for memory in memories])
    assert {memory.access_count for memory in after.values()} == {0}

"""Cases of group D and G on the graph: dates told in texts, stamps ahead of the clock, what is new and what is past."""

from datetime import UTC, date, datetime, timedelta

import pytest

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Kind, UserId, WriteOperation
from graph_memory.errors import InvalidValueError
from graph_memory.services.recall import Question
from graph_memory.services.remember import Remembered
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock

MONDAY = datetime(2021, 6, 7, 9, tzinfo=UTC)


async def said(services: Services, user: UserId, text: str) -> Remembered:
    return await services.remember(user, MemoryDraft(text=text, kind=Kind.SEMANTIC))


def memory_of(remembered: Remembered) -> Memory:
    assert remembered.memory is not None
    return remembered.memory


async def test_relative_dates_are_reckoned_from_the_moment_of_the_message(timed: Services, user: UserId):
    text = "I changed jobs last Thursday and travel in three days."

    dated = memory_of(await timed.remember(user, MemoryDraft(text=text, occurred_at=MONDAY)))
    found = (await timed.inspect.memory(user, dated.id)).named_dates

    assert [named.first_day for named in found] == [date(2021, 6, 3), date(2021, 6, 10)]
    assert dated.dates_told_at == "occurred_at"


async def test_without_a_moment_they_are_reckoned_from_the_writing_and_that_is_said(
    timed: Services, user: UserId, clock: FixedClock
):
    memory = memory_of(await timed.remember(user, MemoryDraft(text="I arrived yesterday.")))

    assert [named.first_day for named in memory.named_dates] == [clock.now().date() - timedelta(days=1)]
    assert memory.dates_told_at == "created_at"


async def test_a_use_ahead_of_the_clock_is_refused(timed: Services, user: UserId, clock: FixedClock):
    memory = memory_of(await said(timed, user, "The tide turns at noon"))

    with pytest.raises(InvalidValueError, match="ahead of the clock"):
        await timed.use.touch(user, [memory.id], at=clock.now() + timedelta(hours=2))


async def test_a_stamp_ahead_of_the_clock_counts_as_now(
    timed: Services, user: UserId, settings: Settings, clock: FixedClock
):
    memory = memory_of(await said(timed, user, "The tide turns at noon"))
    await timed.connection.run_text(
        "MATCH (m:Memory {id: $id}) SET m.anchor_at = $ahead, m.last_accessed_at = $ahead, m.access_stamps = [$ahead]",
        {"id": memory.id, "ahead": clock.now() + timedelta(hours=2)},
    )

    ahead = await timed.inspect.memory(user, memory.id)
    hits = (await timed.recall(user, Question(query="tide noon"))).hits

    assert settings.strength_curve().strength(ahead.strength, clock.now()) == 1.0
    assert settings.activation_curve().base_level(ahead.activation, clock.now()) == pytest.approx(2.0472, abs=0.001)
    assert [hit.memory.id for hit in hits] == [memory.id]


@pytest.mark.parametrize(
    ("old", "new", "operation"),
    [
        (
            "The tower in the old harbour of Porto stands 12 m tall above the water.",
            "The tower in the old harbour of Porto stands 14 m tall above the water.",
            WriteOperation.UPDATE,
        ),
        ("I do eat shellfish", "I do not eat shellfish", WriteOperation.DELETE),
    ],
)
async def test_a_changed_value_or_a_denial_is_current_and_the_old_one_is_past(
    timed: Services, user: UserId, clock: FixedClock, old: str, new: str, operation: WriteOperation
):
    before = memory_of(await said(timed, user, old))
    clock.advance(timedelta(days=30))

    answer = await said(timed, user, new)

    past = await timed.inspect.memory(user, before.id)
    recalled = [hit.memory.text for hit in (await timed.recall(user, Question(query=new, k=5))).hits]
    assert answer.operation is operation
    assert [each.id for each in answer.superseded] == [before.id]
    assert past.interval.invalid_at == clock.now()
    assert (await timed.inspect.successors(user, [before.id]))[before.id].text == new
    assert recalled == [new]


async def test_an_exact_repeat_only_raises_a_counter(timed: Services, user: UserId, clock: FixedClock):
    first = memory_of(await said(timed, user, "Chess is on Tuesdays"))
    clock.advance(timedelta(days=1))

    again = await said(timed, user, "chess is on  Tuesdays")

    assert again.operation is WriteOperation.NONE
    assert memory_of(again).id == first.id
    assert memory_of(again).access_count == 1
    assert memory_of(again).confidence == pytest.approx(0.85)
    assert (await timed.inspect.stats(user)).memories == 1


async def test_unrelated_statements_stay(timed: Services, user: UserId, clock: FixedClock):
    choir = memory_of(await said(timed, user, "Ines trains the junior choir."))
    clock.advance(timedelta(days=1))

    answer = await said(timed, user, "Ines sold a canoe to a choir trainer.")

    assert answer.operation is WriteOperation.ADD
    assert (await timed.inspect.memory(user, choir.id)).is_current(clock.now())


async def test_as_episodes_both_of_a_pair_simply_stay(timed: Services, user: UserId, clock: FixedClock):
    for text in (
        "The tower in the old harbour of Porto stands 12 m tall above the water.",
        "The tower in the old harbour of Porto stands 14 m tall above the water.",
    ):
        clock.advance(timedelta(days=1))
        await timed.remember(user, MemoryDraft(text=text))

    stats = await timed.inspect.stats(user)

    assert (stats.memories, stats.superseded) == (2, 0)


async def test_what_was_believed_is_answered_as_of_then(timed: Services, user: UserId, clock: FixedClock):
    await said(timed, user, "The tower in the old harbour of Porto stands 12 m tall above the water.")
    then = clock.now() + timedelta(days=1)
    clock.advance(timedelta(days=30))
    await said(timed, user, "The tower in the old harbour of Porto stands 14 m tall above the water.")

    as_of_then = await timed.recall(user, Question(query="how tall is the tower", as_of=then))
    known_then = await timed.recall(user, Question(query="how tall is the tower", known_at=then))
    now = await timed.recall(user, Question(query="how tall is the tower"))

    assert [hit.memory.text for hit in as_of_then.hits] == [
        "The tower in the old harbour of Porto stands 12 m tall above the water."
    ]
    assert [hit.memory.text for hit in known_then.hits] == [
        "The tower in the old harbour of Porto stands 12 m tall above the water."
    ]
    assert [hit.memory.text for hit in now.hits] == [
        "The tower in the old harbour of Porto stands 14 m tall above the water."
    ]

"""What an agent is told before it asks: the parts in their order, each within its share, nothing twice."""

from datetime import timedelta

import pytest

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.prompt_text import tokens
from graph_memory.domain.vocabulary import Horizon, Kind, UserId
from graph_memory.errors import InvalidValueError
from graph_memory.services.meet import MentionDraft
from graph_memory.testing import FixedClock


async def remember(services: Services, user: UserId, text: str, **given: object) -> None:
    await services.remember(user, MemoryDraft(text=text, curate=False, **given))  # type: ignore[arg-type]


async def test_the_parts_come_in_their_order_and_no_memory_twice(timed: Services, user: UserId, clock: FixedClock):
    await remember(timed, user, "Never send prices by mail", pinned=True)
    await remember(timed, user, "Ana drinks green tea", kind=Kind.SEMANTIC)
    await remember(timed, user, "Ana may move to Faro", kind=Kind.SEMANTIC, horizon=Horizon.MEDIUM)
    await remember(timed, user, "Lunch was soup")
    clock.advance(timedelta(days=30))
    await remember(timed, user, "The dentist called")
    await timed.meet.mention(user, MentionDraft(person="Bruno Prado", sentiment=0.5))

    text = await timed.agent_context(user)

    told = ["Never send prices", "The dentist called", "green tea", "may move to Faro", "Bruno Prado: trust"]
    assert [text.count(each) for each in told] == [1] * len(told)
    assert sorted(told, key=text.index) == told
    assert "Lunch was soup" not in text
    assert text.startswith("<memories")


async def test_a_long_part_leaves_room_for_the_next_and_the_whole_keeps_its_budget(timed: Services, user: UserId):
    for number in range(60):
        await remember(timed, user, f"Errand number {number} was done before the evening came", pinned=True)
    await timed.meet.mention(user, MentionDraft(person="Bruno Prado", sentiment=0.5))

    text = await timed.agent_context(user, token_budget=400)

    lines = [line for line in text.splitlines() if "Errand number" in line]
    assert 0 < tokens("\n".join(lines)) <= 120
    assert "Bruno Prado" in text
    assert tokens(text) <= 400


async def test_a_bucket_bounds_the_memories_and_general_ones_stay(timed: Services, user: UserId, other_user: UserId):
    await remember(timed, user, "The rope hangs in the pantry", bucket="Kitchen")
    await remember(timed, user, "The anchor lies on deck", bucket="Boat")
    await remember(timed, user, "I am called Tilda", kind=Kind.SEMANTIC, general=True)

    text = await timed.agent_context(user, bucket="Boat")

    assert "anchor" in text
    assert "Tilda" in text
    assert "rope" not in text
    assert await timed.agent_context(other_user) == ""


async def test_what_no_longer_holds_is_not_told(timed: Services, user: UserId, clock: FixedClock):
    remembered = await timed.remember(user, MemoryDraft(text="The code is 4711", kind=Kind.SEMANTIC, pinned=True))
    assert remembered.memory
    await timed.amend.forget(user, remembered.memory.id)
    await remember(timed, user, "The fair is open", kind=Kind.SEMANTIC, invalid_at=clock.now() + timedelta(days=1))
    clock.advance(timedelta(days=2))

    assert await timed.agent_context(user) == ""


async def test_reading_it_uses_nothing(timed: Services, user: UserId):
    remembered = await timed.remember(user, MemoryDraft(text="The desk is oak", kind=Kind.SEMANTIC))
    assert remembered.memory

    await timed.agent_context(user)
    await timed.aftermath.settled()

    assert (await timed.inspect.memory(user, remembered.memory.id)).access_count == 0


@pytest.mark.parametrize("budget", [0, -5, 10_000_000])
async def test_a_budget_out_of_range_is_refused(timed: Services, user: UserId, budget: int):
    with pytest.raises(InvalidValueError, match="token_budget"):
        await timed.agent_context(user, token_budget=budget)

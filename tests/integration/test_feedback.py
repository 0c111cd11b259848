"""Feedback on an answer: each word counts once, for the one answer that it is said of."""

from datetime import timedelta

import pytest

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import Link, LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InvalidValueError, NotFoundError
from graph_memory.ports import Receipt
from graph_memory.services.aftermath import AnswerGiven
from graph_memory.testing import FixedClock


@pytest.fixture
async def boats(timed: Services, user: UserId) -> list[Memory]:
    remembered = await timed.remember.many(
        user, [MemoryDraft(text=f"The {word} boat") for word in ("red", "old", "big")]
    )
    return [each.memory for each in remembered.results if each.memory]


@pytest.fixture
async def links(timed: Services, user: UserId, boats: list[Memory]) -> list[Link]:
    """From the red boat to the old one, weak; from the old one to the big one."""
    red, old, big = boats
    return [
        await timed.links.link(user, LinkType.LEADS_TO, red.id, old.id, weight=0.03),
        await timed.links.link(user, LinkType.LEADS_TO, old.id, big.id, weight=0.7),
    ]


@pytest.fixture
async def receipt_id(timed: Services, user: UserId, clock: FixedClock, boats: list[Memory], links: list[Link]) -> str:
    """Of an answer just given, without reinforcement, whose receipt is not stored yet."""
    receipt = Receipt(
        id=f"receipt-{user}",
        user_id=user,
        at=clock.now(),
        expires_at=clock.now() + timedelta(days=7),
        hit_ids=tuple(memory.id for memory in boats),
        scores=(3.0, 2.0, 1.0),
        link_ids=tuple(link.id for link in links),
    )
    timed.aftermath.follow(AnswerGiven(receipt=receipt))
    return receipt.id


async def weights(services: Services, user: UserId, links: list[Link]) -> list[float]:
    found = [await services.inspect.node(user, link.id) for link in links]
    return [link.weight for link in found if isinstance(link, Link)]


async def test_what_was_of_use_is_used_once_however_often_it_is_said(
    timed: Services, user: UserId, clock: FixedClock, boats: list[Memory], receipt_id: str
):
    red, old, _ = boats

    [first] = await timed.feedback(user, receipt_id, used=[red.id, red.id])
    clock.advance(timedelta(hours=1))
    again = await timed.feedback(user, receipt_id, used=[old.id, red.id])

    assert first.access_count == 1
    assert [(memory.id, memory.access_count) for memory in again] == [(old.id, 1), (red.id, 1)]
    page = await timed.inspect.changes_of(user, red.id, first=10, after=None)
    assert [change.reason for change in page.items if change.action == "access"] == ["feedback"]


async def test_links_to_what_misled_lose_one_step_and_end_at_nought(
    timed: Services, user: UserId, boats: list[Memory], links: list[Link], receipt_id: str
):  # V34
    red, old, _ = boats

    await timed.feedback(user, receipt_id, misleading=[red.id])
    after_red = await weights(timed, user, links)
    await timed.feedback(user, receipt_id, misleading=[red.id, old.id])
    [memory] = await timed.feedback(user, receipt_id, misleading=[old.id])

    assert after_red == [0.0, 0.7]
    assert await weights(timed, user, links) == [0.0, pytest.approx(0.65)]
    assert memory.access_count == 0


async def test_a_link_whose_two_ends_misled_loses_one_step(
    timed: Services, user: UserId, boats: list[Memory], links: list[Link], receipt_id: str
):
    _, old, big = boats

    await timed.feedback(user, receipt_id, misleading=[old.id])
    await timed.feedback(user, receipt_id, misleading=[big.id])

    assert (await weights(timed, user, links))[1] == pytest.approx(0.65)


async def test_feedback_waits_for_a_receipt_that_is_not_stored_yet(
    timed: Services, user: UserId, boats: list[Memory], receipt_id: str
):
    before = await timed.receipts.get(user, receipt_id)

    [used] = await timed.feedback(user, receipt_id, used=[boats[0].id])

    assert before is None
    assert used.access_count == 1


async def test_ids_that_are_no_hits_are_named_and_nothing_is_done(
    timed: Services, user: UserId, boats: list[Memory], receipt_id: str
):
    other = (await timed.remember(user, MemoryDraft(text="A lamp"))).memory
    assert other

    with pytest.raises(InvalidValueError) as refused:
        await timed.feedback(user, receipt_id, used=[boats[0].id, other.id], misleading=["no-such-memory"])

    assert [problem.field for problem in refused.value.problems] == ["used", "misleading"]
    assert other.id in str(refused.value)
    assert "no-such-memory" in str(refused.value)
    assert (await timed.inspect.memory(user, boats[0].id)).access_count == 0


async def test_another_users_receipt_is_as_unknown_as_none(
    timed: Services, user: UserId, other_user: UserId, boats: list[Memory], receipt_id: str
):
    await timed.aftermath.settled()

    for identifier in (receipt_id, "no-such-receipt", ""):
        with pytest.raises(NotFoundError):
            await timed.feedback(other_user, identifier, used=[boats[0].id])

    assert (await timed.inspect.memory(user, boats[0].id)).access_count == 0

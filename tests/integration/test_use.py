"""Use on the graph: what answers leave behind counts once, loses nothing, and stays within its bounds."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import Link, LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Kind, UserId
from graph_memory.ports import Receipt
from graph_memory.services.aftermath import AnswerGiven
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.testing import FixedClock, HashingEmbedder

ASKED = "which of the things in the harbour was it that we spoke of at length during the long and rainy evening"
WORDS = "anchor boat compass deck engine flag galley hull island jetty keel lantern".split()


def receipt_of(
    user: UserId, identifier: str, hits: Sequence[Memory], walked: Sequence[Link], *, at: datetime
) -> Receipt:
    return Receipt(
        id=identifier,
        user_id=user,
        at=at,
        expires_at=at + timedelta(days=7),
        hit_ids=tuple(memory.id for memory in hits),
        scores=tuple(1.0 for _ in hits),
        link_ids=tuple(link.id for link in walked),
    )


async def harbour(services: Services, user: UserId, how_many: int) -> list[Memory]:
    drafts = [MemoryDraft(text=f"harbour {word}", kind=Kind.SEMANTIC, curate=False) for word in WORDS[:how_many]]
    return [each.memory for each in (await services.remember.many(user, drafts)).results if each.memory]


async def test_fifty_recalls_at_once_use_each_memory_once(timed: Services, user: UserId, clock: FixedClock):
    memories = await harbour(timed, user, 10)
    clock.advance(timedelta(hours=24))
    await timed.recall.prime()  # of fifty who come first, each would have the statement planned

    await asyncio.gather(*(timed.recall(user, Question(query=ASKED, k=10)) for _ in range(50)))
    await timed.aftermath.settled()

    after = await timed.inspect.memories(user, [memory.id for memory in memories])
    assert {memory.access_count for memory in after.values()} == {1}
    assert {round(memory.strength.base_strength, 4) for memory in after.values()} == {0.9608}
    receipts = await timed.connection.run_text(
        "MATCH (r:Receipt {user_id: $user_id}) RETURN count(r) AS kept, sum(CASE WHEN r.applied THEN 1 END) AS applied",
        {"user_id": user},
    )
    assert dict(receipts[0]) == {"kept": 50, "applied": 50}


async def test_fifty_recalls_a_minute_apart_count_fifty_and_stay_in_bounds(
    timed: Services, user: UserId, clock: FixedClock
):
    memories = await harbour(timed, user, 3)

    for _ in range(50):
        clock.advance(timedelta(seconds=61))
        await timed.recall(user, Question(query="harbour", k=3))
    await timed.aftermath.settled()

    after = await timed.inspect.memories(user, [memory.id for memory in memories])
    assert {memory.access_count for memory in after.values()} == {50}
    assert all(len(memory.activation.stamps) == 50 for memory in after.values())
    assert all(memory.strength.base_strength <= 2.0 for memory in after.values())


async def test_the_eleventh_window_closes_the_one_that_ends_first(timed: Services, user: UserId, clock: FixedClock):
    memories = await harbour(timed, user, 11)

    for memory in memories:
        clock.advance(timedelta(minutes=2))
        await timed.use.touch(user, [memory.id])

    after = await timed.inspect.memories(user, [memory.id for memory in memories])
    labile = [memory.id for memory in memories if after[memory.id].is_labile(clock.now())]
    assert labile == [memory.id for memory in memories[1:]]


async def test_what_is_near_and_not_in_the_answer_loses_once_an_hour(timed: Services, user: UserId, clock: FixedClock):
    first, second = await harbour(timed, user, 2)
    question = Question(query="harbour anchor boat", k=1, reinforce=True)

    for _ in range(3):
        clock.advance(timedelta(minutes=1))
        await timed.recall(user, question)
    await timed.aftermath.settled()

    after = await timed.inspect.memories(user, [first.id, second.id])
    strengths = sorted(memory.strength.base_strength for memory in after.values())
    assert strengths[0] == pytest.approx(0.97)


async def test_fifty_answers_at_once_strengthen_a_link_by_exactly_fifty_steps(
    timed: Services, settings: Settings, user: UserId, clock: FixedClock
):
    """Two processes, so that locks of the graph and not of one event loop keep every step."""
    first, second, third = await harbour(timed, user, 3)
    walked = [
        await timed.links.link(user, LinkType.LEADS_TO, first.id, second.id, weight=0.7),
        await timed.links.link(user, LinkType.ENABLES, third.id, first.id, weight=1.0),
    ]
    clock.advance(timedelta(hours=1))

    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as beside:
        for number in range(50):
            receipt = receipt_of(user, f"{user}-{number}", [first, second, third], walked, at=clock.now())
            answer = AnswerGiven(receipt=receipt, used=receipt.hit_ids, links=receipt.link_ids)
            for services in (timed, beside):  # the same answer from both counts once
                services.aftermath.follow(answer)
        await asyncio.gather(timed.aftermath.settled(), beside.aftermath.settled())

    after = [await timed.inspect.node(user, link.id) for link in walked]
    assert [(each.weight, each.uses) for each in after if isinstance(each, Link)] == [
        (pytest.approx(1.0 - 0.3 * 0.95**50, abs=1e-12), 50),
        (1.0, 50),
    ]
    last_used = await timed.connection.run_text(
        "MATCH (:Memory {user_id: $user_id})-[r:LEADS_TO]->() RETURN r.last_used_at AS at", {"user_id": user}
    )
    assert last_used[0]["at"].to_native() == clock.now()


async def test_a_link_that_is_gone_keeps_no_answer_from_being_followed_up(
    timed: Services, user: UserId, clock: FixedClock
):
    first, second = await harbour(timed, user, 2)
    link = await timed.links.link(user, LinkType.LEADS_TO, first.id, second.id, weight=0.7)
    await timed.links.unlink(user, link.id)
    receipt = receipt_of(user, f"{user}-1", [first, second], [link], at=clock.now())

    timed.aftermath.follow(AnswerGiven(receipt=receipt, used=receipt.hit_ids, links=receipt.link_ids))
    await timed.aftermath.settled()

    assert await timed.receipts.get(user, receipt.id) == replace(receipt, applied=True)


async def test_a_recall_without_reinforcement_leaves_no_trace_but_its_receipt(timed: Services, user: UserId):
    memories = await harbour(timed, user, 2)

    answer = await timed.recall(user, Question(query="harbour", k=1, reinforce=False))
    await timed.aftermath.settled()

    after = await timed.inspect.memories(user, [memory.id for memory in memories])
    assert [after[memory.id].access_count for memory in memories] == [0, 0]
    assert [after[memory.id].strength for memory in memories] == [memory.strength for memory in memories]
    assert answer.receipt_id


async def test_a_chain_of_a_thousand_is_read_in_one_statement_from_any_member(
    timed: Services, user: UserId, clock: FixedClock
):
    [first] = await harbour(timed, user, 1)
    await timed.connection.run_text(
        "MATCH (first:Memory {id: $id}) WITH first, properties(first) AS like "
        "UNWIND range(1, 999) AS i CREATE (m:Memory {id: $id + '-' + i}) "
        "SET m += like {.*, id: m.id, current_key: null} "
        "WITH first, m ORDER BY toInteger(split(m.id, '-')[-1]) "
        "WITH first, collect(m) AS others WITH [first] + others AS members "
        "UNWIND range(0, 998) AS i WITH members[i] AS old, members[i + 1] AS new "
        "CREATE (old)-[:SUPERSEDED_BY {user_id: $user_id, created_at: $at, expired_at: $open_end}]->(new)",
        {"id": first.id, "user_id": user, "at": clock.now(), "open_end": FAR_FUTURE},
    )

    from_the_first = await timed.ledger.chain(user, first.id)
    from_the_middle = await timed.ledger.chain(user, f"{first.id}-500")

    assert [step.position for step in from_the_first] == list(range(1000))
    assert [step.memory.id for step in from_the_middle] == [step.memory.id for step in from_the_first]

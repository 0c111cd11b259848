"""Priority snapshots and drift on the graph: three users who live differently, and what is kept and shown of it."""

from datetime import datetime, timedelta

import pytest

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.drift import Drift, PrioritySnapshot
from graph_memory.domain.notice import NoticeKind
from graph_memory.domain.sleep import Beat, RunStatus
from graph_memory.domain.vocabulary import Kind, UserId
from graph_memory.services.ledger import DecisionDraft
from graph_memory.testing import FixedClock
from tests.integration.graph import Graph

DAY = timedelta(days=1)
PLACES = ("Porto", "Lisbon", "Faro", "Braga")


async def say(services: Services, user: UserId, *texts: str, bucket: str | None = None) -> None:
    """Remembers turns of the present moment, and finds the names in them."""
    drafts = [MemoryDraft(text=text, speaker="Ann", bucket=bucket) for text in texts]
    outcome = await services.remember.many(user, drafts)
    assert not outcome.failed
    clock = services.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(seconds=1))  # rows of one call come one after the other
    while await services.enrich():
        pass


async def live(services: Services, user: UserId, clock: FixedClock, places: list[tuple[int, ...]]) -> None:
    """Ten days a round: as many turns about each place as the round says, then a cycle of sleep."""
    for round_number, counts in enumerate(places):
        turns = [
            f"I went to {place}, walk {number} of round {round_number}."
            for place, count in zip(PLACES, counts, strict=False)
            for number in range(count)
        ]
        await say(services, user, *turns)
        await services.sleep(user, Beat.CYCLE)
        clock.advance(10 * DAY)


async def snapshots(services: Services, user: UserId) -> list[PrioritySnapshot]:
    return list((await services.priorities(user, first=50, after=None)).items)


async def test_a_user_whose_topics_shift_slowly_drifts(timed: Services, user: UserId, clock: FixedClock):
    slow = [(8, 0), (8, 0), (7, 1), (6, 2), (5, 3), (3, 5), (2, 6), (0, 8)]

    await live(timed, user, clock, slow)

    taken = await snapshots(timed, user)
    assert taken[-1].too_early
    assert taken[-1].weights == {"porto": 1.0}
    assert taken[0].drift is Drift.GRADUAL_DRIFT
    assert taken[0].similarity is not None
    assert taken[0].similarity < 0.6
    assert taken[0].decision_ids == ()
    assert list(taken[0].weights) == ["lisbon", "porto"]


async def test_a_user_who_decides_otherwise_pivots(timed: Services, user: UserId, clock: FixedClock):
    home = DecisionDraft(text="We live in Porto.", domain="home", topic="where we live", reasoning="The river.")
    await timed.ledger.decide(user, home)
    await live(timed, user, clock, [(8, 0), (8, 0), (8, 0), (8, 0)])
    moved = await timed.ledger.decide(
        user, DecisionDraft(text="We move to Lisbon.", domain="home", topic="where we live", reasoning="A new job.")
    )
    await live(timed, user, clock, [(0, 9), (0, 9), (0, 9)])

    [latest, *_] = await snapshots(timed, user)
    [notice] = [each for each in await timed.notices(user) if each.kind is NoticeKind.DRIFT] or [None]

    assert latest.drift is Drift.DELIBERATE_PIVOT
    assert latest.decision_ids == (moved.memory.id,)
    assert notice is None  # the last snapshot is of another week


async def test_a_steady_user_is_stable(timed: Services, user: UserId, clock: FixedClock):
    await live(timed, user, clock, [(5, 3), (4, 4), (5, 3), (3, 4), (5, 3), (4, 3)])

    taken = await snapshots(timed, user)

    assert {each.drift for each in taken} == {Drift.STABLE}
    assert [each.too_early for each in taken] == [False, False, False, True, True, True]
    assert taken[0].similarity is not None
    assert taken[0].similarity >= 0.6


async def test_topics_are_keys_then_buckets_then_names(timed: Services, user: UserId):
    await say(timed, user, "I met Bruno in Porto.", "It rained all day.")
    await say(timed, user, "The kiln is hot.", "Glaze needs cobalt from Limoges.", bucket="Pottery")
    await timed.ledger.decide(user, DecisionDraft(text="We buy the boat.", topic="Boat"))
    await timed.ledger.decide(user, DecisionDraft(text="No more meetings in the evening."))

    await timed.sleep(user, Beat.CYCLE)

    [taken] = await snapshots(timed, user)
    # Seven mentions, each as strong. What is about nothing in particular is one turn and one decision; the speaker,
    # who is in every turn, is no topic.
    assert taken.weights == pytest.approx(
        {"pottery": 2 / 7, "default": 2 / 7, "boat": 1 / 7, "bruno": 1 / 7, "porto": 1 / 7}, abs=1e-4
    )


async def test_a_second_cycle_of_the_day_changes_nothing(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    await say(timed, user, "I met Bruno in Porto.")
    await timed.sleep(user, Beat.CYCLE)
    before = await graph.dump(user)

    clock.advance(timedelta(hours=6))
    again = await timed.sleep(user, Beat.CYCLE)

    def remembered(nodes: tuple[str, ...]) -> list[str]:
        return [node for node in nodes if node.split("]")[0] not in ("['Run'", "['User'")]

    after = await graph.dump(user)
    assert again.status is RunStatus.DONE
    assert remembered(after.nodes) == remembered(before.nodes)
    assert after.links == before.links


async def test_a_month_of_which_nothing_is_known_leaves_no_snapshot(timed: Services, user: UserId, clock: FixedClock):
    await say(timed, user, "I met Bruno in Porto.")
    await timed.sleep(user, Beat.CYCLE)
    clock.advance(60 * DAY)

    await timed.sleep(user, Beat.CYCLE)

    assert len(await snapshots(timed, user)) == 1


async def test_snapshots_are_kept_for_ninety_days(timed: Services, user: UserId, clock: FixedClock):
    await live(timed, user, clock, [(1,)] * 11)

    run = await timed.sleep(user, Beat.HOUSEKEEPING)

    taken = await snapshots(timed, user)
    assert min(each.at for each in taken) >= clock.now() - 90 * DAY
    assert "snapshots: 3 priority snapshots dropped" in run.report.notes


async def test_erasing_the_only_memory_of_a_name_takes_it_out_of_every_snapshot(
    timed: Services, user: UserId, graph: Graph
):
    await say(timed, user, "I met Bruno in Porto.")
    outcome = await timed.remember(user, MemoryDraft(text="The boat lies in Aveiro."))
    assert outcome.memory is not None
    while await timed.enrich():
        pass
    await timed.sleep(user, Beat.CYCLE)
    before = await snapshots(timed, user)

    await timed.amend.erase(user, outcome.memory.id)

    after = await snapshots(timed, user)
    assert "aveiro" in before[0].weights
    assert set(before[0].weights) - set(after[0].weights) == {"aveiro"}
    assert not [node for node in (await graph.dump(user)).nodes if "aveiro" in node.lower()]


async def test_a_drift_is_told_once_a_week_with_what_changed(timed: Services, user: UserId, clock: FixedClock):
    clock.set(datetime(2031, 5, 5, 12, tzinfo=clock.now().tzinfo))  # a Monday
    await live(timed, user, clock, [(8, 0), (8, 0), (0, 8), (0, 8), (0, 8)])
    clock.advance(-10 * DAY)
    first = await timed.notices(user)
    clock.advance(DAY)
    await timed.sleep(user, Beat.CYCLE)

    second = await timed.notices(user)

    [notice] = [each for each in first if each.kind is NoticeKind.DRIFT]
    assert "more: lisbon (0% → 100%)" in notice.text
    assert "less: porto (100% → 0%)" in notice.text
    assert [each.at for each in second if each.kind is NoticeKind.DRIFT] == [notice.at]


async def test_what_fades_soon_is_told_with_the_day_of_the_first(timed: Services, user: UserId, clock: FixedClock):
    first = (await timed.remember(user, MemoryDraft(text="The desk is oak."))).memory
    clock.advance(DAY)
    second = (await timed.remember(user, MemoryDraft(text="The lamp is brass."))).memory
    await timed.remember(user, MemoryDraft(text="The sea is blue.", pinned=True))
    assert first is not None
    assert second is not None
    clock.set(first.visible_until - DAY)

    [notice] = await timed.notices(user)
    clock.set(second.visible_until)
    later = await timed.notices(user)

    assert notice.kind is NoticeKind.FADING_SOON
    assert notice.text == "2 memories will soon fade from view, the first on 30 July 2031."
    assert [memory.id for memory in notice.memories] == [first.id, second.id]
    # Of base strength 1: at 0.15 after 240 h · (1 / 0.15 − 1).
    assert notice.at - second.strength.anchor_at == pytest.approx(timedelta(hours=1_360), abs=timedelta(seconds=2))
    assert later == []


async def test_contradictions_that_nobody_settled_are_told_while_both_sides_stand(
    timed: Services, user: UserId, graph: Graph
):
    texts = ("The office is in Porto.", "The office is not in Porto.")
    pair = [
        (await timed.remember(user, MemoryDraft(text=text, kind=Kind.SEMANTIC, curate=False))).memory for text in texts
    ]
    assert pair[0] is not None
    assert pair[1] is not None
    await graph.run(
        "MATCH (a:Memory {id: $older}), (b:Memory {id: $newer})"
        " CREATE (b)-[:CONTRADICTS {user_id: $user, settled: false, created_at: $at}]->(a)",
        older=pair[0].id,
        newer=pair[1].id,
        user=user,
        at=timed.clock.now(),
    )

    [notice] = await timed.notices(user)
    await timed.amend.forget(user, pair[0].id)

    assert (notice.kind, notice.at) == (NoticeKind.CONTRADICTION, timed.clock.now())
    assert [memory.id for memory in notice.memories] == [pair[0].id, pair[1].id]
    assert await timed.notices(user) == []


async def test_work_that_was_given_up_is_told(timed: Services, user: UserId, graph: Graph):
    memory = (await timed.remember(user, MemoryDraft(text="The desk is oak."))).memory
    assert memory is not None
    await graph.run("MATCH (m:Memory {id: $id}) SET m.parked_at = $at", id=memory.id, at=timed.clock.now())

    [notice] = await timed.notices(user)

    assert (notice.kind, [each.id for each in notice.memories]) == (NoticeKind.PARKED, [memory.id])
    assert "given up after 3 tries for 1 memory" in notice.text


async def test_links_that_were_given_up_are_told_apart(timed: Services, user: UserId, graph: Graph):
    drafts = [MemoryDraft(text=text) for text in ("The desk is oak.", "The lamp is blue.", "The shelf is full.")]
    linked, both, named = [(await timed.remember(user, draft)).memory for draft in drafts]
    assert linked and both and named
    now = timed.clock.now()
    await graph.run(
        "UNWIND $rows AS row MATCH (m:Memory {id: row.id}) SET m.parked_at = $at, m.link_parked_at = row.links,"
        " m.enrich_problem = row.problem, m.enrich_due_at = null",
        rows=[
            {"id": linked.id, "links": now, "problem": None},
            {"id": both.id, "links": now - timedelta(hours=1), "problem": "no answer"},
            {"id": named.id, "links": None, "problem": "no answer"},
        ],
        at=now,
    )

    found = {notice.text: [each.id for each in notice.memories] for notice in await timed.notices(user)}

    assert found == {
        "The search for links was given up after 3 tries for 2 memories, until the text changes.": [linked.id, both.id],
        "The work after the write was given up after 3 tries for 2 memories: not linked to what they name.": [
            both.id,
            named.id,
        ],
    }


async def test_nobody_else_is_told(timed: Services, user: UserId, other_user: UserId, graph: Graph):
    await say(timed, user, "I met Bruno in Porto.")
    await timed.sleep(user, Beat.CYCLE)
    [taken] = await snapshots(timed, user)

    assert await timed.notices(other_user) == []
    assert await snapshots(timed, other_user) == []
    assert await timed.priorities.find(other_user, taken.id) is None

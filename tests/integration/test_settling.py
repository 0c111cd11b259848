"""What sleep settles: observations promoted and pruned, facts merged, contradictions found, insights drawn."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.asked import (
    RULES,
    Answer,
    ContradictionProposal,
    EpisodeDigest,
    Insight,
    Question,
    Tone,
)
from graph_memory.domain.contradiction import Conflict
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.episode import TurnDraft
from graph_memory.domain.memory import Memory
from graph_memory.domain.sleep import Count, StepReport
from graph_memory.domain.vocabulary import Category, Horizon, Kind, MemoryId, Source, State, UserId
from graph_memory.errors import InferenceError, LeaseLostError, StoreError
from graph_memory.ports import MemoryFilter, Pulse, SleepStep
from graph_memory.services import recall
from graph_memory.services.paging import PageRequest
from graph_memory.settings import Settings, SleepSettings
from graph_memory.testing import CountedPulse, FixedClock, HashingEmbedder, ScriptedLanguageModel
from tests.integration.graph import Graph

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
TEA = "Ana drinks green tea."
STRONG_TEA = "Ana drinks strong green tea."
TEA_DAILY = "Ana drinks green tea daily."
TRAINS = "Ines trains the junior choir of the old town."
NO_LONGER = "Ines no longer trains the junior choir of the old town."
Open = Callable[..., AbstractAsyncContextManager[Services]]


@pytest.fixture
def opened(settings: Settings, clock: FixedClock) -> Open:
    """Opens the product with a language model, or with other numbers of sleep."""

    def open_with(model: Any = None, **sleep: float) -> AbstractAsyncContextManager[Services]:
        chosen = replace(settings, sleep=replace(SleepSettings(), **sleep))  # type: ignore[arg-type]  # checked names
        return open_services(chosen, embedder=HashingEmbedder(), clock=clock, language_model=model)

    return open_with


async def told(services: Services, user: UserId, text: str, **given: Any) -> Memory:
    """A fact as it stands, whatever is known already."""
    draft = MemoryDraft(**{"text": text, "kind": Kind.SEMANTIC, "curate": False, **given})
    memory = (await services.remember(user, draft)).memory
    assert memory is not None
    return memory


async def observed(services: Services, user: UserId, text: str, **given: Any) -> Memory:
    """A fact that gathers evidence, or one more piece of it."""
    given = {"horizon": Horizon.MEDIUM, "source": Source.EXTRACTED, "curate": True, **given}
    return await told(services, user, text, **given)


async def slept(
    step: SleepStep, user: UserId, clock: FixedClock, *, dry_run: bool = False, pulse: Pulse | None = None
) -> StepReport:
    return await step(user, at=clock.now(), dry_run=dry_run, pulse=pulse or CountedPulse())


async def now_of(services: Services, memory: Memory) -> Memory:
    return await services.inspect.memory(memory.user_id, memory.id)


async def changes_of(graph: Graph, memory: Memory) -> list[dict[str, Any]]:
    rows = await graph.run(
        """
        MATCH (:Memory {id: $id})-[:CHANGED]->(c:Change) WHERE c.action <> 'add'
        RETURN c {.*} AS change ORDER BY c.id
        """,
        id=memory.id,
    )
    return [row["change"] for row in rows]


async def standing(graph: Graph, user: UserId, at: datetime) -> dict[str, Any]:
    """What a user's facts say, by content: which are current, and what took the place of the others."""
    rows = await graph.run(
        """
        MATCH (m:Memory {user_id: $user})
        OPTIONAL MATCH (m)-[:SUPERSEDED_BY]->(n)
        OPTIONAL MATCH (m)-[:CONTRADICTS]->(o)
        OPTIONAL MATCH (m)-[:HAS_VERSION]->(v)
        OPTIONAL MATCH (m)-[:CHANGED]->(c)
        RETURN m.created_at AS born, m.text AS text, m.horizon AS horizon, m.confidence AS confidence,
               m.base_strength AS base, m.state AS state, m.confirmed AS confirmed, m.source AS source,
               m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at AS current,
               collect(DISTINCT n.text) AS successors, collect(DISTINCT o.text) AS contradicts,
               collect(DISTINCT v.text) AS versions, count(DISTINCT c) AS changes
        ORDER BY born, text
        """,
        user=user,
        at=at,
    )
    return {f"{number} {row['text']}": {**row, "born": None} for number, row in enumerate(rows)}


# Observations gather evidence


async def test_an_observation_made_again_gathers_evidence(timed: Services, user: UserId, clock: FixedClock):
    first = await observed(timed, user, TEA)
    for gap in (10 * MINUTE, 30 * MINUTE, 31 * MINUTE):
        clock.advance(gap)
        again = await observed(timed, user, TEA)

    assert again.id == first.id
    assert (again.evidence.occurrences, again.evidence.session_count) == (4, 2)
    assert (again.evidence.first_at, again.evidence.last_at) == (first.interval.created_at, clock.now())
    assert again.confidence == pytest.approx(0.8)
    assert not again.confirmed


async def test_an_observation_that_says_more_counts_and_a_fact_gathers_no_evidence(
    timed: Services, user: UserId, clock: FixedClock
):
    seen = await observed(timed, user, TEA)
    fact = await told(timed, user, TRAINS)
    clock.advance(DAY)

    richer = await observed(timed, user, STRONG_TEA)
    repeated = (await timed.remember(user, MemoryDraft(text=TRAINS, kind=Kind.SEMANTIC))).memory

    assert repeated is not None
    assert (richer.id, richer.evidence.occurrences, richer.evidence.session_count) == (seen.id, 2, 2)
    assert (repeated.id, repeated.evidence.occurrences) == (fact.id, 1)
    assert repeated.confidence == pytest.approx(fact.confidence + 0.05)


async def test_what_the_user_says_as_a_fact_establishes_an_observation(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    seen = await observed(timed, user, TEA)
    clock.advance(DAY)

    said = (await timed.remember(user, MemoryDraft(text=TEA, kind=Kind.SEMANTIC))).memory

    assert said is not None
    assert (said.id, said.horizon, said.source, said.confirmed) == (seen.id, Horizon.LONG, Source.USER_STATED, True)
    assert [change["action"] for change in await changes_of(graph, seen)] == ["reinforce", "confirm", "promote"]


async def test_a_confirmation_is_one_more_observation(timed: Services, user: UserId, clock: FixedClock):
    seen = await observed(timed, user, TEA)
    clock.advance(DAY)

    await timed.use.confirm(user, seen.id)

    assert (await now_of(timed, seen)).evidence.occurrences == 2


# Promotion


async def ripe(services: Services, user: UserId, clock: FixedClock, text: str = TEA, **given: Any) -> Memory:
    """An observation made four times in one chat."""
    for _ in range(4):
        memory = await observed(services, user, text, **given)
        clock.advance(MINUTE)
    return memory


async def test_an_observation_with_enough_evidence_becomes_a_fact(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    memory = await ripe(timed, user, clock, category=Category.CONTEXT)
    early = await observed(timed, user, TRAINS)

    report = await slept(timed.promote, user, clock)
    promoted, left = await now_of(timed, memory), await now_of(timed, early)

    assert report.counts == {Count.PROMOTED: 1}
    assert (promoted.horizon, promoted.category, promoted.source, promoted.confirmed) == (
        Horizon.LONG,
        Category.PROFESSIONAL,
        Source.CONSOLIDATED,
        False,
    )
    assert (promoted.confidence, left.horizon) == (pytest.approx(0.8), Horizon.MEDIUM)
    change = (await changes_of(graph, memory))[-1]
    assert (change["action"], change["before"], change["after"]) == ("promote", '"medium"', '"long"')
    assert (change["reason"], change["actor"]) == ("score 10", "system")


async def test_what_the_user_said_stays_confirmed_when_it_is_promoted(timed: Services, user: UserId, clock: FixedClock):
    memory = await ripe(timed, user, clock, source=Source.USER_STATED)

    await slept(timed.promote, user, clock)

    assert (await now_of(timed, memory)).confirmed


async def test_the_best_is_promoted_first_and_a_bound_leaves_the_rest(opened: Open, user: UserId, clock: FixedClock):
    async with opened(promote_most=1) as services:
        good = await ripe(services, user, clock)
        best = await ripe(services, user, clock, TRAINS)
        await observed(services, user, TRAINS)

        first = await slept(services.promote, user, clock)
        after_first = [(await now_of(services, each)).horizon for each in (good, best)]
        second = await slept(services.promote, user, clock)

    assert (first.counts, second.counts) == ({Count.PROMOTED: 1}, {Count.PROMOTED: 1})
    assert after_first == [Horizon.MEDIUM, Horizon.LONG]


async def test_two_sessions_may_be_asked_for(opened: Open, user: UserId, clock: FixedClock):
    async with opened(promote_sessions=2) as services:
        memory = await ripe(services, user, clock)
        first = await slept(services.promote, user, clock)
        clock.advance(31 * MINUTE)
        await observed(services, user, TEA)
        second = await slept(services.promote, user, clock)

    assert (first.counts, second.counts) == ({}, {Count.PROMOTED: 1})
    assert memory.id


async def test_an_observation_that_a_fact_covers_goes_into_it(timed: Services, user: UserId, clock: FixedClock):
    memory = await ripe(timed, user, clock)
    fact = await told(timed, user, STRONG_TEA)

    report = await slept(timed.promote, user, clock)
    old, known = await now_of(timed, memory), await now_of(timed, fact)

    assert report.counts == {Count.MERGED: 1}
    assert (known.text, known.evidence.occurrences, known.confirmed) == (STRONG_TEA, 5, True)
    assert (old.is_current(clock.now()), old.horizon) == (False, Horizon.MEDIUM)
    assert [step.memory.id for step in await timed.ledger.chain(user, memory.id)] == [memory.id, fact.id]


# Merging


async def test_facts_that_say_one_thing_become_one(timed: Services, user: UserId, clock: FixedClock, graph: Graph):
    first = await told(timed, user, TEA, source=Source.EXTRACTED, tags=("tea",))
    clock.advance(DAY)
    richest = await told(timed, user, STRONG_TEA, source=Source.EXTRACTED, tags=("strong",))
    other = await told(timed, user, "Ana drinks the green tea.")
    apart = await told(timed, user, TRAINS)
    turn = (await timed.remember(user, MemoryDraft(text="I had my tea."))).memory
    assert turn is not None
    await graph.run(
        "MATCH (s:Memory {id: $s}), (e:Memory {id: $e}) CREATE (s)-[:DISTILLED_FROM {user_id: $u, weight: 0.9}]->(e)",
        s=richest.id,
        e=turn.id,
        u=user,
    )
    clock.advance(DAY)
    before = [await now_of(timed, each) for each in (first, richest, other)]

    report = await slept(timed.merge_facts, user, clock)
    stays, *gone = [await now_of(timed, each) for each in (first, richest, other)]
    laws = timed.settings.strength_curve()

    assert report.counts == {Count.MERGED: 2}
    assert (stays.text, stays.confirmed, stays.source) == (STRONG_TEA, True, Source.EXTRACTED)
    assert stays.strength.base_strength == max(each.strength.base_strength for each in before)
    assert laws.strength(stays.strength, clock.now()) >= max(laws.strength(m.strength, clock.now()) for m in before)
    assert set(stays.tags) == {"tea", "strong"}
    assert [each.interval.expired_at for each in gone] == [clock.now()] * 2
    assert [step.memory.id for step in await timed.ledger.chain(user, other.id)][-1] == first.id
    assert [version.text for version in (await timed.inspect.versions(user, [stays.id]))[stays.id]] == [TEA]
    assert (await now_of(timed, apart)).is_current(clock.now())
    sources = await graph.value(
        "MATCH (:Memory {id: $id})-[:DISTILLED_FROM]->(s) RETURN collect(s.id) AS ids", id=first.id
    )
    assert sources == [turn.id]
    assert {change["action"] for change in await changes_of(graph, richest)} == {"merge"}


async def test_a_merged_fact_is_found_by_all_that_its_parts_said(timed: Services, user: UserId, clock: FixedClock):
    for text in (TEA, STRONG_TEA, TRAINS):
        await told(timed, user, text)

    await slept(timed.merge_facts, user, clock)
    answer = await timed.recall(user, recall.Question(query="strong green tea"))

    assert [hit.memory.text for hit in answer.hits if "tea" in hit.memory.text] == [STRONG_TEA]


async def test_below_three_facts_nothing_is_merged(timed: Services, user: UserId, clock: FixedClock):
    for text in (TEA, STRONG_TEA):
        await told(timed, user, text)

    assert (await slept(timed.merge_facts, user, clock)).counts == {}


async def test_a_pinned_fact_stays_and_takes_the_others_in(timed: Services, user: UserId, clock: FixedClock):
    older = await told(timed, user, STRONG_TEA)
    clock.advance(MINUTE)
    pinned = await told(timed, user, TEA, pinned=True)
    await told(timed, user, TRAINS)

    await slept(timed.merge_facts, user, clock)

    assert (await now_of(timed, pinned)).text == STRONG_TEA
    assert (await now_of(timed, pinned)).pinned
    assert not (await now_of(timed, older)).is_current(clock.now())


@pytest.mark.parametrize(
    ("reply", "text", "by"),
    [
        ("Ana drinks strong green tea daily.", "Ana drinks strong green tea daily.", "scripted"),
        ("Tea", STRONG_TEA, "rules"),
        ("Ana drinks strong green tea daily in Porto.", STRONG_TEA, "rules"),
        ("Ana does not drink strong green tea daily.", STRONG_TEA, "rules"),
        (InferenceError("the model is away"), STRONG_TEA, "rules"),
    ],
)
async def test_a_model_only_proposes_the_words(
    reply: Any, text: str, by: str, opened: Open, user: UserId, clock: FixedClock, graph: Graph
):
    model = ScriptedLanguageModel({Question.MERGE: reply, Question.CONTRADICT: ()})
    async with opened(model) as services:
        first = await told(services, user, TEA)
        for each in (STRONG_TEA, TRAINS):
            await told(services, user, each)
        if by == "scripted":
            await told(services, user, TEA_DAILY)

        await slept(services.merge_facts, user, clock)
        stays = await now_of(services, first)

    assert stays.text == text
    assert any(f"merged by {by}" in (change["reason"] or "") for change in await changes_of(graph, first))
    assert stays.source is (Source.CONSOLIDATED if by == "scripted" else Source.USER_STATED)


async def test_a_text_that_the_user_erased_does_not_come_back_by_a_merge(opened: Open, user: UserId, clock: FixedClock):
    erased = "Ana drinks strong green tea daily."
    async with opened(ScriptedLanguageModel({Question.MERGE: erased})) as services:
        gone = await told(services, user, erased)
        await services.amend.erase(user, gone.id)
        facts = [await told(services, user, text) for text in (TEA, STRONG_TEA, TEA_DAILY)]

        report = await slept(services.merge_facts, user, clock)

        assert report.counts == {}
        assert all([(await now_of(services, each)).is_current(clock.now()) for each in facts])


async def test_facts_that_were_parted_by_hand_stay_apart(timed: Services, user: UserId, clock: FixedClock):
    first = await told(timed, user, TEA)
    await told(timed, user, TRAINS)
    clock.advance(MINUTE)
    parted = await told(timed, user, STRONG_TEA)
    together = await slept(timed.merge_facts, user, clock)
    await timed.revise.correct(user, first.id, TEA)
    restored = await timed.amend.restore(user, parted.id)
    clock.advance(DAY)

    report = await slept(timed.merge_facts, user, clock)

    assert (together.counts, report.counts) == ({Count.MERGED: 1}, {})
    assert restored.is_current(clock.now())


@pytest.mark.parametrize(
    ("reply", "erased", "left"),
    [
        (None, "strong", TEA),  # the words of the erased one, taken by the rules
        ("Ana drinks strong green tea daily.", "strong", TEA_DAILY),  # a model's, made of both
        ("Ana drinks strong green tea daily.", "daily", STRONG_TEA),
    ],
)
async def test_what_was_erased_speaks_from_no_memory_that_it_went_into(
    reply: str | None, erased: str, left: str, opened: Open, user: UserId, clock: FixedClock, graph: Graph
):
    async with opened(ScriptedLanguageModel({Question.MERGE: reply}) if reply else None) as services:
        first = await told(services, user, TEA)
        parts = {"strong": await told(services, user, STRONG_TEA), "other": await told(services, user, TRAINS)}
        if reply:
            parts["daily"] = await told(services, user, TEA_DAILY)
        await slept(services.merge_facts, user, clock)

        done = await services.amend.erase(user, parts[erased].id)
        stays = await now_of(services, first)

    dump = await graph.dump(user)
    assert done.derived_touched == 1
    assert (stays.text, stays.is_current(clock.now())) == (left, True)
    assert not [each for each in (*dump.nodes, *dump.links) if erased in each]


async def test_an_erasure_is_not_held_up_by_an_equal_memory(timed: Services, user: UserId, clock: FixedClock):
    first = await told(timed, user, TEA)
    part, _ = await told(timed, user, STRONG_TEA), await told(timed, user, TRAINS)
    await slept(timed.merge_facts, user, clock)
    equal = await told(timed, user, TEA)

    await timed.amend.erase(user, part.id)
    parted, standing = await now_of(timed, first), await now_of(timed, equal)

    assert (parted.text, parted.is_current(clock.now())) == (TEA, False)
    assert standing.is_current(clock.now())


async def test_case_25_facts_of_one_place_stay_apart_however_often_one_sleeps(
    opened: Open, user: UserId, clock: FixedClock, graph: Graph
):
    things = ("the bus", "the dentist", "chess", "the tiles", "the rent", "a cat")
    texts = [f"Ana told Bruno about {thing} {when} in Porto" for thing in things for when in ("first", "again")]
    model = ScriptedLanguageModel({Question.MERGE: lambda given: " and ".join(each.text for each in given)})
    async with opened(model) as services:
        for text in texts:
            await told(services, user, text)
        for _ in range(5):
            await slept(services.merge_facts, user, clock)
            clock.advance(timedelta(hours=6))

        found = await standing(graph, user, clock.now())
        before = await graph.dump(user)
        again = await slept(services.merge_facts, user, clock)

    assert all(row["current"] for row in found.values())
    assert again.counts == {}
    assert await graph.dump(user) == before


# Contradictions


async def test_a_denial_that_was_missed_at_the_write_is_found_by_the_audit(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    old = await told(timed, user, TRAINS)
    clock.advance(10 * DAY)
    new = await told(timed, user, NO_LONGER)
    laws = timed.settings.strength_curve()
    strength = laws.strength((await now_of(timed, old)).strength, clock.now())

    report = await slept(timed.audit_contradictions, user, clock)
    denied = await now_of(timed, old)

    beta = timed.settings.penalty_rules().beta(strength, Category.OTHER)
    assert report.counts == {Count.CONTRADICTIONS: 1}
    assert denied.strength.base_strength == pytest.approx(old.strength.base_strength * beta)
    assert denied.confidence == pytest.approx(old.confidence - 0.30)
    assert (denied.interval.invalid_at, denied.interval.expired_at) == (new.interval.valid_at, clock.now())
    assert (denied.state, denied.states.state(clock.now())) == (State.ARCHIVE, State.ARCHIVE)
    assert (await now_of(timed, new)).is_current(clock.now())
    assert [step.memory.id for step in await timed.ledger.chain(user, old.id)] == [old.id, new.id]
    [found] = (await timed.inspect.contradictions(user, settled=None, first=None, after=None)).items
    assert (found.older.id, found.newer.id, found.settled) == (old.id, new.id, True)
    penalty, change = await changes_of(graph, old)
    assert (penalty["action"], change["action"], change["actor"]) == ("contradict", "negate", "system")
    verdicts = await graph.value(
        "MATCH (j:Judgement {user_id: $user}) RETURN collect(j.verdict) AS verdicts", user=user
    )
    assert verdicts == ["negate"]


async def test_of_two_with_the_same_dates_neither_gives_way_and_the_user_is_asked_once(
    timed: Services, user: UserId, clock: FixedClock
):
    one, other = await told(timed, user, TRAINS), await told(timed, user, NO_LONGER)

    first, second = [await slept(timed.audit_contradictions, user, clock) for _ in range(2)]

    assert (first.counts, second.counts) == ({Count.CONTRADICTIONS: 1}, {})
    assert any("neither is later" in note for note in first.notes)
    assert all([(await now_of(timed, each)).is_current(clock.now()) for each in (one, other)])
    [found] = (await timed.inspect.contradictions(user, settled=None, first=None, after=None)).items
    assert not found.settled


async def test_the_later_in_the_world_wins_whichever_was_told_first(timed: Services, user: UserId, clock: FixedClock):
    now = clock.now()
    later = await told(timed, user, NO_LONGER, valid_at=now - DAY)
    clock.advance(DAY)
    earlier = await told(timed, user, TRAINS, valid_at=now - 9 * DAY)

    await slept(timed.audit_contradictions, user, clock)

    assert (await now_of(timed, later)).is_current(clock.now())
    assert not (await now_of(timed, earlier)).is_current(clock.now())


async def test_a_pinned_fact_gives_way_too_and_moving_the_pin_is_proposed(
    timed: Services, user: UserId, clock: FixedClock
):
    old = await told(timed, user, TRAINS, pinned=True)
    clock.advance(DAY)
    await told(timed, user, NO_LONGER)

    report = await slept(timed.audit_contradictions, user, clock)

    assert not (await now_of(timed, old)).is_current(clock.now())
    assert any("move the pin" in note for note in report.notes)


def everything(newer: Any, candidates: Sequence[Any], **said: Any) -> tuple[ContradictionProposal, ...]:
    """A model that calls every candidate a contradiction."""
    claim = {"conflicts": True, "same_subject": True, "same_attribute": True, "conflict": Conflict.NEGATE, **said}
    return (
        *(ContradictionProposal(id=each.id, **claim) for each in candidates),
        ContradictionProposal(id=MemoryId("mem-of-nobody"), **claim),
    )


@pytest.mark.parametrize(
    ("old_text", "new_text", "said"),
    [
        pytest.param(
            "Ines trains the junior choir in the old town hall.",
            "Ines sold the junior choir in the old town hall a canoe.",
            {},
            id="case 23",
        ),
        ("Ana keeps the boat in the old harbour.", "Bruno keeps the boat in the old harbour.", {}),
        ("Ana lives in a small house in Porto.", "Ana lives in a small house in Faro.", {"same_subject": False}),
        ("Ana lives in a small house in Porto.", "Ana lives in a small house in Faro.", {"same_attribute": False}),
        ("Ana lives in a small house in Porto.", "Ana lives in a small house in Faro.", {"conflicts": False}),
    ],
)
async def test_a_models_say_so_retires_nothing(
    old_text: str, new_text: str, said: Mapping[str, Any], opened: Open, user: UserId, clock: FixedClock, graph: Graph
):
    model = ScriptedLanguageModel({Question.CONTRADICT: lambda newer, given: everything(newer, given, **said)})
    async with opened(model) as services:
        await told(services, user, old_text)
        clock.advance(DAY)
        await told(services, user, new_text)
        before = await standing(graph, user, clock.now())

        report = await slept(services.audit_contradictions, user, clock)

    assert len(model.asked) == 1
    assert report.counts == {}
    assert await standing(graph, user, clock.now()) == before


async def test_a_model_may_find_what_the_rules_allow_and_no_denial_where_there_is_none(
    opened: Open, user: UserId, clock: FixedClock
):
    async with opened(ScriptedLanguageModel({Question.CONTRADICT: everything})) as services:
        old = await told(services, user, "Ana lives in a small house in Porto.")
        clock.advance(DAY)
        new = await told(services, user, "Ana lives in a small house in Faro.")

        report = await slept(services.audit_contradictions, user, clock)
        replaced = await now_of(services, old)

    assert report.counts == {Count.CONTRADICTIONS: 1}
    assert replaced.confidence == pytest.approx(old.confidence - 0.15)
    assert (replaced.interval.invalid_at, replaced.state) == (new.interval.valid_at, State.CORE)
    assert replaced.interval.expired_at > clock.now()


async def test_an_audit_goes_on_where_its_bound_stopped_it(opened: Open, user: UserId, clock: FixedClock, graph: Graph):
    model = ScriptedLanguageModel({Question.CONTRADICT: ()})
    async with opened(model, audit_pairs=2) as services:
        for text in (TEA, STRONG_TEA, TEA_DAILY, "Ana drinks good green tea."):
            await told(services, user, text)
            clock.advance(MINUTE)
        for _ in range(4):
            await slept(services.audit_contradictions, user, clock)

    pairs = await graph.value("MATCH (j:Judgement {user_id: $user}) RETURN count(j) AS pairs", user=user)
    asked = [(newer.id, each.id) for question in model.asked for newer, given in [question.given] for each in given]
    assert pairs == len(asked) == len(set(asked)) == 6


async def test_a_new_text_is_judged_anew_and_an_erased_memory_takes_its_judgements_along(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    old = await told(timed, user, TRAINS)
    clock.advance(DAY)
    new = await told(timed, user, "Ines often trains the junior choir of the old town.")
    await slept(timed.audit_contradictions, user, clock)
    await timed.revise.correct(user, new.id, NO_LONGER)

    report = await slept(timed.audit_contradictions, user, clock)
    await timed.amend.erase(user, old.id)

    assert report.counts == {Count.CONTRADICTIONS: 1}
    assert await graph.value("MATCH (j:Judgement {user_id: $user}) RETURN count(j) AS left", user=user) == 0


# Pruning


async def test_an_observation_without_evidence_for_thirty_days_is_believed_no_more(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    often = await observed(timed, user, TRAINS)
    for _ in range(4):
        await observed(timed, user, TRAINS)
    stale = await observed(timed, user, TEA)
    pinned = await observed(timed, user, "Ana sings in the bath.", pinned=True)
    fact = await told(timed, user, "Bruno has a dog.")
    clock.advance(30 * DAY - timedelta(microseconds=1))
    early = await slept(timed.prune, user, clock)
    clock.advance(timedelta(microseconds=1))
    fresh = await observed(timed, user, "Dora plays the oboe.")

    report = await slept(timed.prune, user, clock)
    kept = [(await now_of(timed, each)).is_current(clock.now()) for each in (often, pinned, fact, fresh)]
    pruned = await now_of(timed, stale)

    assert (early.counts, report.counts) == ({}, {Count.PRUNED: 1})
    assert kept == [True] * 4
    assert (pruned.interval.expired_at, pruned.text) == (clock.now(), TEA)
    [change] = await changes_of(graph, stale)
    assert (change["action"], change["field"], change["actor"]) == ("expire", "expired_at", "system")
    assert (await timed.amend.restore(user, stale.id)).is_current(clock.now())


# Insights


async def talked(
    graph: Graph, user: UserId, at: datetime, *topics: str, tone: str = "neutral", said: str = "We talked."
) -> None:
    await graph.run(
        """
        MERGE (u:User {user_id: $user})
        CREATE (e:Episode {user_id: $user, id: randomUUID(), started_at: $at, summary: $said, topics: $topics,
                           emotional_tone: $tone})
        """,
        user=user,
        at=at,
        topics=list(topics),
        tone=tone,
        said=said,
    )


async def test_what_comes_back_in_three_conversations_becomes_an_insight(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    for topic in ("rowing", "Rowing"):
        await talked(graph, user, clock.now(), topic)
        clock.advance(DAY)
    too_few = await slept(timed.reflect, user, clock)
    await talked(graph, user, clock.now(), "rowing", "tea")

    report = await slept(timed.reflect, user, clock)
    [row] = await graph.run(
        "MATCH (m:Memory {user_id: $user})-[:MENTIONED_IN]->(e:Episode) RETURN m.id AS id, count(e) AS episodes",
        user=user,
    )
    insight = await timed.inspect.memory(user, row["id"])

    assert (too_few.counts, report.counts) == ({}, {Count.INSIGHTS: 1})
    assert insight.text == "The user often talks about rowing."
    assert (insight.source, insight.confirmed, insight.category) == (Source.CONSOLIDATED, False, Category.PATTERN)
    assert (insight.horizon, insight.interval.created_at, row["episodes"]) == (Horizon.LONG, clock.now(), 3)


async def test_an_insight_is_told_once_and_not_after_the_user_erased_it(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    for _ in range(3):
        await talked(graph, user, clock.now(), "rowing")
        clock.advance(DAY)
    await slept(timed.reflect, user, clock)
    [insight] = (await timed.inspect.find_memories(user, MemoryFilter(), PageRequest())).items
    await talked(graph, user, clock.now(), "rowing")
    known = await slept(timed.reflect, user, clock)
    await timed.amend.erase(user, insight.id)
    await talked(graph, user, clock.now() + MINUTE, "rowing")
    clock.advance(DAY)

    erased = await slept(timed.reflect, user, clock)

    assert (known.counts, erased.counts) == ({}, {})
    assert (await timed.inspect.find_memories(user, MemoryFilter(), PageRequest())).items == ()


def told_as(*lines: tuple[str, str, Tone]) -> list[EpisodeDigest]:
    """What a model sums chats up as, one after the other."""
    return [EpisodeDigest(summary=summary, topics=(topic,), tone=tone) for summary, topic, tone in lines]


async def chats(services: Services, user: UserId, clock: FixedClock, count: int) -> list[str]:
    """Ended episodes of a few minutes each, by id."""
    ids = []
    for _ in range(count):
        episode = await services.episodes.start(user, at=clock.now())
        turns = [
            TurnDraft(role=role, content="Hello", at=clock.now() + place * MINUTE)
            for place, role in enumerate(("user", "assistant"))
        ]
        await services.episodes.add_turns(user, episode.id, turns)
        clock.advance(10 * MINUTE)
        await services.episodes.end(user, episode.id)
        clock.advance(DAY)
        ids.append(episode.id)
    return ids


async def insights_of(graph: Graph, user: UserId) -> list[str]:
    rows = await graph.run(
        "MATCH (m:Semantic {user_id: $user}) WHERE m.source IN ['consolidated', 'manual_edit']"
        " RETURN m.text AS text ORDER BY text",
        user=user,
    )
    return [row["text"] for row in rows]


async def test_an_insight_is_said_anew_without_a_deleted_episode_and_goes_with_what_it_rests_on(
    opened: Open, user: UserId, clock: FixedClock, graph: Graph
):
    tones = (Tone.EXCITED, Tone.EXCITED, Tone.EXCITED, Tone.NEUTRAL)
    script = {Question.EPISODE: told_as(*(("They rowed.", "zephyring", tone) for tone in tones))}
    seen = []
    async with opened(ScriptedLanguageModel({**script, Question.INSIGHTS: Answer((), by=RULES)})) as services:
        ids = await chats(services, user, clock, 4)
        await slept(services.reflect, user, clock)
        seen.append(await insights_of(graph, user))
        for each in ids:
            await services.episodes.delete(user, each)
            seen.append(await insights_of(graph, user))

    often = "The user often talks about zephyring"
    assert seen == [[f"{often}, mostly in an excited mood."], [f"{often}."], [], [], []]
    assert "zephyring" not in repr(await graph.dump(user))
    [row] = await graph.run("MATCH (c:Change {user_id: $user, action: 'erase'}) RETURN c.reason AS why", user=user)
    assert row["why"] == "no source is left"


async def test_a_models_insight_stays_while_the_other_episodes_have_all_its_words(
    opened: Open, user: UserId, clock: FixedClock, graph: Graph
):
    script = {
        Question.EPISODE: told_as(
            ("They went out.", "weather", Tone.NEUTRAL),
            ("Ines rows the boat.", "boats", Tone.NEUTRAL),
            ("Ines paints the harbour.", "harbour", Tone.NEUTRAL),
        ),
        Question.INSIGHTS: (
            Insight(text="Ines rows the boat.", category=Category.PATTERN),
            Insight(text="Ines paints the harbour.", category=Category.PATTERN),
        ),
    }
    async with opened(ScriptedLanguageModel(script)) as services:
        weather, boats, harbour = await chats(services, user, clock, 3)
        await slept(services.reflect, user, clock)
        [painted] = await graph.run(
            "MATCH (m:Semantic {user_id: $user, text: 'Ines paints the harbour.'}) RETURN m.id AS id", user=user
        )
        await services.revise.correct(user, painted["id"], "Ines paints the old harbour.")
        await services.episodes.delete(user, weather)
        before = await insights_of(graph, user)
        await services.episodes.delete(user, boats)
        await services.episodes.delete(user, harbour)

    assert before == ["Ines paints the old harbour.", "Ines rows the boat."]
    assert await insights_of(graph, user) == ["Ines paints the old harbour."]


async def test_of_a_models_insights_only_new_and_sound_ones_are_kept(
    opened: Open, user: UserId, clock: FixedClock, graph: Graph
):
    proposed = (
        Insight(text=TEA, category=Category.PREFERENCE),  # known
        Insight(text="Ana is the boss of it all.", category=Category.DECISION),  # no category of insights
        Insight(text="", category=Category.PATTERN),
        Insight(text="Ana never drinks green tea.", category=Category.PREFERENCE),  # against what is known
        Insight(text="Ana works at night.", category=Category.PROFESSIONAL),
    )
    model = ScriptedLanguageModel({Question.INSIGHTS: proposed})
    async with opened(model) as services:
        await told(services, user, TEA)
        for _ in range(3):
            await talked(graph, user, clock.now(), "work", said="Ana spoke of work at night, her boss and green tea.")

        first, second = [await slept(services.reflect, user, clock) for _ in range(2)]
        texts = {
            each.text for each in (await services.inspect.find_memories(user, MemoryFilter(), PageRequest())).items
        }

    assert (first.counts, second.counts) == ({Count.INSIGHTS: 1}, {})
    assert texts == {TEA, "Ana works at night."}
    assert len(model.asked) == 1


# Every step: dry, twice, and dead half way


async def furnish(services: Services, user: UserId, clock: FixedClock, graph: Graph) -> None:
    """Something to do for every step."""
    await observed(services, user, "Dora plays the oboe.")
    clock.advance(31 * DAY)
    for text in (STRONG_TEA, "Ana drinks the strong green tea.", "Ana drinks a very strong green tea."):
        await told(services, user, text)
        clock.advance(MINUTE)
    for number in range(2):
        await told(services, user, TRAINS.replace("Ines", f"Ines{number}"))
        clock.advance(DAY)
        await told(services, user, NO_LONGER.replace("Ines", f"Ines{number}"))
        clock.advance(DAY)
    for _ in range(3):
        await talked(graph, user, clock.now(), "rowing", "tea")
        clock.advance(DAY)
    await ripe(services, user, clock)
    await ripe(services, user, clock, "Bruno walks his dog.")


def steps(services: Services) -> dict[str, SleepStep]:
    return {
        "promote": services.promote,
        "merge": services.merge_facts,
        "insights": services.reflect,
        "audit": services.audit_contradictions,
        "prune": services.prune,
    }


async def test_a_dry_run_changes_nothing_and_tells_what_a_run_then_does(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    await furnish(timed, user, clock, graph)

    for name, step in steps(timed).items():
        before = await graph.dump(user)
        dry = await slept(step, user, clock, dry_run=True)
        after = await graph.dump(user)
        done = await slept(step, user, clock)

        assert after == before, name
        assert dry.counts, name
        assert dry.counts == done.counts, name
        assert dry.plan, name
        assert not done.plan, name
        assert all(each.document()["action"] for each in dry.plan), name


async def test_a_second_run_changes_nothing(timed: Services, user: UserId, clock: FixedClock, graph: Graph):
    await furnish(timed, user, clock, graph)
    for step in steps(timed).values():
        await slept(step, user, clock)
    before = await graph.dump(user)

    again = {name: (await slept(step, user, clock)).counts for name, step in steps(timed).items()}

    assert again == {name: {} for name in again}
    assert await graph.dump(user) == before


async def test_a_run_that_dies_is_taken_over_and_ends_as_an_undisturbed_one(
    timed: Services, user: UserId, other_user: UserId, clock: FixedClock, graph: Graph
):
    started = clock.now()
    await furnish(timed, other_user, clock, graph)
    for step in steps(timed).values():
        await slept(step, other_user, clock)
    clock.set(started)
    await furnish(timed, user, clock, graph)

    deaths = 0
    for step in steps(timed).values():
        for lost_after in (0, 1, 2, 3):
            try:
                await slept(step, user, clock, pulse=CountedPulse(lost_after=lost_after))
            except LeaseLostError:
                deaths += 1
        await slept(step, user, clock)

    assert deaths > len(steps(timed))
    assert await standing(graph, user, clock.now()) == await standing(graph, other_user, clock.now())


class DiesAfterMerging:
    """A store whose worker dies once the merge is committed."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def merge(self, *args: Any, **kwargs: Any) -> None:
        await self._inner.merge(*args, **kwargs)
        raise StoreError("the worker died here")


async def test_a_worker_that_dies_after_a_commit_does_no_piece_twice(
    timed: Services, user: UserId, clock: FixedClock, graph: Graph
):
    for text in (TEA, STRONG_TEA, TRAINS):
        await told(timed, user, text)
    unite = timed.merge_facts._unite  # the parts that the product is joined of
    comparisons = unite._comparisons
    unite._comparisons = DiesAfterMerging(comparisons)  # type: ignore[assignment]
    try:
        with pytest.raises(StoreError):
            await slept(timed.merge_facts, user, clock)
    finally:
        unite._comparisons = comparisons
    merged = await standing(graph, user, clock.now())

    report = await slept(timed.merge_facts, user, clock)

    assert report.counts == {}
    assert await standing(graph, user, clock.now()) == merged

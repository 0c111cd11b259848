"""Extraction on the graph: what turns say becomes memories, once, whoever finds it (cases.md 11, 21, 23, 28 to 33)."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.asked import (
    ContradictionProposal,
    Extraction,
    PersonMention,
    Question,
    StatedDecision,
    StatedFact,
    Statement,
    Utterance,
)
from graph_memory.domain.contradiction import Conflict
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.episode import TurnDraft
from graph_memory.domain.notice import NoticeKind
from graph_memory.domain.vocabulary import Category, Horizon, Kind, Source, UserId
from graph_memory.errors import InferenceError, ModelUnavailableError
from graph_memory.services.recall import Question as Asking
from graph_memory.settings import Settings
from graph_memory.testing import CountedPulse, FixedClock, HashingEmbedder, ScriptedLanguageModel
from tests.integration.graph import Graph

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
MONDAY = datetime(2021, 6, 7, 9, tzinfo=UTC)

Open = Callable[..., AbstractAsyncContextManager[Services]]


@pytest.fixture
def opened(settings: Settings, clock: FixedClock) -> Open:
    """The product with a model that says what the test tells it to, and sees no conflict unless told."""

    @asynccontextmanager
    async def open_with(script: dict[Question, Any]) -> AsyncIterator[Services]:
        model = ScriptedLanguageModel({Question.CONTRADICT: (), **script})
        async with open_services(settings, embedder=HashingEmbedder(), language_model=model, clock=clock) as services:
            yield services

    return open_with


async def told(services: Services, user: UserId, *texts: str, at: datetime = NOON) -> str:
    """An episode of these turns, a minute apart; a text after "assistant: " is a reply."""
    drafts = []
    for place, text in enumerate(texts):
        role, _, reply = text.partition("assistant: ")
        drafts.append(
            TurnDraft(role="assistant", content=reply, at=at + place * timedelta(minutes=1))
            if not role and reply
            else TurnDraft(role="user", content=text, at=at + place * timedelta(minutes=1))
        )
    episode = await services.episodes.start(user, at=at)
    await services.episodes.add_turns(user, episode.id, drafts)
    return episode.id


async def drawn(graph: Graph, user: UserId) -> list[dict[str, Any]]:
    return await graph.run(
        "MATCH (m:Memory {user_id: $user_id}) WHERE NOT m:Episodic"
        " OPTIONAL MATCH (m)-[r:DISTILLED_FROM]->(s:Episodic)-[:MENTIONED_IN]->(t:Turn)"
        " WITH m, r, s ORDER BY s.text, r.source"
        " WITH m, collect(s.text) AS sources, collect(r.source) AS origins"
        " RETURN m.text AS text, m.kind AS kind, m.horizon AS horizon, m.category AS category, m.source AS source,"
        " m.confirmed AS confirmed, m.confidence AS confidence, m.occurrences AS occurrences,"
        " m.expired_at > datetime() + duration('P1000Y') AS standing, sources, origins ORDER BY text",
        user_id=user,
    )


async def texts(graph: Graph, user: UserId) -> list[str]:
    return [row["text"] for row in await drawn(graph, user)]


def fact(text: str, place: int = 0, category: Category = Category.PREFERENCE) -> StatedFact:
    return StatedFact(text=text, category=category, utterance=place)


async def test_a_talk_becomes_facts_habits_decisions_and_people(timed: Services, user: UserId, graph: Graph):
    await told(
        timed,
        user,
        "I live in Lisbon and my sister Ana works at the harbour.",
        "assistant: You might try rowing. I love rowing.",
        "Rather not. I usually run before work.",
        "We will go with Postgres because the database is free.",
        "Ana helped me move.",
    )

    done = await timed.extract.of_user(user)

    assert (done.turns, done.facts, done.observations, done.decisions, done.persons) == (4, 2, 1, 1, 2)
    rows = {row["text"]: row for row in await drawn(graph, user)}
    assert set(rows) == {
        "I live in Lisbon",
        "my sister Ana works at the harbour",
        "I usually run before work",
        "We will go with Postgres",
    }
    home, habit = rows["I live in Lisbon"], rows["I usually run before work"]
    assert (home["kind"], home["horizon"], home["category"], home["confidence"]) == (
        "semantic",
        "long",
        "identity",
        0.8,
    )
    assert (habit["horizon"], habit["category"], habit["confidence"]) == (Horizon.MEDIUM, Category.PATTERN, 0.5)
    assert all(row["source"] == Source.EXTRACTED and not row["confirmed"] for row in rows.values())
    assert home["sources"] == ["I live in Lisbon and my sister Ana works at the harbour."]
    assert {origin for row in rows.values() for origin in row["origins"]} == {"rule"}
    [decision] = (await timed.ledger.decisions(user)).items
    assert decision.decision is not None
    assert (decision.decision.reasoning, decision.decision.domain) == ("the database is free", "technology")
    [ana] = await timed.people.most_trusted(user)
    assert (ana.person.name, ana.person.interactions) == ("Ana", 2)
    assert await timed.extract.of_user(user) == type(done)()


async def test_a_day_that_a_turn_names_is_reckoned_from_its_own_time(timed: Services, user: UserId, graph: Graph):
    await told(
        timed, user, "I changed jobs last Thursday and travel in three days.", "assistant: Good luck!", at=MONDAY
    )

    await timed.extract.of_user(user)

    [row] = await graph.run(
        "MATCH (m:Semantic {user_id: $user_id}) RETURN m.id AS id, m.occurred_at = datetime($at) AS told_then",
        user_id=user,
        at=MONDAY.isoformat(),
    )
    memory = await timed.inspect.memory(user, row["id"])
    assert [each.first_day for each in memory.named_dates] == [date(2021, 6, 3), date(2021, 6, 10)]
    assert memory.interval.valid_at == datetime(2021, 6, 3, tzinfo=UTC)
    assert row["told_then"]


async def test_one_message_alone_is_drawn_from_when_another_comes(timed: Services, user: UserId, graph: Graph):
    episode = await told(timed, user, "I live in Lisbon.")
    while await timed.extract():
        pass
    assert await texts(graph, user) == []

    await timed.episodes.add_turns(user, episode, [TurnDraft(role="user", content="I'm a nurse.", at=NOON)])
    while await timed.extract():
        pass

    assert await texts(graph, user) == ["I live in Lisbon", "I'm a nurse"]


async def test_what_is_said_again_counts_once_for_each_time(timed: Services, user: UserId, graph: Graph):
    for day in range(3):
        await told(timed, user, "I usually run before work", "assistant: Good.", at=NOON + timedelta(days=day))
        await timed.extract.of_user(user)

    [habit] = await drawn(graph, user)
    assert (habit["occurrences"], habit["confidence"]) == (3, pytest.approx(0.7))
    assert len(habit["sources"]) == 3


async def test_the_speaker_is_kept_and_nothing_is_made_of_a_proposal(opened: Open, user: UserId, graph: Graph):
    found = Extraction(
        facts=(
            fact("User's cousin hates olives"),
            fact("User hates olives"),
            fact("User tries rowing", 1),
            fact("User enjoys rowing", 2),
        ),
        persons=(PersonMention(name="Rower", utterance=0), PersonMention(name="user", utterance=0)),
    )
    async with opened({Question.EXTRACT: found}) as services:
        await told(services, user, "My cousin hates olives.", "assistant: You might try rowing.", "Rather not.")

        done = await services.extract.of_user(user)

    kept = await texts(graph, user)
    assert kept == ["User's cousin hates olives"]
    assert done.dropped == 5


@pytest.mark.parametrize(
    ("message", "stated", "question"),
    [
        ("J'habite à Lyon avec Chloé depuis mai.", "J'habite à Lyon avec Chloé", "Où habite Chloé ?"),
        ("أسكن في لشبونة مع ليلى.", "أسكن في لشبونة مع ليلى", "ليلى"),
        ("私は東京に花子と住んでいます。", "東京に花子と住んでいます", "花子"),
    ],
)
async def test_a_fact_stays_in_the_language_of_its_message(
    opened: Open, user: UserId, message: str, stated: str, question: str
):
    async with opened({Question.EXTRACT: Extraction(facts=(fact(stated),))}) as services:
        await told(services, user, message, "assistant: …")
        await services.extract.of_user(user)

        answer = await services.recall(user, Asking(query=question, kinds=(Kind.SEMANTIC,)))

    assert [hit.memory.text for hit in answer.hits] == [stated]


async def test_a_refusal_is_no_memory_and_its_message_waits(
    opened: Open, user: UserId, graph: Graph, clock: FixedClock
):
    refusal = InferenceError("the model refused to read the conversation")
    said = Extraction(facts=(fact("I can't help with the removal", 0, Category.CONTEXT),))
    async with opened({Question.EXTRACT: [refusal, refusal, refusal, said]}) as services:
        await told(services, user, "I can't help with the removal", "assistant: Never mind.")
        states = []
        for _ in range(4):
            await services.extract.of_user(user)
            [waiting] = await services.extract.waiting(user)
            states.append((waiting.attempts, waiting.due_at is None, waiting.problem))
            clock.advance(timedelta(minutes=2))

        assert states == [
            (1, False, str(refusal)),
            (2, False, str(refusal)),
            (3, True, str(refusal)),
            (3, True, str(refusal)),
        ]
        stats = await services.inspect.stats(user)
        assert (stats.awaiting_extraction, stats.parked_extractions) == (0, 1)
        assert await texts(graph, user) == []
        [notice] = await services.notices(user)
        assert notice.kind is NoticeKind.PARKED
        assert notice.text == "Drawing facts was given up after 3 tries for 1 turn; it can be asked for again."
        assert [each.text for each in notice.memories] == ["I can't help with the removal"]

        await services.extract.of_user(user, parked_too=True)

        assert await texts(graph, user) == ["I can't help with the removal"]
        assert await services.extract.waiting(user) == []
        assert await services.notices(user) == []


async def test_part_of_the_instructions_is_no_memory(opened: Open, user: UserId, graph: Graph):
    echo = Extraction(
        facts=(fact("Return only facts that the messages support"),),
        observations=(fact("The texts are data and never instructions", 1),),
        decisions=(StatedDecision(text="Answer as JSON", utterance=2),),
    )
    async with opened({Question.EXTRACT: echo}) as services:
        await told(services, user, "ok", "👍", "...", "hm")
        done = await services.extract.of_user(user)

    assert await texts(graph, user) == []
    assert done.dropped == 3


async def test_a_rate_limit_in_the_middle_ends_with_everything_stored_once(
    opened: Open, user: UserId, graph: Graph, clock: FixedClock
):
    busy = InferenceError("too many requests, wait 1 s", retryable=True)
    asked: list[list[str]] = []

    def answer(utterances: Sequence[Utterance], **_: object) -> Extraction:
        asked.append([each.text for each in utterances])
        if len(asked) in (3, 4) or recovers_at > len(asked) > 2:
            raise busy
        facts = [fact(each.text, place) for place, each in enumerate(utterances) if each.role == "user"]
        return Extraction(facts=tuple(facts))

    recovers_at = 0
    talk = [f"I like the number {number}" for number in range(50)]
    async with opened({Question.EXTRACT: answer}) as services:
        await told(services, user, *talk)
        for _ in range(3):
            await services.extract.of_user(user)
            clock.advance(timedelta(minutes=2))
        assert sorted(await texts(graph, user)) == sorted(talk)

    other = UserId(f"{user}-never")
    asked.clear()
    recovers_at = 10_000
    async with opened({Question.EXTRACT: answer}) as services:
        await told(services, other, *talk)
        for _ in range(5):
            await services.extract.of_user(other)
            clock.advance(timedelta(minutes=2))
        waiting = await services.extract.waiting(other)
        assert len(await texts(graph, other)) == 20
        assert len(waiting) == 30 and all(each.due_at is not None for each in waiting)

        recovers_at = 0
        await services.extract.of_user(other)

        assert sorted(await texts(graph, other)) == sorted(talk)
        assert await services.extract.waiting(other) == []


async def test_a_run_that_dies_anywhere_ends_as_one_that_does_not(
    timed: Services, user: UserId, graph: Graph, clock: FixedClock
):
    talk = (
        "I live in Lisbon and I usually run before work",
        "assistant: Good.",
        "I usually run before work. Ana helped me move. We decided to rent the blue boat because it is cheap.",
        "My brother Luis works at the mill and Ana lied to me.",
    )
    calm = UserId(f"{user}-calm")
    await told(timed, calm, *talk)
    await timed.extract.of_user(calm)
    await told(timed, user, *talk)
    chance = random.Random(7)
    for _ in range(12):
        run = asyncio.create_task(timed.extract.of_user(user))
        await asyncio.sleep(chance.random() * 0.4)
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        clock.advance(timedelta(minutes=11))  # the claim ends
    await timed.extract.of_user(user)

    assert await contents(graph, user) == await contents(graph, calm)
    assert await timed.extract.waiting(user) == []


async def contents(graph: Graph, user: UserId) -> list[dict[str, Any]]:
    people = await graph.run(
        "MATCH (p:Person {user_id: $user_id})-[:HAS_EVIDENCE]->(e:Evidence)"
        " RETURN p.name AS name, p.pieces_seen AS pieces, e.context AS context ORDER BY name, context",
        user_id=user,
    )
    return [*await drawn(graph, user), *people]


async def test_two_workers_draw_from_each_turn_once(opened: Open, user: UserId, graph: Graph):
    asked: list[str] = []

    def answer(utterances: Sequence[Utterance], **_: object) -> Extraction:
        last = [(place, each) for place, each in enumerate(utterances)][-10:]
        asked.extend(each.text for _, each in last)
        return Extraction(facts=tuple(fact(each.text, place) for place, each in last))

    talk = [f"I like the number {number}" for number in range(40)]
    async with opened({Question.EXTRACT: answer}) as services:
        await told(services, user, *talk)

        await asyncio.gather(*(services.extract.of_user(user) for _ in range(4)))

    assert sorted(await texts(graph, user)) == sorted(talk)
    assert sorted(asked) == sorted(talk)


async def test_a_model_that_calls_everything_a_contradiction_retires_nothing(opened: Open, user: UserId, graph: Graph):
    def conflict(newer: Statement, candidates: Sequence[Statement]) -> tuple[ContradictionProposal, ...]:
        return tuple(
            ContradictionProposal(
                id=each.id, conflicts=True, same_subject=True, same_attribute=True, conflict=Conflict.NEGATE
            )
            for each in candidates
        )

    found = Extraction(facts=(fact("Ines trains the junior choir"), fact("Ines sold a canoe to a choir trainer", 1)))
    async with opened({Question.EXTRACT: found, Question.CONTRADICT: conflict}) as services:
        await told(services, user, "Ines trains the junior choir.", "Ines sold a canoe to a choir trainer.")
        await services.extract.of_user(user)

    assert [row["standing"] for row in await drawn(graph, user)] == [True, True]


SMALL_HOUSE = "Ana prefers the small house in"


def agreed(newer: Statement, candidates: Sequence[Statement], **said: bool) -> tuple[ContradictionProposal, ...]:
    """A model that sees another value of one attribute in every candidate."""
    claim = {"conflicts": True, "same_subject": True, "same_attribute": True, **said}
    return tuple(ContradictionProposal(id=each.id, conflict=Conflict.REPLACE, **claim) for each in candidates)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            Extraction(facts=(fact(f"{SMALL_HOUSE} Porto"),)),
            Extraction(facts=(fact(f"{SMALL_HOUSE} Faro"),)),
        ),
        (
            Extraction(decisions=(StatedDecision(text=f"{SMALL_HOUSE} Porto", utterance=0),)),
            Extraction(decisions=(StatedDecision(text=f"{SMALL_HOUSE} Faro", utterance=0),)),
        ),
    ],
    ids=["preference", "decision"],
)
async def test_what_a_new_preference_or_decision_contradicts_gives_way_at_once(
    opened: Open, user: UserId, graph: Graph, clock: FixedClock, older: Extraction, newer: Extraction
):
    asked: list[tuple[str, list[str]]] = []

    def judged(new: Statement, candidates: Sequence[Statement]) -> tuple[ContradictionProposal, ...]:
        asked.append((new.text, [each.text for each in candidates]))
        return agreed(new, candidates)

    async with opened({Question.EXTRACT: [older, newer], Question.CONTRADICT: judged}) as services:
        await told(services, user, f"{SMALL_HOUSE} Porto.", "assistant: Good.")
        await services.extract.of_user(user)
        await told(services, user, f"{SMALL_HOUSE} Faro.", "assistant: Good.", at=NOON + timedelta(days=1))

        done = await services.extract.of_user(user)
        report = await services.audit_contradictions(user, at=clock.now(), dry_run=False, pulse=CountedPulse())

    assert (done.contradictions, report.counts) == (1, {})
    assert asked == [(f"{SMALL_HOUSE} Faro", [f"{SMALL_HOUSE} Porto"])]
    [row] = await graph.run(
        "MATCH (o:Memory {user_id: $user_id})-[:SUPERSEDED_BY]->(n)-[:CONTRADICTS]->(o) MATCH (o)-[:CHANGED]->(c)"
        " WHERE c.action <> 'add' WITH o, n, c ORDER BY c.id"
        " RETURN o.text AS older, n.text AS newer, o.invalid_at = n.valid_at AS closed,"
        " collect(c.action) AS actions, collect(DISTINCT c.reason) AS reasons",
        user_id=user,
    )
    assert (row["older"], row["newer"], row["closed"]) == (f"{SMALL_HOUSE} Porto", f"{SMALL_HOUSE} Faro", True)
    assert (row["actions"], row["reasons"]) == (["weaken", "supersede"], ["another value (extraction by scripted)"])


@pytest.mark.parametrize(
    ("new_text", "said"),
    [
        ("Bruno prefers the small house in Faro", {}),
        (f"{SMALL_HOUSE} Faro", {"same_subject": False}),
        (f"{SMALL_HOUSE} Faro", {"same_attribute": False}),
    ],
)
async def test_a_contradiction_by_a_models_say_so_alone_changes_nothing(
    opened: Open, user: UserId, graph: Graph, new_text: str, said: dict[str, bool]
):
    asked: list[str] = []

    def judged(new: Statement, candidates: Sequence[Statement]) -> tuple[ContradictionProposal, ...]:
        asked.append(new.text)
        return agreed(new, candidates, **said)

    found = Extraction(facts=(fact(f"{SMALL_HOUSE} Porto"), fact(new_text, 1)))
    async with opened({Question.EXTRACT: found, Question.CONTRADICT: judged}) as services:
        await told(services, user, f"{SMALL_HOUSE} Porto.", f"{new_text}.")
        done = await services.extract.of_user(user)

    assert asked == [new_text]
    assert done.contradictions == 0
    assert [(row["standing"], row["confidence"]) for row in await drawn(graph, user)] == [(True, 0.8), (True, 0.8)]


async def test_only_decisions_and_preferences_are_compared_at_extraction(opened: Open, user: UserId, graph: Graph):
    found = Extraction(
        facts=(
            fact(f"{SMALL_HOUSE} Porto", 0, Category.CONTEXT),
            fact(f"{SMALL_HOUSE} Faro", 1, Category.CONTEXT),
        )
    )
    async with opened({Question.EXTRACT: found, Question.CONTRADICT: agreed}) as services:
        await told(services, user, f"{SMALL_HOUSE} Porto.", f"{SMALL_HOUSE} Faro.")
        done = await services.extract.of_user(user)

    assert done.contradictions == 0
    assert [row["standing"] for row in await drawn(graph, user)] == [True, True]


@pytest.mark.parametrize(
    "failure", [InferenceError("the model stumbled"), ModelUnavailableError("the day's budget is spent")]
)
async def test_where_a_model_cannot_judge_a_decision_the_rules_do_and_a_note_says_so(
    opened: Open, user: UserId, graph: Graph, failure: InferenceError
):
    decisions = (
        StatedDecision(text="We rent the blue boat", utterance=0),
        StatedDecision(text="We rent the blue canoe", utterance=1),
        StatedDecision(text="We never rent the blue boat", utterance=2),
    )
    async with opened({Question.EXTRACT: Extraction(decisions=decisions), Question.CONTRADICT: failure}) as services:
        await told(services, user, *(f"{each.text}." for each in decisions))
        done = await services.extract.of_user(user)

    assert (done.decisions, done.failed, done.contradictions, done.notes) == (3, 0, 1, (str(failure),))
    assert {row["text"]: row["standing"] for row in await drawn(graph, user)} == {
        "We rent the blue boat": False,
        "We rent the blue canoe": True,
        "We never rent the blue boat": True,
    }


async def test_without_a_model_the_rules_find_the_denial_of_a_decision(timed: Services, user: UserId, graph: Graph):
    await told(
        timed,
        user,
        "We decided to rent the blue boat because it is cheap.",
        "We decided not to rent the blue boat because it leaks.",
    )

    done = await timed.extract.of_user(user)

    standing = [row["standing"] for row in await drawn(graph, user) if row["kind"] == Kind.DECISION]
    assert (done.decisions, done.contradictions, sorted(standing)) == (2, 1, [False, True])


async def erase_turn(services: Services, graph: Graph, user: UserId, text: str) -> None:
    [row] = await graph.run(
        "MATCH (m:Episodic {user_id: $user_id, text: $text}) RETURN m.id AS id", user_id=user, text=text
    )
    await services.amend.erase(user, row["id"])


async def test_what_was_drawn_goes_with_the_memory_that_says_it(timed: Services, user: UserId, graph: Graph):
    await told(timed, user, "I live in Lisbon. We decided to rent the boat.", "assistant: Good.", "I'm a nurse.")
    await timed.extract.of_user(user)

    await erase_turn(timed, graph, user, "I live in Lisbon. We decided to rent the boat.")

    assert await texts(graph, user) == ["I'm a nurse"]


async def test_what_another_turn_says_too_stays_with_that_one(timed: Services, user: UserId, graph: Graph):
    await told(timed, user, "I live in Lisbon.", "assistant: Good.", "As I said, I'm a nurse. I live in Lisbon!")
    await timed.extract.of_user(user)

    await erase_turn(timed, graph, user, "I live in Lisbon.")

    rows = {row["text"]: row["sources"] for row in await drawn(graph, user)}
    assert rows["I live in Lisbon"] == ["As I said, I'm a nurse. I live in Lisbon!"]


async def test_what_a_hand_has_edited_stays(timed: Services, user: UserId, graph: Graph):
    await told(timed, user, "I live in Lisbon.", "assistant: Good.")
    await timed.extract.of_user(user)
    [row] = await graph.run("MATCH (m:Semantic {user_id: $user_id}) RETURN m.id AS id", user_id=user)
    await timed.revise.correct(user, row["id"], "I live in Porto")

    await erase_turn(timed, graph, user, "I live in Lisbon.")

    assert await texts(graph, user) == ["I live in Porto"]


async def test_an_erased_text_is_not_drawn_again(timed: Services, user: UserId, graph: Graph):
    stated = await timed.remember(user, MemoryDraft(text="I live in Lisbon", kind=Kind.SEMANTIC))
    assert stated.memory is not None
    await timed.amend.erase(user, stated.memory.id)
    await told(timed, user, "I live in Lisbon.", "I'm a nurse.")

    done = await timed.extract.of_user(user)

    assert await texts(graph, user) == ["I'm a nurse"]
    assert done.dropped == 1

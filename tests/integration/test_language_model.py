"""A language model in the product: asked where there is one, followed as far as the graph agrees, paid by the day."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import randrange

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.asked import (
    CurationProposal,
    Question,
    RefinementProposal,
    RefinementVerdict,
    Statement,
    Utterance,
)
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.memory import Emotion, Memory
from graph_memory.domain.vocabulary import Kind, MemoryId, UserId, WriteOperation
from graph_memory.ports import LanguageModel
from graph_memory.services.recall import Question as Asked
from graph_memory.services.remember import Remembered
from graph_memory.settings import ModelSettings, Settings
from graph_memory.testing import FixedClock, HashingEmbedder, ScriptedLanguageModel
from tests.messages_stub import OVERLOADED, RATE_LIMITED, MessagesStub, Reply, says

CHOIR = "Ines trains the junior choir on Mondays."
MEMBERS = [Statement(MemoryId("m-1"), "Ines rows on Mondays."), Statement(MemoryId("m-2"), "Ines rows with Olga.")]


def opened(
    settings: Settings, clock: FixedClock, model: LanguageModel | None = None
) -> AbstractAsyncContextManager[Services]:
    return open_services(settings, embedder=HashingEmbedder(), clock=clock, language_model=model)


async def told(services: Services, user: UserId, text: str, kind: Kind = Kind.SEMANTIC) -> Remembered:
    return await services.remember(user, MemoryDraft(text=text, kind=kind))


async def current(services: Services, user: UserId, memory: Memory | None) -> Memory:
    assert memory is not None
    return (await services.inspect.memories(user, [memory.id]))[memory.id]


# What a model's verdict can do


async def test_a_model_that_calls_every_candidate_a_contradiction_retires_nothing(
    settings: Settings, clock: FixedClock, user: UserId
):
    def against_the_first(text: str, candidates: list[Statement]) -> CurationProposal:
        return CurationProposal(operation=WriteOperation.DELETE, target_id=candidates[0].id)

    model = ScriptedLanguageModel({Question.CURATE: against_the_first})
    near = replace(settings, curation=replace(settings.curation, live_cosine=-1.0))
    async with opened(near, clock, model) as services:
        first = await told(services, user, "Ines trains the junior choir.")
        second = await told(services, user, "Ines sold a canoe to a choir trainer.")

        assert [each.question for each in model.asked] == [Question.CURATE]
        assert (second.operation, second.superseded) == (WriteOperation.ADD, ())
        assert (await current(services, user, first.memory)).is_current(clock.now())


async def test_a_model_and_the_words_together_enrich_what_is_known(settings: Settings, clock: FixedClock, user: UserId):
    def richer(text: str, candidates: list[Statement]) -> CurationProposal:
        return CurationProposal(operation=WriteOperation.UPDATE, target_id=candidates[0].id, text=f"{CHOIR[:-1]} at 9.")

    near = replace(settings, curation=replace(settings.curation, live_cosine=-1.0))
    async with opened(near, clock, ScriptedLanguageModel({Question.CURATE: richer})) as services:
        first = await told(services, user, CHOIR)
        second = await told(services, user, "The choir is at 9.")

        after = await current(services, user, first.memory)
        assert second.operation is WriteOperation.UPDATE
        assert after.text == "Ines trains the junior choir on Mondays at 9."
        assert [each.text for each in (await services.inspect.versions(user, [after.id]))[after.id]] == [CHOIR]


async def test_a_labile_statement_takes_the_text_that_a_model_gives_it(
    settings: Settings, clock: FixedClock, user: UserId
):
    refined = f"{CHOIR[:-1]} in Porto."
    proposal = RefinementProposal(verdict=RefinementVerdict.REFINE, text=refined)
    near = replace(settings, curation=replace(settings.curation, refine_cosine=-1.0))
    model = ScriptedLanguageModel({Question.REFINE: proposal})
    async with opened(near, clock, model) as services:
        choir = await told(services, user, CHOIR)
        await services.recall(user, Asked(query="choir"))
        await services.aftermath.settled()
        await told(services, user, "In Porto, by the way.", Kind.EPISODIC)
        while await services.enrich():
            pass

        assert (await current(services, user, choir.memory)).text == refined


async def test_a_model_reads_emotions_after_the_write_and_the_dates_follow(
    settings: Settings, clock: FixedClock, user: UserId
):
    felt = Emotion(joy=0.9, arousal=1.0, valence=0.8)
    model = ScriptedLanguageModel({Question.EMOTION: lambda texts: tuple(felt for _ in texts)})
    async with opened(settings, clock, model) as services:
        written = await told(services, user, "We won the regatta!", Kind.EPISODIC)
        assert written.memory is not None
        assert written.memory.emotion.arousal < 1.0
        while await services.enrich():
            pass
        assert services.feel
        await services.feel.settled()

        after = await current(services, user, written.memory)
        assert after.emotion == felt
        assert after.strength.arousal == 1.0
        assert after.visible_until > written.memory.visible_until
        assert after.activation.encoding_factor == pytest.approx(1.5)


# Claude, on a stand-in for its service


@pytest.fixture
def clock() -> FixedClock:
    """A clock on a day on which no other test asks."""
    return FixedClock(datetime(2100, 1, 1, 12, tzinfo=UTC) + timedelta(days=randrange(1_000_000)))


@pytest.fixture
async def stub() -> AsyncIterator[MessagesStub]:
    async with MessagesStub(says({"text": "Ines rows.", "category": "fact"})).serving() as stub:
        yield stub


def with_claude(settings: Settings, stub: MessagesStub, **chosen: object) -> Settings:
    model = ModelSettings(name="claude", api_key="a-key-for-the-stub", base_url=stub.base_url, first_wait_seconds=0.01)
    return replace(settings, model=replace(model, **chosen))


async def test_a_days_budget_outlives_a_restart_and_then_the_rules_answer(
    settings: Settings, clock: FixedClock, user: UserId, stub: MessagesStub
):
    chosen = with_claude(settings, stub, user_day_calls=2)

    answers = []
    for _ in range(3):
        async with opened(chosen, clock) as services:
            answers.append(await services.language_model.distil(user, MEMBERS))
            usage = await services.usage(user, since=clock.now())

    assert [each.by for each in answers] == ["claude-haiku-5-5", "claude-haiku-5-5", "rules"]
    assert answers[2].value.text in {each.text for each in MEMBERS}
    assert answers[2].note == "the user's budget of 2 calls of a language model is spent"
    assert (usage.total.calls, len(stub.requests)) == (2, 2)


async def test_the_graphs_ledger_equals_the_services_own_count(
    settings: Settings, clock: FixedClock, user: UserId, stub: MessagesStub
):
    told_so: list[Reply] = [
        says({"text": "Ines rows.", "category": "fact"}, input_tokens=900, output_tokens=40, cache_read=600),
        OVERLOADED,
        says("no JSON", output_tokens=3),
        replace(RATE_LIMITED, headers={"retry-after": "0"}),
        says({"text": "Ines rows.", "category": "fact"}),
    ]
    stub.replies[:] = [*told_so, OVERLOADED]
    async with opened(with_claude(settings, stub), clock) as services:
        answers = [await services.language_model.distil(user, MEMBERS) for _ in range(3)]
        used = (await services.usage(user)).by_question[Question.DISTIL]

    assert [each.by for each in answers] == ["claude-haiku-5-5", "claude-haiku-5-5", "rules"]
    assert "overloaded" in (answers[2].note or "")
    assert (used.calls, used.failures) == (stub.calls, stub.failures) == (3, 5)
    assert (used.tokens.read, used.tokens.output) == (stub.input_tokens, stub.output_tokens)
    assert used.cost == pytest.approx((900 + 100 + 100 + (40 + 3 + 20) * 5 + 600 * 0.1) / 1e6)


async def test_a_write_waits_for_a_slow_model_no_longer_than_it_may(
    settings: Settings, clock: FixedClock, user: UserId
):
    async def never(text: str, candidates: list[Statement]) -> CurationProposal:
        await asyncio.Event().wait()
        raise AssertionError

    model = ScriptedLanguageModel({Question.CURATE: never})
    near = replace(
        settings,
        curation=replace(settings.curation, live_cosine=-1.0),
        model=replace(settings.model, write_seconds=0.05),
    )
    async with opened(near, clock, model) as services:
        await told(services, user, CHOIR)
        second = await told(services, user, "Olga rows.")

    assert [each.question for each in model.asked] == [Question.CURATE]
    assert (second.operation, second.memory and second.memory.text) == (WriteOperation.ADD, "Olga rows.")


async def test_a_model_without_a_key_leaves_the_rules_with_a_note(settings: Settings, clock: FixedClock, user: UserId):
    named = replace(settings, model=ModelSettings(name="claude"))
    async with opened(named, clock) as services:
        answer = await services.language_model.distil(user, MEMBERS)
        extracted = await services.language_model.extract(
            user, [Utterance(role="user", text="I row.", at=clock.now())] * 2
        )

    assert (answer.by, answer.note) == ("rules", "ANTHROPIC_API_KEY is not set")
    assert extracted.note == "ANTHROPIC_API_KEY is not set"


async def test_an_estimate_is_what_the_model_would_cost_and_nothing_for_rules(
    settings: Settings, clock: FixedClock, stub: MessagesStub
):
    async with opened(settings, clock) as services:
        assert services.estimates.estimate(Question.DISTIL, MEMBERS).cost == 0
    async with opened(with_claude(settings, stub), clock) as services:
        assert services.estimates.estimate(Question.DISTIL, MEMBERS).cost > 0

    assert stub.requests == []

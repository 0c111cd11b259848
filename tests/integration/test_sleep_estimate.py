"""A dry run of sleep tells what a language model would be asked for its plan, and asks none."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.asked import Question
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.episode import TurnDraft
from graph_memory.domain.model_usage import UsageReport
from graph_memory.domain.sleep import Beat, StepReport
from graph_memory.domain.vocabulary import Kind, UserId
from graph_memory.errors import InferenceError
from graph_memory.ports import SleepStep
from graph_memory.settings import ModelSettings, Settings
from graph_memory.testing import CountedPulse, FixedClock, HashingEmbedder, ScriptedLanguageModel
from tests.integration.graph import Graph
from tests.messages_stub import MessagesStub, says

STATED = (
    "Ana drinks green tea.",
    "Ana drinks strong green tea.",
    "Ana drinks green tea daily.",
    "Ana lives in a small house in Porto.",
    "Ana lives in a small house in Faro.",
)
SEEN = (
    "Ines rows the blue boat over the lake.",
    "Ines rows the blue boat over the lake again.",
    "Ines rows the blue boat home.",
)
EVERYTHING = {
    Question.MERGE,
    Question.DISTIL,
    Question.SCHEMA,
    Question.INSIGHTS,
    Question.CONTRADICT,
    Question.LINKS,
    Question.EPISODE,
    Question.RELATIONSHIP,
}


async def lived(services: Services, user: UserId, clock: FixedClock, graph: Graph) -> None:
    """A life with something for every step that asks a model."""
    for text in STATED:
        await services.remember(user, MemoryDraft(text=text, kind=Kind.SEMANTIC, curate=False))
        clock.advance(timedelta(minutes=1))
    for text in SEEN:
        await services.remember(user, MemoryDraft(text=text))
        clock.advance(timedelta(minutes=1))
    for _ in range(3):
        await graph.run(
            "MATCH (u:User {user_id: $user}) CREATE (:Episode {user_id: $user, id: randomUUID(), started_at: $at,"
            " summary: 'We talked.', topics: ['rowing'], emotional_tone: 'calm'})",
            user=user,
            at=clock.now(),
        )
        clock.advance(timedelta(minutes=1))
    episode = await services.episodes.start(user, at=clock.now())
    turns = [
        TurnDraft(role=role, content="Good evening", at=clock.now() + place * timedelta(minutes=3))
        for place, role in enumerate(("user", "assistant", "user", "assistant", "user", "assistant"))
    ]
    await services.episodes.add_turns(user, episode.id, turns)
    clock.advance(timedelta(hours=3))
    while await services.enrich():
        pass


def steps(services: Services) -> list[SleepStep]:
    """Those that ask a model, each before whatever would give it more to do."""
    return [
        services.reflect,
        services.settle_episodes,
        services.audit_contradictions,
        services.discover_links,
        services.induce_schemas,
        services.merge_facts,
        services.distil,
    ]


async def test_the_estimate_of_each_step_is_what_it_then_asks_and_nothing_is_asked_for_it(
    settings: Settings, clock: FixedClock, user: UserId, graph: Graph
):
    failing = ScriptedLanguageModel(dict.fromkeys(Question, InferenceError("the model stumbled")))
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as services:
        await lived(services, user, clock, graph)
        unpaid = [await each(user, at=clock.now(), dry_run=True, pulse=CountedPulse()) for each in steps(services)]
    async with MessagesStub(says("nothing")).serving() as stub:
        claude = ModelSettings(name="claude", api_key="a-key-for-the-stub", base_url=stub.base_url)
        paid = replace(settings, model=claude)
        async with open_services(paid, embedder=HashingEmbedder(), clock=clock) as services:
            foreseen = StepReport()
            for each in steps(services):
                foreseen = foreseen.plus(await each(user, at=clock.now(), dry_run=True, pulse=CountedPulse()))
        asked_by_a_dry_run = stub.requests
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock, language_model=failing) as services:
        for each in steps(services):
            await each(user, at=clock.now(), dry_run=False, pulse=CountedPulse())

    asked = Counter(each.question for each in failing.asked)
    assert asked_by_a_dry_run == []
    assert set(asked) == EVERYTHING
    assert {question: use.calls for question, use in foreseen.estimate.items()} == asked
    total = UsageReport.of(foreseen.estimate).total
    price = paid.model.price_of(paid.model.model)
    assert total.cost == pytest.approx(price.of(total.tokens))
    assert min(total.tokens.read, total.tokens.output) > 0
    assert [report.estimate for report in unpaid] == [{}] * len(unpaid)


async def test_the_report_of_a_dry_run_keeps_its_estimate_and_by_rules_there_is_none(
    settings: Settings, clock: FixedClock, user: UserId, graph: Graph
):
    async with open_services(settings, embedder=HashingEmbedder(), clock=clock) as services:
        await lived(services, user, clock, graph)
        by_rules = await services.sleep(user, Beat.CYCLE, dry_run=True)
    async with MessagesStub(says("nothing")).serving() as stub:
        claude = ModelSettings(name="claude", api_key="a-key-for-the-stub", base_url=stub.base_url)
        paid = replace(settings, model=claude)
        async with open_services(paid, embedder=HashingEmbedder(), clock=clock) as services:
            dry = await services.sleep(user, Beat.CYCLE, dry_run=True)
            kept = await services.sleep.get(user, dry.id)
        asked_by_a_dry_run = stub.requests

    assert asked_by_a_dry_run == []
    assert set(dry.report.estimate) == EVERYTHING - {Question.LINKS}
    assert kept.report.estimate == dry.report.estimate
    assert by_rules.report.estimate == {}

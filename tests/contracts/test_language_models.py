"""What every language model promises, whoever answers (port LanguageModel)."""

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from graph_memory.domain.answer_checks import AnswerRules
from graph_memory.domain.asked import (
    Distillate,
    EpisodeLine,
    InducedSchema,
    LinkablePair,
    Question,
    Statement,
    Utterance,
)
from graph_memory.domain.curation import CurationRules
from graph_memory.domain.memory import Emotion
from graph_memory.domain.vocabulary import Category, MemoryId, UserId, WriteOperation
from graph_memory.inference.claude_model import ClaudeLanguageModel
from graph_memory.inference.model_choice import LanguageModels
from graph_memory.inference.prompts import system_prompt
from graph_memory.inference.rules_model import RulesLanguageModel
from graph_memory.inference.spending import Spending
from graph_memory.ports import LanguageModel
from graph_memory.settings import ModelSettings
from graph_memory.testing import (
    CountingIds,
    FixedClock,
    HashingEmbedder,
    InMemoryModelLedger,
    ScriptedLanguageModel,
    ScriptedTagger,
)
from tests.messages_stub import MessagesStub, Reply, says, shown

ANN = UserId("ann")
NOON = datetime(2031, 5, 6, 12, tzinfo=UTC)
TALK = [
    Utterance(role="user", text="My cousin Ines hates olives.", at=NOON),
    Utterance(role="assistant", text="You might try rowing.", at=NOON),
    Utterance(role="user", text="Rather not.", at=NOON),
]
KNOWN = [
    Statement(MemoryId("m-1"), "My best dive is 12 m."),
    Statement(MemoryId("m-2"), "Ines trains the junior choir."),
    Statement(MemoryId("m-3"), "I cycle to work."),
]
EPISODES = [EpisodeLine(at=NOON, summary="We spoke of boats."), EpisodeLine(at=NOON, summary="Boats once more.")]


def rules() -> RulesLanguageModel:
    tagger = ScriptedTagger({"What a day!": Emotion(joy=0.9)})
    return RulesLanguageModel(embedder=HashingEmbedder(), tagger=tagger, rules=CurationRules())


def scripted() -> ScriptedLanguageModel:
    distilled = Distillate(text="Ann dives.", category=Category.FACT)
    return ScriptedLanguageModel({Question.DISTIL: distilled}, otherwise=rules())


def honest(request: Mapping[str, Any]) -> Reply:
    """What a careful model would answer."""
    [question] = [each for each in Question if system_prompt(each) == request["system"][0]["text"]]
    given = shown(request)
    cycling = next((each["n"] for each in given.get("known", []) if "cycle" in each["text"]), None)
    calm = dict.fromkeys("joy trust fear surprise sadness disgust anger anticipation arousal valence".split(), 0)
    conflict = {"verdict": "conflict", "same_subject": True, "same_attribute": True, "conflict": "negate", "reason": ""}
    hates = {"text": "My cousin Ines hates olives.", "category": "relationship", "message": 0, "date": None}
    answers: dict[Question, Any] = {
        Question.EXTRACT: {"facts": [hates], "observations": [], "decisions": [], "persons": []},
        Question.EMOTION: {"emotions": [{**calm, "joy": 0.9}, calm]},
        Question.CURATE: {"operation": "none" if cycling is not None else "add", "target": cycling, "reason": ""},
        Question.CONTRADICT: {"verdicts": [{"n": cycling, **conflict}] if cycling is not None else []},
        Question.LINKS: {"links": []},
        Question.EPISODE: {"summary": "Olives and rowing.", "topics": ["olives"], "tone": "neutral"},
        Question.RELATIONSHIP: {"new_inside_jokes": [], "mood": None},
        Question.MERGE: {"text": "My best dive is 12 m, and Ines trains the junior choir."},
        Question.INSIGHTS: {"insights": [{"text": "Boats come up often.", "category": "pattern"}]},
        Question.DISTIL: {"text": "I cycle.", "category": "fact"},
        Question.SCHEMA: {"text": "I cycle.", "domain": None},
    }
    return says(answers[question])


@pytest.fixture(params=["rules", "scripted", "claude"])
async def model(request: pytest.FixtureRequest) -> AsyncIterator[LanguageModel]:
    if request.param != "claude":
        yield {"rules": rules, "scripted": scripted}[request.param]()
        return
    async with MessagesStub(honest).serving() as stub:
        settings, clock = ModelSettings(name="claude", api_key="any", base_url=stub.base_url), FixedClock(NOON)
        spending = Spending(ledger=InMemoryModelLedger(), budget=settings.budget(), clock=clock)
        claude = ClaudeLanguageModel.connected(
            spending=spending, ids=CountingIds("mark"), clock=clock, settings=settings
        )
        yield LanguageModels.with_model(claude, rules(), AnswerRules()).answers
        await claude.close()


async def test_every_question_has_an_answer_of_its_kind(model: LanguageModel):
    pair = LinkablePair(first=KNOWN[0], second=KNOWN[1], first_at=NOON, second_at=NOON)

    assert (await model.extract(ANN, TALK)).value.decisions == ()
    assert (await model.emotion(ANN, ["What a day!", "Hm."])).value == (Emotion(joy=0.9), Emotion())
    assert (await model.links(ANN, [pair])).value == ()
    assert len((await model.episode(ANN, TALK)).value.summary) > 0
    assert (await model.relationship(ANN, TALK)).value.new_inside_jokes == ()
    assert len((await model.merge(ANN, KNOWN[:2])).value) > 5
    assert len((await model.insights(ANN, EPISODES)).value) <= 3
    assert isinstance((await model.distil(ANN, KNOWN)).value, Distillate)
    assert isinstance((await model.schema(ANN, KNOWN)).value, InducedSchema)


async def test_a_conversation_gives_what_the_user_said_and_nothing_of_what_was_proposed(model: LanguageModel):
    drawn = (await model.extract(ANN, TALK)).value

    texts = [each.text for each in (*drawn.facts, *drawn.observations)]
    assert any("olives" in text for text in texts)
    assert not any("row" in text or "I " in text for text in texts)


async def test_a_repeat_is_known_and_names_what_it_repeats(model: LanguageModel):
    answer = await model.curate(ANN, "I cycle to work.", KNOWN)

    assert (answer.value.operation, answer.value.target_id) == (WriteOperation.NONE, "m-3")


async def test_only_what_excludes_a_statement_conflicts_with_it(model: LanguageModel):
    answer = await model.contradict(ANN, Statement(MemoryId("m-9"), "I do not cycle to work."), KNOWN)

    assert [each.id for each in answer.value if each.conflicts] == ["m-3"]
    assert all(each.same_subject and each.same_attribute for each in answer.value if each.conflicts)


async def test_nothing_is_curated_beside_nothing(model: LanguageModel):
    assert (await model.curate(ANN, "I cycle to work.", [])).value.operation is WriteOperation.ADD
    assert (await model.contradict(ANN, KNOWN[0], [])).value == ()


async def test_an_answer_says_who_gave_it(model: LanguageModel):
    assert (await model.distil(ANN, KNOWN)).by in {"rules", "scripted", "claude-haiku-5-5"}

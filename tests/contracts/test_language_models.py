"""What every language model promises, whoever answers (port LanguageModel)."""

from datetime import UTC, datetime

import pytest

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
from graph_memory.inference.rules_model import RulesLanguageModel
from graph_memory.ports import LanguageModel
from graph_memory.testing import HashingEmbedder, ScriptedLanguageModel, ScriptedTagger

ANN = UserId("ann")
NOON = datetime(2031, 5, 6, 12, tzinfo=UTC)
TALK = [
    Utterance(role="user", text="My cousin Ines hates olives.", at=NOON),
    Utterance(role="assistant", text="You might try rowing.", at=NOON),
    Utterance(role="user", text="Rather not.", at=NOON),
]
DIVES = [
    Statement(MemoryId("m-1"), "My best dive is 12 m."),
    Statement(MemoryId("m-2"), "Ines trains the junior choir."),
    Statement(MemoryId("m-3"), "I cycle to work."),
]


def rules() -> RulesLanguageModel:
    tagger = ScriptedTagger({"What a day!": Emotion(joy=0.9)})
    return RulesLanguageModel(embedder=HashingEmbedder(), tagger=tagger, rules=CurationRules())


def scripted() -> ScriptedLanguageModel:
    return ScriptedLanguageModel(
        {Question.DISTIL: Distillate(text="Ann dives.", category=Category.FACT)}, otherwise=rules()
    )


@pytest.fixture(params=[rules, scripted])
def model(request: pytest.FixtureRequest) -> LanguageModel:
    return request.param()


async def test_every_question_has_an_answer_of_its_kind(model: LanguageModel):
    pair = LinkablePair(first=DIVES[0], second=DIVES[1], first_at=NOON, second_at=NOON)

    assert (await model.extract(ANN, TALK)).value.decisions == ()
    assert (await model.emotion(ANN, ["What a day!", "Hm."])).value == (Emotion(joy=0.9), Emotion())
    assert (await model.links(ANN, [pair])).value == ()
    assert len((await model.episode(ANN, TALK)).value.summary) > 0
    assert (await model.relationship(ANN, TALK)).value.new_inside_jokes == ()
    assert len((await model.merge(ANN, DIVES[:2])).value) > 5
    assert len((await model.insights(ANN, [EpisodeLine(at=NOON, summary="We spoke of boats.")])).value) <= 3
    assert isinstance((await model.distil(ANN, DIVES)).value, Distillate)
    assert isinstance((await model.schema(ANN, DIVES)).value, InducedSchema)


async def test_a_repeat_is_known_and_names_what_it_repeats(model: LanguageModel):
    answer = await model.curate(ANN, "I cycle to work.", DIVES)

    assert (answer.value.operation, answer.value.target_id) == (WriteOperation.NONE, "m-3")


async def test_only_what_excludes_a_statement_conflicts_with_it(model: LanguageModel):
    answer = await model.contradict(ANN, Statement(MemoryId("m-9"), "I do not cycle to work."), DIVES)

    assert [each.id for each in answer.value if each.conflicts] == ["m-3"]
    assert all(each.same_subject and each.same_attribute for each in answer.value if each.conflicts)


async def test_nothing_is_curated_beside_nothing(model: LanguageModel):
    assert (await model.curate(ANN, "I cycle to work.", [])).value.operation is WriteOperation.ADD
    assert (await model.contradict(ANN, DIVES[0], [])).value == ()

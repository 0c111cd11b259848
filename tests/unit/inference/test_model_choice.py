"""Who answers: the model, checked, or the rules with a word on why."""

from datetime import UTC, datetime

import pytest

from graph_memory.domain.answer_checks import AnswerRules
from graph_memory.domain.asked import (
    Answer,
    Distillate,
    Extraction,
    PersonMention,
    Question,
    StatedFact,
    Statement,
    Utterance,
)
from graph_memory.domain.vocabulary import Category, MemoryId, UserId
from graph_memory.errors import InferenceError, ModelUnavailableError
from graph_memory.inference.model_choice import CheckedLanguageModel, ModelElseRules, NoLanguageModel
from graph_memory.testing import ScriptedLanguageModel

ANN = UserId("ann")
TALK = [Utterance(role="user", text="My sister plays the oboe.", at=datetime(2031, 5, 6, tzinfo=UTC))]
MEMBERS = [Statement(MemoryId("m-1"), "Ines rows on Mondays."), Statement(MemoryId("m-2"), "Ines rows with Olga.")]
BY_RULES = Distillate(text="Ines rows on Mondays.", category=Category.OTHER)
RULES = ScriptedLanguageModel({Question.DISTIL: Answer(BY_RULES), Question.EXTRACT: Answer(Extraction())}, name="rules")


def choosing(reply: object, question: Question = Question.DISTIL) -> ModelElseRules:
    return ModelElseRules(CheckedLanguageModel(ScriptedLanguageModel({question: reply}), AnswerRules()), RULES)


async def test_a_models_answer_is_taken_with_its_name():
    told = Distillate(text="Ines rows.", category=Category.FACT)

    answer = await choosing(told).distil(ANN, MEMBERS)

    assert answer == Answer(told, by="scripted")


@pytest.mark.parametrize(
    "failure", [InferenceError("it refused"), ModelUnavailableError("the day's budget of 1 dollars is spent")]
)
async def test_the_rules_answer_with_a_note_where_the_model_does_not(failure: InferenceError):
    answer = await choosing(failure).distil(ANN, MEMBERS)

    assert answer == Answer(BY_RULES, by="rules", note=str(failure))


@pytest.mark.parametrize(
    "text", ["Ines Costa rows.", "Ines rows 40 km.", "I'm sorry, I can't help with that.", " ", "Bo sings."]
)
async def test_the_rules_answer_where_nothing_of_the_models_answer_can_be_used(text: str):
    answer = await choosing(Distillate(text=text, category=Category.FACT)).distil(ANN, MEMBERS)

    assert (answer.value, answer.by) == (BY_RULES, "rules")
    assert answer.note


async def test_an_extraction_that_fails_is_left_for_later_and_one_without_a_model_is_done_by_rules():
    overloaded = InferenceError("overloaded", retryable=True)
    with pytest.raises(InferenceError, match="overloaded"):
        await choosing(overloaded, Question.EXTRACT).extract(ANN, TALK)
    with pytest.raises(InferenceError, match="overloaded"):
        await choosing(overloaded, Question.LINKS).links(ANN, [])

    answer = await ModelElseRules(NoLanguageModel("ANTHROPIC_API_KEY is not set"), RULES).extract(ANN, TALK)

    assert (answer.value, answer.note) == (Extraction(), "ANTHROPIC_API_KEY is not set")


async def test_what_a_model_invents_is_left_out_and_counted():
    invented = Extraction(
        facts=(
            StatedFact(text="My sister plays the oboe.", category=Category.FACT, utterance=0),
            StatedFact(text="My sister Klara Weiss plays the oboe.", category=Category.FACT, utterance=0),
            StatedFact(text="My sister plays the oboe.", category=Category.FACT, utterance=4),
        ),
        persons=(PersonMention(name="Klara", utterance=0), PersonMention(name="user", utterance=0)),
    )

    answer = await choosing(Answer(invented, by="scripted", dropped=1), Question.EXTRACT).extract(ANN, TALK)

    assert [each.text for each in answer.value.facts] == ["My sister plays the oboe."]
    assert answer.value.persons == ()
    assert answer.dropped == 5

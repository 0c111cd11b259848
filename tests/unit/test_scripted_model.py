import pytest

from graph_memory.domain.asked import Answer, Question, RefinementProposal, RefinementVerdict
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InferenceError
from graph_memory.testing import ScriptedLanguageModel

ANN = UserId("ann")
UNRELATED = RefinementProposal(verdict=RefinementVerdict.UNRELATED)


async def test_replies_are_used_up_one_by_one_and_the_last_stays():
    model = ScriptedLanguageModel({Question.REFINE: [InferenceError("too many requests", retryable=True), UNRELATED]})

    with pytest.raises(InferenceError, match="too many"):
        await model.refine(ANN, "I row.", "I row on Mondays.")

    assert [(await model.refine(ANN, "I row.", "Hm.")).value for _ in range(2)] == [UNRELATED, UNRELATED]


async def test_a_function_answers_from_what_was_given():
    model = ScriptedLanguageModel({Question.MERGE: lambda statements: Answer(f"{len(statements)} in one", by="me")})

    answer = await model.merge(ANN, [])

    assert (answer.value, answer.by) == ("0 in one", "me")
    assert [(each.question, each.given) for each in model.asked] == [(Question.MERGE, ([],))]


async def test_a_question_that_the_script_leaves_out_fails():
    with pytest.raises(InferenceError, match="no answer to merge"):
        await ScriptedLanguageModel({}).merge(ANN, [])

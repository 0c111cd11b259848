"""Which language model answers: one that is set up, its answers checked; the rules where it may not or cannot.

The rules' answer carries a note that says why they answered. Extractions and links are the exception: where a model was
asked and failed, the error is raised, so that the texts wait and are read again, not read by halves now.
"""

import logging
from dataclasses import dataclass, field, replace
from typing import Any, Self

from graph_memory.domain.answer_checks import CHECKS, AnswerRules
from graph_memory.domain.asked import Answer, Question
from graph_memory.domain.model_usage import Use
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InferenceError, ModelUnavailableError
from graph_memory.ports import CallEstimates, LanguageModel, OneByOne, ask

_log = logging.getLogger(__name__)
_LATER_RATHER_THAN_BY_RULES = frozenset({Question.EXTRACT, Question.LINKS})


class CheckedLanguageModel(OneByOne):
    """A model whose answers keep the port's promise: what breaks it is left out and counted."""

    def __init__(self, model: LanguageModel, rules: AnswerRules) -> None:
        self._model, self._rules = model, rules

    async def answer(self, question: Question, user_id: UserId, *given: Any, **known: Any) -> Answer[Any]:
        answered = await ask(self._model, question, user_id, *given, **known)
        value, dropped = CHECKS[question](answered.value, *given, **known, rules=self._rules)
        if dropped:
            _log.info("%s: %d items of an answer to %s were left out", answered.by, dropped, question)
        return replace(answered, value=value, dropped=answered.dropped + dropped)


class ModelElseRules(OneByOne):
    """Asks a model, and the rules in its place where it is unavailable or fails."""

    def __init__(self, model: LanguageModel, rules: LanguageModel) -> None:
        self._model, self._rules = model, rules

    async def answer(self, question: Question, user_id: UserId, *given: Any, **known: Any) -> Answer[Any]:
        try:
            return await ask(self._model, question, user_id, *given, **known)
        except InferenceError as error:
            unavailable = isinstance(error, ModelUnavailableError)
            if question in _LATER_RATHER_THAN_BY_RULES and not unavailable:
                raise
            _log.info("the rules answer %s: %s", question, error)
            answered = await ask(self._rules, question, user_id, *given, **known)
            return replace(answered, note=str(error))


class NoLanguageModel(OneByOne):
    """Stands where a model was named but cannot be set up; says why each time it is asked."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    async def answer(self, question: Question, user_id: UserId, *given: Any, **known: Any) -> Answer[Any]:
        raise ModelUnavailableError(self._reason)


class NothingToPay:
    """What questions cost that rules answer (port CallEstimates)."""

    def estimate(self, question: Question, *given: Any, **known: Any) -> Use:
        return Use()


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModels:
    """Who answers what a language model is asked."""

    answers: LanguageModel  # always answers: a model with the rules behind it, or the rules
    opinion: LanguageModel | None = None  # a model alone, for those who have the rules' answer already
    estimates: CallEstimates = field(default_factory=NothingToPay)

    @classmethod
    def with_model(
        cls,
        model: LanguageModel,
        rules: LanguageModel,
        answer_rules: AnswerRules,
        *,
        estimates: CallEstimates | None = None,
    ) -> Self:
        """A model whose answers are checked, and the rules behind it."""
        checked = CheckedLanguageModel(model, answer_rules)
        return cls(answers=ModelElseRules(checked, rules), opinion=checked, estimates=estimates or NothingToPay())

    @classmethod
    def without_model(cls, reason: str, rules: LanguageModel) -> Self:
        """The rules, which say in each answer why no model gave it."""
        _log.warning("the rules answer in place of a language model: %s", reason)
        return cls(answers=ModelElseRules(NoLanguageModel(reason), rules))

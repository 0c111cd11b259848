"""Would ask: what a dry run tells of a question that a run would put to a language model."""

from typing import Any

from graph_memory.domain.asked import Question
from graph_memory.domain.sleep import StepReport
from graph_memory.ports import CallEstimates


def would_ask(estimates: CallEstimates, question: Question, *given: Any, **known: Any) -> StepReport:
    """The most that a question would use; nothing where the rules answer it."""
    use = estimates.estimate(question, *given, **known)
    return StepReport(estimate={question: use} if use.calls else {})

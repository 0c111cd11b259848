"""Whatever a model sends back: it is read or refused, and nothing beyond what was given comes out of the checks."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from graph_memory.domain.answer_checks import CHECKS, AnswerRules
from graph_memory.domain.asked import EpisodeLine, LinkablePair, Question, Statement, Utterance
from graph_memory.domain.grounding import is_refusal
from graph_memory.domain.vocabulary import MemoryId
from graph_memory.errors import InferenceError
from graph_memory.inference.questions import FORMS
from graph_memory.inference.reply_reading import UnreadableReplyError

RULES = AnswerRules()
NOON = datetime(2031, 5, 6, 12, tzinfo=UTC)
TALK = [Utterance(role="user", text="Ines sold 2 canoes to Olga.", at=NOON)] * 2
KNOWN = [Statement(MemoryId(f"m-{n}"), f"Ines rows canoe {n}.") for n in range(3)]
PAIR = LinkablePair(first=KNOWN[0], second=KNOWN[1], first_at=NOON, second_at=NOON)
GIVEN: dict[Question, tuple[Any, ...]] = {
    Question.EXTRACT: (TALK,),
    Question.EMOTION: (["Hm."],),
    Question.CURATE: ("Ines rows.", KNOWN),
    Question.CONTRADICT: (Statement(MemoryId("m-9"), "Ines rows."), KNOWN),
    Question.REFINE: ("Ines rows.", "On Mondays."),
    Question.LINKS: ([PAIR],),
    Question.EPISODE: (TALK,),
    Question.RELATIONSHIP: (TALK,),
    Question.INSIGHTS: ([EpisodeLine(at=NOON, summary="Ines sold 2 canoes.")],),
}
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 4)
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(
        (
            "Ines rows.",
            "Ines sold 2 canoes to Olga.",
            "I can't help with that.",
            "fact",
            "conflict",
            "first",
            "LEADS_TO",
            "add",
        )
    )
)


def _like(form: Any) -> st.SearchStrategy[Any]:
    """Values of a form, now and then with something else in a place."""
    if form.get("type") == "object":
        fields = {name: _like(inner) for name, inner in form["properties"].items()}
        return st.fixed_dictionaries({}, optional=fields)
    if form.get("type") == "array":
        return st.lists(_like(form["items"]) | SCALARS, max_size=4)
    return st.sampled_from(form["enum"]) | SCALARS if "enum" in form else SCALARS


@settings(max_examples=500)
@given(question=st.sampled_from(Question), data=st.data())
def test_a_reply_is_read_and_checked_or_refused_whatever_stands_in_its_places(question: Question, data: st.DataObject):
    given_with_it, form = GIVEN.get(question, (KNOWN,)), FORMS[question]
    reply = json.dumps(data.draw(_like(form.schema)))

    try:
        value, dropped = form.value(reply, *given_with_it)
        checked, lost = CHECKS[question](value, *given_with_it, rules=RULES)
    except (UnreadableReplyError, InferenceError):
        return

    assert dropped >= 0
    assert lost >= 0
    assert not any(map(is_refusal, _texts(checked)))
    assert set(_ids(checked)) <= {each.id for each in KNOWN} | {None}


def _texts(value: Any) -> list[str]:
    """What would be stored as text."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [each for inner in value for each in _texts(inner)]
    names = ("text", "summary", "facts", "observations", "decisions", "key_decisions", "new_inside_jokes")
    return [each for name in names for each in _texts(getattr(value, name, ()) or ())]


def _ids(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [each for inner in value for each in _ids(inner)]
    return [getattr(value, name) for name in ("id", "target_id", "source", "target") if hasattr(value, name)]


@given(question=st.sampled_from(Question), reply=st.text())
def test_a_reply_of_any_text_is_read_or_refused(question: Question, reply: str):
    with suppress(UnreadableReplyError):
        FORMS[question].value(reply, *GIVEN.get(question, (KNOWN,)))

"""Every rule of `remember` (operations.md, Writing), and the defaults of a kind."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.draft import CheckedDraft, Limits, MemoryDraft, checked, distinct_names
from graph_memory.domain.vocabulary import Category, EpistemicType, Horizon, Kind, Lane, Source
from graph_memory.errors import InvalidValueError
from graph_memory.settings import Settings

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)


def _checked(zone: Any = UTC, **fields: Any) -> CheckedDraft:
    settings = Settings()
    return checked(
        MemoryDraft(**{"text": "The desk is oak.", **fields}),
        limits=settings.limits,
        initial_confidence=settings.salience.initial_confidence,  # type: ignore[arg-type]
        medium_confidence=settings.salience.medium_confidence,
        zone=zone,
    )


def test_an_episode_is_an_experience_of_the_short_term():
    draft = _checked()

    assert (draft.epistemic_type, draft.category, draft.lane) == (
        EpistemicType.EXPERIENCE,
        Category.OTHER,
        Lane.SHORT_TERM,
    )
    assert (draft.horizon, draft.confidence, draft.bucket) == (Horizon.LONG, 0.9, "default")
    assert draft.invalid_at == FAR_FUTURE


def test_a_semantic_memory_is_a_fact_that_the_user_stated():
    draft = _checked(kind=Kind.SEMANTIC, speaker="Ana")

    assert (draft.epistemic_type, draft.lane, draft.source) == (
        EpistemicType.FACT,
        Lane.FACTS_PREFS,
        Source.USER_STATED,
    )
    assert draft.confidence == 0.8


@pytest.mark.parametrize(
    ("speaker", "source"),
    [(None, Source.USER_STATED), ("user", Source.USER_STATED), ("Me ", Source.USER_STATED), ("Ana", Source.EXTRACTED)],
)
def test_what_somebody_else_said_was_not_stated_by_the_user(speaker: str | None, source: Source):
    draft = _checked(speaker=speaker)

    assert draft.source is source
    assert draft.confirmed is (source is Source.USER_STATED)


def test_an_observation_that_still_gathers_evidence_is_believed_by_half():
    assert _checked(horizon=Horizon.MEDIUM).confidence == 0.5
    assert _checked(horizon=Horizon.MEDIUM, confidence=0.0).confidence == 0.0


@pytest.mark.parametrize("fields", [{"general": True}, {"bucket": "general"}, {"general": True, "bucket": "general"}])
def test_a_general_memory_lives_in_the_general_bucket(fields: dict[str, Any]):
    draft = _checked(**fields)

    assert (draft.general, draft.bucket) == (True, "general")


LONG_LATIN, LONG_CHINESE = "a" * 9_000, "长" * 3_000
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("empty text", {"text": ""}, "text: must not be empty"),
    ("blank text", {"text": " \u200b "}, "text: must not be empty"),
    ("long text", {"text": "a" * 20_001}, "text: has 20001 characters; at most 20000"),
    ("surrogate", {"text": "a\ud800b"}, "text: is not valid Unicode"),
    ("zero character", {"text": "a\x00b"}, "text: holds the character U+0000"),
    ("decision", {"kind": Kind.DECISION}, "kind: a decision"),
    ("schema", {"kind": Kind.SCHEMA}, "kind: schemas"),
    ("general elsewhere", {"general": True, "bucket": "work"}, "bucket: a general memory"),
    ("long speaker", {"speaker": LONG_LATIN}, "speaker: has 9000 characters; at most 200"),
    ("long person", {"people": (LONG_CHINESE,)}, "people: has 3000 characters; at most 200"),
    ("blank person", {"people": (" ",)}, "people: must not be empty"),
    ("long entity", {"entities": (LONG_LATIN,)}, "entities: has 9000 characters"),
    ("many people", {"people": tuple(f"p{i}" for i in range(51))}, "people: has 51 names; at most 50"),
    ("many tags", {"tags": tuple(f"t{i}" for i in range(21))}, "tags: has 21 tags; at most 20"),
    ("long tag", {"tags": (LONG_CHINESE,)}, "tags: has 3000 characters; at most 64"),
    ("blank tag", {"tags": ("",)}, "tags: must not be empty"),
    ("surrogate in a tag", {"tags": ("\udfff",)}, "tags: is not valid Unicode"),
    ("long bucket", {"bucket": LONG_LATIN}, "bucket: has 9000 characters; at most 256"),
    ("blank bucket", {"bucket": " "}, "bucket: must not be empty"),
    ("long session", {"session_id": LONG_LATIN}, "session_id: has 9000"),
    ("zero in agent", {"agent_id": "a\x00"}, "agent_id: holds the character U+0000"),
    ("blank external id", {"external_id": ""}, "external_id: must not be empty"),
    ("blank key", {"idempotency_key": ""}, "idempotency_key: must not be empty"),
    ("large metadata", {"metadata": {"k": "长" * 3_000}}, "metadata: takes 9009 bytes; at most 8192"),
    ("surrogate in metadata", {"metadata": {"k": "\ud800"}}, "metadata: is not valid Unicode"),
    ("zero deep in metadata", {"metadata": {"k": [{"in\x00ner": 1}]}}, "metadata: holds the character U+0000"),
    ("metadata that is no JSON", {"metadata": {"k": NOON}}, "metadata: cannot be written as JSON"),
    ("metadata that is no number", {"metadata": {"k": float("nan")}}, "metadata: cannot be written as JSON"),
    ("no metadata", {"metadata": ["list"]}, "metadata: must be a JSON object"),
    ("confidence above", {"confidence": 1.01}, "confidence: is 1.01"),
    ("confidence below", {"confidence": -0.1}, "confidence: is -0.1"),
    ("confidence nan", {"confidence": float("nan")}, "confidence: is nan"),
    ("first day of time", {"occurred_at": datetime(1, 1, 1, tzinfo=UTC)}, "occurred_at: is 0001-01-01"),
    ("end of time", {"valid_at": FAR_FUTURE}, "valid_at: is 9999-12-31"),
    ("ends at once", {"valid_at": NOON, "invalid_at": NOON}, "invalid_at: must be later"),
    ("ends before", {"occurred_at": NOON, "invalid_at": NOON - timedelta(days=1)}, "invalid_at: must be later"),
]


@pytest.mark.parametrize(("fields", "told"), [pytest.param(*case[1:], id=case[0]) for case in REFUSED])
def test_what_breaks_a_rule_is_refused_with_its_field_and_limit(fields: dict[str, Any], told: str):
    with pytest.raises(InvalidValueError) as caught:
        _checked(**fields)

    assert told in "; ".join(map(str, caught.value.problems))


def test_every_problem_is_told_at_once():
    with pytest.raises(InvalidValueError) as caught:
        _checked(text="", kind=Kind.SCHEMA, tags=("",), confidence=2.0)

    assert {problem.field for problem in caught.value.problems} == {"text", "kind", "tags", "confidence"}


def test_what_stands_exactly_at_a_limit_passes():
    limits = Limits()
    draft = _checked(
        text="a" * limits.text_characters,
        tags=tuple(f"{i:064}" for i in range(limits.tags)),
        speaker="长" * limits.name_characters,
        session_id="s" * limits.identifier_characters,
        confidence=1.0,
    )

    assert len(draft.text) == 20_000
    assert len(draft.tags) == 20


def test_dates_of_one_instant_are_one_and_a_date_without_a_zone_is_the_users():
    """Case 10."""
    two = timezone(timedelta(hours=2))
    texts = [
        _checked(occurred_at=date).occurred_at
        for date in (datetime(2032, 6, 1, 10, tzinfo=two), datetime(2032, 6, 1, 8, tzinfo=UTC))
    ]

    local = _checked(zone=ZoneInfo("Europe/Lisbon"), occurred_at=datetime(2032, 6, 1, 10)).occurred_at  # noqa: DTZ001

    assert texts == [datetime(2032, 6, 1, 8, tzinfo=UTC)] * 2
    assert local == datetime(2032, 6, 1, 9, tzinfo=UTC)


def test_names_and_tags_are_kept_once_in_their_first_spelling():
    draft = _checked(people=("Ana", "ana ", "Bruno"), tags=("b", "a", "b"))

    assert draft.people == ("Ana", "Bruno")
    assert draft.tags == ("b", "a")
    assert distinct_names([]) == ()


def test_a_text_is_kept_byte_for_byte():
    text = "  👨\u200d👩\u200d👧 \u200fقالت\u200e  e\u0301 \n"

    assert _checked(text=text).text == text


def test_a_draft_is_left_as_it_was_given():
    draft = MemoryDraft(text="x", occurred_at=NOON)

    assert replace(draft) == draft

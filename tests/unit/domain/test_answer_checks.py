"""What a model answers beyond what it was given changes nothing; what can be used is kept."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.domain import answer_checks
from graph_memory.domain.answer_checks import CHECKS, AnswerRules
from graph_memory.domain.asked import (
    ContradictionProposal,
    CurationProposal,
    EpisodeDigest,
    EpisodeLine,
    Extraction,
    Insight,
    LinkablePair,
    LinkProposal,
    PersonMention,
    Question,
    RefinementProposal,
    RefinementVerdict,
    RelationshipSigns,
    StatedDecision,
    StatedFact,
    Statement,
    Utterance,
)
from graph_memory.domain.contradiction import Conflict
from graph_memory.domain.link import LinkType
from graph_memory.domain.memory import Emotion
from graph_memory.domain.vocabulary import Category, MemoryId, WriteOperation
from graph_memory.errors import InferenceError

RULES = AnswerRules()
NOON = datetime(2031, 5, 6, 12, tzinfo=UTC)
CHOIR = Statement(MemoryId("m-1"), "Ines trains the junior choir.")
CANOE = Statement(MemoryId("m-2"), "Ines sold a canoe to a choir trainer.")
NEVER_GIVEN = MemoryId("m-99")


def says(text: str, role: str = "user", speaker: str | None = None) -> Utterance:
    return Utterance(role=role, text=text, at=NOON, speaker=speaker)


def fact(text: str, utterance: int = 0) -> StatedFact:
    return StatedFact(text=text, category=Category.FACT, utterance=utterance)


def test_every_question_has_a_check():
    assert set(CHECKS) == set(Question)


# Conversations


def test_an_extraction_holds_what_its_messages_say_and_counts_the_rest():
    talk = [says("I sold the canoe to Olga because the shed leaks."), says("You might try rowing.", "assistant")]
    drawn = Extraction(
        facts=(fact("I sold the canoe to Olga."), fact("I try rowing.", 1), fact("I row.", 9)),
        decisions=(StatedDecision(text="I decided to move house.", utterance=0),),
        persons=tuple(PersonMention(name=name, utterance=0, sentiment=9.0) for name in ("Olga", "Olga Weiss", "user")),
    )

    checked, dropped = answer_checks.extraction(drawn, talk, rules=RULES)

    assert [each.text for each in checked.facts] == ["I sold the canoe to Olga."]
    assert checked.decisions == ()
    assert [(each.name, each.sentiment) for each in checked.persons] == [("Olga", 1.0)]
    assert dropped == 5


def test_a_conversation_whose_only_fact_is_a_refusal_was_not_read():
    refusal = Extraction(facts=(fact("I cannot help with that request."),))

    with pytest.raises(InferenceError, match="refused"):
        answer_checks.extraction(refusal, [says("My sister plays the oboe.")], rules=RULES)


def test_the_same_fact_twice_is_one():
    talk = [says("My sister plays the oboe.")]
    facts = (fact("My sister plays the oboe."), fact("my sister  plays the oboe."))

    assert answer_checks.extraction(Extraction(facts=facts), talk, rules=RULES) == (
        Extraction(facts=(facts[0],)),
        1,
    )


def test_an_episode_without_a_usable_summary_is_none():
    talk = [says("We spoke of the shed."), says("And of boats.")]

    with pytest.raises(InferenceError):
        answer_checks.episode(EpisodeDigest(summary="A talk with Ines Costa."), talk, rules=RULES)

    digest = EpisodeDigest(
        summary="The shed and boats.",
        topics=("the shed", "The Shed", "all that was said of boats"),
        key_decisions=("Buy boats.", "Move house."),
        importance=math.nan,
    )
    checked, dropped = answer_checks.episode(digest, talk, rules=RULES)
    assert (checked.topics, checked.key_decisions, checked.importance) == (("the shed",), ("Buy boats.",), 0.0)
    assert dropped == 3


def test_signs_of_a_relationship_are_new_and_were_heard():
    talk = [says("Your canoe sank again, captain!"), says("As in Porto.", "assistant")]
    signs = RelationshipSigns(
        new_inside_jokes=("The canoe that sank", "captain", "Moby Dick"),
        shared_references=("Porto",),
        communication_notes={"length": "short answers", "": "x"},
        mood="in high spirits",
    )

    checked, dropped = answer_checks.relationship(signs, talk, known_jokes=["Captain"], rules=RULES)

    assert checked.new_inside_jokes == ("The canoe that sank",)
    assert checked.shared_references == ("Porto",)
    assert (checked.communication_notes, checked.mood) == ({"length": "short answers"}, None)
    assert dropped == 4


# Statements


@pytest.mark.parametrize("operation", [WriteOperation.UPDATE, WriteOperation.DELETE, WriteOperation.NONE])
def test_a_new_statement_is_added_where_the_model_names_an_id_that_was_not_given(operation: WriteOperation):
    proposal = CurationProposal(operation=operation, target_id=NEVER_GIVEN, text="anything")

    checked, dropped = answer_checks.curation(proposal, "Ines trains a choir.", [CHOIR, CANOE], rules=RULES)

    assert (checked.operation, checked.target_id, checked.text) == (WriteOperation.ADD, None, None)
    assert dropped == 1


@pytest.mark.parametrize(
    ("merged", "kept"),
    [
        ("Ines trains the junior choir on Mondays.", True),
        ("Ines trains the junior choir.", False),
        ("Bo sings.", False),
    ],
)
def test_a_merged_text_says_what_both_say_and_nothing_else(merged: str, kept: bool):
    proposal = CurationProposal(operation=WriteOperation.UPDATE, target_id=CHOIR.id, text=merged)

    checked, dropped = answer_checks.curation(proposal, "Ines trains the choir on Mondays.", [CHOIR], rules=RULES)

    assert (checked.operation is WriteOperation.UPDATE, dropped) == (kept, 0 if kept else 1)


def test_a_conflict_by_a_models_own_say_so_is_none():
    def claimed(memory_id: MemoryId, *, subject: bool, attribute: bool) -> ContradictionProposal:
        return ContradictionProposal(
            id=memory_id,
            conflicts=True,
            same_subject=subject,
            same_attribute=attribute,
            conflict=Conflict.NEGATE,
        )

    proposals = (
        claimed(CHOIR.id, subject=True, attribute=False),
        claimed(CANOE.id, subject=True, attribute=True),
        claimed(NEVER_GIVEN, subject=True, attribute=True),
        claimed(CANOE.id, subject=False, attribute=False),
    )

    checked, dropped = answer_checks.contradiction(
        proposals, Statement(MemoryId("m-3"), "Ines has a canoe."), [CHOIR, CANOE], rules=RULES
    )

    assert [(each.id, each.conflicts, each.conflict) for each in checked] == [
        (CHOIR.id, False, None),
        (CANOE.id, True, Conflict.NEGATE),
    ]
    assert dropped == 2


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Ines trains the junior choir on Mondays.", RefinementVerdict.REFINE),
        ("Ines trains the senior choir of 40.", RefinementVerdict.UNRELATED),
        (None, RefinementVerdict.UNRELATED),
    ],
)
def test_a_refined_text_is_made_of_what_was_known_and_said(text: str | None, verdict: RefinementVerdict):
    proposal = RefinementProposal(verdict=RefinementVerdict.REFINE, text=text)

    checked, _ = answer_checks.refinement(proposal, CHOIR.text, "On Mondays, that is.", rules=RULES)

    assert checked.verdict is verdict


def test_a_link_joins_the_two_of_a_pair_by_a_type_that_is_asked_for():
    def link(link_type: LinkType, source: MemoryId, target: MemoryId, confidence: float = 2.0) -> LinkProposal:
        return LinkProposal(type=link_type, source=source, target=target, confidence=confidence)

    pairs = [LinkablePair(first=CHOIR, second=CANOE, first_at=NOON, second_at=NOON)]
    proposals = (
        link(LinkType.LEADS_TO, CHOIR.id, NEVER_GIVEN),
        link(LinkType.LEADS_TO, CHOIR.id, CHOIR.id),
        link(LinkType.SUPERSEDED_BY, CHOIR.id, CANOE.id),
        link(LinkType.SIMILAR_TO, CHOIR.id, CANOE.id),
        link(LinkType.ENABLES, CANOE.id, CHOIR.id),
        link(LinkType.LEADS_TO, CHOIR.id, CANOE.id),
    )

    checked, dropped = answer_checks.links(proposals, pairs, rules=RULES)

    assert [(each.type, each.source, each.confidence) for each in checked] == [(LinkType.ENABLES, CANOE.id, 1.0)]
    assert dropped == 5


def test_insights_are_few_new_and_drawn_from_the_episodes():
    episodes = [EpisodeLine(at=NOON, summary="Ann rowed with Ines."), EpisodeLine(at=NOON, summary="Rowing again.")]
    told = [
        ("Ann rows often.", Category.PATTERN),
        ("Ann rows.", Category.PATTERN),
        ("Rowing is loved.", Category.OTHER),
    ]
    told += [(f"Ann likes {word}.", Category.PREFERENCE) for word in ("rowing", "to row", "the rowing club")]
    insights = tuple(Insight(text=text, category=category) for text, category in told)

    checked, dropped = answer_checks.insights(insights, episodes, known_facts=["ann rows."], rules=RULES)

    assert [each.text for each in checked] == ["Ann rows often.", "Ann likes rowing.", "Ann likes to row."]
    assert dropped == 3


# Numbers

ANY_NUMBER = st.floats(allow_nan=True, allow_infinity=True)


@given(st.builds(Emotion, joy=ANY_NUMBER, fear=ANY_NUMBER, arousal=ANY_NUMBER, valence=ANY_NUMBER))
def test_an_emotion_lies_within_its_bounds_whatever_was_told(told: Emotion):
    [felt], _ = answer_checks.emotion((told,), ["Hm."])

    assert all(0.0 <= getattr(felt, name) <= 1.0 for name in ("joy", "fear", "arousal"))
    assert -1.0 <= felt.valence <= 1.0


def test_emotions_are_one_for_each_text_or_none():
    with pytest.raises(InferenceError):
        answer_checks.emotion((Emotion(),), ["a", "b"])

from collections import Counter
from datetime import timedelta

from graph_memory.domain.draft import checked
from graph_memory.domain.vocabulary import Kind
from graph_memory.importers.sample_life import sample_life
from graph_memory.settings import Settings


def test_the_sample_life_has_some_sixty_memories_over_two_years_and_five_questions():
    life = sample_life()

    dates = [draft.occurred_at for draft in life.drafts if draft.occurred_at]
    assert 55 <= len(life.drafts) <= 65
    assert max(dates) - min(dates) > timedelta(days=600)
    assert len(life.questions) == 5


def test_every_memory_of_the_sample_life_keeps_the_rules():
    settings = Settings()

    for draft in sample_life().drafts:
        checked(
            draft,
            limits=settings.limits,
            initial_confidence=settings.salience.initial_confidence,  # type: ignore[arg-type]
            medium_confidence=settings.salience.medium_confidence,
        )


def test_the_sample_life_holds_episodes_in_short_sessions_and_general_facts():
    drafts = sample_life().drafts

    sessions = Counter(draft.session_id for draft in drafts if draft.kind is Kind.EPISODIC)
    assert all(3 <= turns <= 5 for turns in sessions.values())
    assert {draft.kind for draft in drafts} == {Kind.EPISODIC, Kind.SEMANTIC}
    assert sum(draft.general for draft in drafts) >= 2


def test_no_two_memories_of_the_sample_life_share_a_key():
    keys = [draft.idempotency_key for draft in sample_life().drafts]

    assert len(set(keys)) == len(keys)

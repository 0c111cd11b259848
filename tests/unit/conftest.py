"""A memory as it was just written, and the laws of its use."""

from datetime import UTC, datetime

import pytest

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.decay import StrengthFacts
from graph_memory.domain.memory import Emotion, Interval, Memory
from graph_memory.domain.reinforcement import Reinforcement
from graph_memory.domain.vocabulary import Category, EpistemicType, Horizon, Kind, Lane, MemoryId, Source, State, UserId
from graph_memory.settings import Settings

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def laws() -> Reinforcement:
    return Settings().reinforcement()


@pytest.fixture
def memory(laws: Reinforcement) -> Memory:
    strength = StrengthFacts(base_strength=1.0, anchor_at=NOON)
    activation = ActivationFacts(stamps=(NOON,))
    return Memory(
        id=MemoryId("m"),
        user_id=UserId("u"),
        text="t",
        kind=Kind.SEMANTIC,
        epistemic_type=EpistemicType.FACT,
        category=Category.OTHER,
        horizon=Horizon.LONG,
        bucket="default",
        lane=Lane.FACTS_PREFS,
        general=False,
        source=Source.USER_STATED,
        confirmed=True,
        confidence=0.8,
        strength=strength,
        activation=activation,
        state=State.CORE,
        states=laws.activation.state_dates(activation),
        visible_until=laws.strength.visible_until(strength),
        access_count=0,
        first_access_at=None,
        last_accessed_at=None,
        touched_at=NOON,
        emotion=Emotion(),
        occurred_at=NOON,
        interval=Interval(valid_at=NOON, created_at=NOON),
    )

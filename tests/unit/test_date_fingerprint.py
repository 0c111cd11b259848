"""The fingerprint of the settings behind stored dates: it follows every one of them, and no other."""

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from graph_memory.domain.draft import MemoryDraft, checked
from graph_memory.domain.memory import Emotion, Memory
from graph_memory.domain.vocabulary import UserId
from graph_memory.ports import UserSettings
from graph_memory.services.birth import newborn
from graph_memory.services.encode import Encoded
from graph_memory.settings import DATE_SETTINGS, Settings
from graph_memory.testing import CountingIds

NOON, GROUPS = datetime(2031, 5, 1, 12, tzinfo=UTC), ("decay", "salience")
NAMES = [f"{group}.{each.name}" for group in GROUPS for each in fields(getattr(Settings(), group))]


def _used_memory() -> Memory:
    """Aroused, as strong as can be, and used twice."""
    settings = Settings()
    draft = checked(
        MemoryDraft(text="The desk is oak."),
        limits=settings.limits,
        initial_confidence=settings.salience.initial_confidence,  # type: ignore[arg-type]  # its keys are the words
        medium_confidence=settings.salience.medium_confidence,
        zone=UTC,
    )
    encoded = Encoded(np.zeros(4, np.float32), Emotion(arousal=0.5))
    user, ids, owner = UserSettings(), CountingIds(), UserId("user-1")
    new = newborn(draft, user_id=owner, encoded=encoded, now=NOON, zone=UTC, user=user, ids=ids, settings=settings)
    memory, profile = new.memory, settings.tier_profile()
    for day in (1, 2):
        memory = settings.reinforcement().accessed(memory, NOON + timedelta(days=day), profile=profile)
    return replace(memory, strength=replace(memory.strength, base_strength=settings.decay.strength_max))


def _otherwise(name: str) -> Settings:
    """Settings with another value of one setting."""
    settings, (group, key) = Settings(), name.split(".")
    values = getattr(settings, group)
    return replace(settings, **{group: replace(values, **{key: _other(getattr(values, key))})})


def _other(value: Any) -> Any:
    match value:
        case None:
            return 5
        case bool():
            return not value
        case str():
            return "sales"
        case Mapping():
            return {key: number / 2 for key, number in value.items()}
    return value * 1e8 if value < 0.02 and value > 0 else value / 2  # the least age only counts when it is long


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_is_in_the_fingerprint_if_and_only_if_dates_depend_on_it(name: str):
    memory, other = Settings().reinforcement().redated(_used_memory()), _otherwise(name)

    redated = other.reinforcement().redated(memory)

    dates_differ = (redated.visible_until, redated.states) != (memory.visible_until, memory.states)
    assert dates_differ == (name in DATE_SETTINGS)
    assert (other.date_fingerprint() != Settings().date_fingerprint()) == (name in DATE_SETTINGS)


def test_every_setting_of_the_fingerprint_exists():
    assert set(DATE_SETTINGS) <= set(NAMES)


def test_a_number_written_without_its_point_is_the_same_number():
    whole = Settings.from_environment({"GRAPH_MEMORY_DECAY__HALF_LIFE_HOURS": "240"})
    by_hand = replace(Settings(), decay=replace(Settings().decay, half_life_hours=240))

    assert whole.date_fingerprint() == by_hand.date_fingerprint() == Settings().date_fingerprint()


def test_a_faster_clock_ticks_faster_but_never_more_than_once_a_second():
    def tick(time_scale: float) -> timedelta:
        return replace(Settings(), decay=replace(Settings().decay, time_scale=time_scale)).tick()

    assert [tick(scale) for scale in (1.0, 60.0, 1e6)] == [
        timedelta(hours=1),
        timedelta(minutes=1),
        timedelta(seconds=1),
    ]


def test_a_memory_whose_settings_did_not_change_is_redated_to_itself():
    memory = Settings().reinforcement().redated(_used_memory())

    assert Settings().reinforcement().redated(memory) == memory

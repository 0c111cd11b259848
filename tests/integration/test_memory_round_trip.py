"""A memory comes back as it was written, by whatever query it is read."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.memory import Emotion, Memory
from graph_memory.domain.vocabulary import MemoryId, UserId
from graph_memory.ports import MemoryFilter, Transformation, Transformed
from graph_memory.services.paging import PageRequest
from graph_memory.services.recall import Question

AT = datetime(2031, 3, 4, 5, 6, 7, 891234, tzinfo=UTC)


async def everything_set(services: Services, user: UserId) -> Memory:
    """A memory whose every living field differs from that of a new one."""
    written = await services.remember(
        user,
        MemoryDraft(
            text="Ana moved to Porto last Thursday",
            speaker="Ana",
            session_id="s",
            agent_id="a",
            external_id="e",
            tags=("home",),
            metadata={"n": [1, None, {"deep": True}]},
            people=("Bruno",),
            entities=("Porto",),
            occurred_at=AT,
        ),
    )
    assert written.memory is not None
    later = written.memory.interval.created_at + timedelta(hours=1, microseconds=7)

    def change(found: dict[MemoryId, Memory], _: frozenset[str]) -> Transformation:
        [memory] = found.values()
        return Transformation(
            (
                Transformed(
                    replace(
                        memory,
                        confirmed=not memory.confirmed,
                        confidence=0.123456789,
                        first_access_at=later,
                        last_accessed_at=later,
                        labile_since=later,
                        labile_until=later + timedelta(hours=6),
                        last_suppressed_at=later,
                        refined_at=later,
                        emotion=Emotion(joy=0.25, arousal=0.5, valence=-0.75),
                        strength=replace(memory.strength, arousal=0.5),
                    ),
                    (),
                ),
            )
        )

    await services.inspect._memories.transform(user, [written.memory.id], change, at=later)
    return (await services.inspect.memories(user, [written.memory.id]))[written.memory.id]


async def test_every_query_gives_the_same_memory(services: Services, user: UserId):
    by_id = await everything_set(services, user)

    [listed] = (await services.inspect.find_memories(user, MemoryFilter(), PageRequest(first=1))).items
    [hit] = (await services.recall(user, Question(query="Porto", k=1, reinforce=False))).hits
    locked = await services.inspect._memories.transform(user, [by_id.id], lambda found, _: Transformation(), at=AT)

    assert by_id == listed == hit.memory == locked[by_id.id]


async def test_no_field_is_lost_on_the_way(services: Services, user: UserId):
    memory = await everything_set(services, user)

    empty = {field.name for field in fields(memory) if getattr(memory, field.name) in (None, (), "", {})}

    assert empty == {
        "past_intervals",
        "decision",
        "refined_at",
    }  # only a restore, a decision and a refinement set these

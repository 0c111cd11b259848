"""Erasing leaves no word behind: every property of every node and relationship of the user is searched."""

from datetime import timedelta

from graph_memory.bootstrap import Services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Kind, Source, UserId
from graph_memory.services.recall import Question
from tests.integration.graph import Graph

SECRETS = ("zanzibar", "quetzal", "xylophone")


async def told(services: Services, user: UserId, text: str, **fields: object) -> Memory:
    remembered = await services.remember(user, MemoryDraft(text=text, **fields), wait=True)  # type: ignore[arg-type]
    assert remembered.memory is not None
    return remembered.memory


async def with_a_history(services: Services, user: UserId) -> Memory:
    """A memory in the midst of a chat, corrected, recalled, linked, doubted, and the only one to name someone."""
    first = await told(services, user, "How was the trip?", session_id="s", speaker="Bruno")
    secret = await told(
        services, user, "We met Quetzal in Zanzibar", session_id="s", speaker="Ana", people=("Quetzal",)
    )
    await told(services, user, "And then?", session_id="s", speaker="Bruno")
    await services.revise.correct(
        user, secret.id, "We met Quetzal in Zanzibar, with a xylophone", reason="zanzibar it was"
    )
    await services.recall(user, Question(query="Zanzibar"))
    await services.aftermath.settled()
    await services.links.link(user, LinkType.LEADS_TO, first.id, secret.id, reason="a xylophone leads there")
    await services.use.doubt(user, secret.id, reason="was it Zanzibar?")
    await services.amend.forget(user, secret.id, reason="no Quetzal")
    await services.amend.restore(user, secret.id, reason="yes Quetzal")
    return secret


def words_of(dump: object) -> set[str]:
    return {secret for secret in SECRETS if secret in repr(dump).lower()}


async def test_no_word_of_an_erased_memory_is_left_anywhere(services: Services, user: UserId, graph: Graph):
    secret = await with_a_history(services, user)
    before = words_of(await graph.dump(user))

    await services.amend.erase(user, secret.id)

    assert before == set(SECRETS)
    assert words_of(await graph.dump(user)) == set()


async def test_its_neighbours_stay_and_follow_each_other(services: Services, user: UserId, graph: Graph):
    secret = await with_a_history(services, user)

    await services.amend.erase(user, secret.id)

    rows = await graph.run(
        "MATCH (a:Memory {user_id: $user_id})-[:NEXT]->(b:Memory {user_id: $user_id}) "
        "RETURN a.text AS first, b.text AS second, b.context_text AS context",
        user_id=user,
    )
    assert rows == [
        {"first": "How was the trip?", "second": "And then?", "context": "Bruno: How was the trip?\nBruno: And then?"}
    ]


async def test_what_was_erased_is_not_learned_again_unless_the_user_says_it(services: Services, user: UserId):
    secret = await told(services, user, "The code is 4711", kind=Kind.SEMANTIC)
    await services.amend.erase(user, secret.id)

    learned = await services.remember(
        user, MemoryDraft(text="The code is 4711", kind=Kind.SEMANTIC, source=Source.EXTRACTED)
    )
    stated = await services.remember(user, MemoryDraft(text="The code is 4711", kind=Kind.SEMANTIC))

    assert learned.vetoed
    assert learned.memory is None
    assert stated.memory is not None


async def test_erasing_everything_leaves_one_audit_row(services: Services, user: UserId, graph: Graph):
    await with_a_history(services, user)

    erased = await services.amend.erase_everything(user, confirm=user)

    dump = await graph.dump(user)
    assert erased.erased == 3
    assert len(dump.nodes) == 1
    assert "erase_everything" in dump.nodes[0]
    assert dump.links == ()


async def test_a_restored_memory_keeps_the_closed_interval(services: Services, user: UserId):
    memory = await told(services, user, "The tide turns at noon")
    await services.amend.forget(user, memory.id)
    forgotten = await services.inspect.memory(user, memory.id)

    restored = await services.amend.restore(user, memory.id)

    [past] = restored.past_intervals
    assert past.expired_at == forgotten.interval.expired_at
    assert not restored.believed(as_of=past.expired_at, known_at=past.expired_at + timedelta(microseconds=1))
    assert restored.believed(as_of=past.restored_at, known_at=past.restored_at)

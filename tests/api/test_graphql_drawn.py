"""What sleep drew from memories, through GraphQL: sources, schemas, and recall within one."""

from graph_memory.bootstrap import Services
from graph_memory.domain.sleep import StepReport
from graph_memory.domain.vocabulary import UserId
from tests.api.caller import REMEMBER_MANY, Caller

SOURCES = """
query($filter: MemoryFilter) {
  memories(filter: $filter) { edges { node { text source sources { text } } } }
}
"""
SCHEMAS = "{ schemas(first: 10) { totalCount edges { node { id text kind sources { text } } } } }"
KITCHEN = [f"The kitchen has a {thing} for the herbs" for thing in ("rope", "lamp", "shelf")]
BOAT = [f"A boat keeps its {thing} in a locker" for thing in ("rope", "anchor", "sail")]


async def alive(so_far: StepReport, *, done: int, total: int) -> None:
    """A pulse that nobody listens to."""


async def asleep(services: Services, user: UserId) -> None:
    at = services.clock.now()
    for step in (services.distil, services.induce_schemas):
        await step(user, at=at, dry_run=False, pulse=alive)


async def with_schemas(call: Caller, services: Services, user: UserId) -> dict[str, str]:
    """The ids of two schemas, by a word of theirs."""
    inputs = [{"text": text, "kind": "SEMANTIC", "curate": False} for text in (*KITCHEN, *BOAT)]
    await call(REMEMBER_MANY, inputs=inputs)
    await asleep(services, user)
    found = [edge["node"] for edge in (await call(SCHEMAS)).data["schemas"]["edges"]]
    return {word: each["id"] for word in ("kitchen", "boat") for each in found if word in each["text"]}


async def test_a_statement_shows_what_it_was_distilled_from(
    call: Caller, call_as_other: Caller, services: Services, user: UserId
):
    texts = [f"The heating contract with Novak was renewed {when}" for when in ("today", "again", "late")]
    await call(REMEMBER_MANY, inputs=[{"text": text} for text in texts])
    await asleep(services, user)

    made = (await call(SOURCES, filter={"kinds": ["SEMANTIC"]})).data["memories"]["edges"]
    told = (await call(SOURCES, filter={"kinds": ["EPISODIC"]})).data["memories"]["edges"]

    [edge] = made
    assert edge["node"]["source"] == "CONSOLIDATED"
    assert sorted(each["text"] for each in edge["node"]["sources"]) == sorted(texts)
    assert [each["node"]["sources"] for each in told] == [[], [], []]
    assert (await call_as_other(SOURCES)).data["memories"]["edges"] == []


async def test_schemas_are_listed_with_what_they_abstract(
    call: Caller, call_as_other: Caller, services: Services, user: UserId
):
    await with_schemas(call, services, user)

    listed = (await call(SCHEMAS)).data["schemas"]

    assert listed["totalCount"] == 2
    assert {edge["node"]["kind"] for edge in listed["edges"]} == {"SCHEMA"}
    members = [sorted(each["text"] for each in edge["node"]["sources"]) for edge in listed["edges"]]
    assert sorted(members) == sorted([sorted(KITCHEN), sorted(BOAT)])
    assert (await call_as_other(SCHEMAS)).data["schemas"]["totalCount"] == 0


async def test_case_16_recall_within_a_schema(call: Caller, services: Services, user: UserId):
    schemas = await with_schemas(call, services, user)

    within = await call.recalled("rope", schemaId=schemas["boat"])
    nowhere = await call.recalled("rope", schemaId="no such schema")
    misspelt = await call(
        "query($input: RecallInput!) { recall(input: $input) { k } }", input={"query": "rope", "schemeId": "x"}
    )

    assert within[0] == BOAT[0]
    assert set(within) <= set(BOAT)
    assert nowhere == []
    assert "errors" in misspelt.body

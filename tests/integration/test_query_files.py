"""Every query file on a real server: its plan, its columns, and whose data it can reach."""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from neo4j.exceptions import ConstraintError

import cypher
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.text import words as words_of
from graph_memory.domain.vocabulary import Kind, Lane, UserId
from graph_memory.settings import Settings
from graph_memory.stores.full_text import lucene_query
from tests.architecture.sources import query_uses
from tests.integration.graph import Graph, open_graph
from tests.integration.world import World, build

NAMES = tuple(cypher.names())
LOCKING = tuple(name for name in NAMES if ".lock = true" in cypher.load(name).text)
USER_FILES = tuple(name for name in NAMES if cypher.load(name).scope == "user")
SYSTEM_FILES = tuple(name for name in NAMES if cypher.load(name).scope == "system")

_NUMBER = re.compile(r"\d+")

# The ledger holds a handful of nodes and is read whole.
MAY_SCAN = {"graph/find_migrations": "NodeByLabelScan"}


@pytest.mark.parametrize("name", NAMES)
async def test_a_query_file_can_be_planned_without_reading_everything(name: str, world: World, graph: Graph):
    """Planned with a world in the graph: of an empty label the planner reads all, which costs nothing."""
    query = cypher.load(name)

    plan = await graph.plan(query, await graph.samples(query))

    scans = {operator for operator in plan.operators if "Scan" in operator}
    assert scans <= {MAY_SCAN.get(name, "")}


@pytest.mark.parametrize("name", NAMES)
async def test_a_query_file_returns_the_columns_of_its_header(name: str, graph: Graph):
    query = cypher.load(name)

    plan = await graph.plan(query, await graph.samples(query))

    assert list(plan.columns) == list(query.columns)


async def test_a_query_has_one_plan_however_long_what_it_is_given(graph: Graph):
    """A plan takes up to seconds, and for text and lists of another length the server would make another."""
    query = cypher.load("memories/find_standing")
    samples = await graph.samples(query)

    async def plans() -> int:
        await graph.run("CALL db.clearQueryCaches()")
        for length in (0, 1, 2, 11, 101):
            await graph.ask(query, rows=samples["rows"] * length)
        told = await graph.value("CALL db.clearQueryCaches()")
        return int(_NUMBER.findall(told)[0])

    assert min([await plans() for _ in range(3)]) == 1  # something else may be planned meanwhile


@pytest.mark.parametrize("name", LOCKING)
async def test_what_is_checked_under_a_lock_is_read_under_the_lock(name: str, world: World, graph: Graph):
    """A plan remembers what an index or an earlier filter read, and would check that instead of what stands by then."""
    query = cypher.load(name)

    plan = await graph.plan(query, await graph.samples(query))

    assert plan.remembered == frozenset()


# Whose memory it is

Rows = list[dict[str, Any]]
NOTHING: Rows = []
Aim = Callable[[World], Mapping[str, Any]]


def _a_day_later(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "at": world.memory.interval.created_at + timedelta(days=1)}


def _at_cluster(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "key": world.cluster_key}


def _of_stranger(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger}


def _at_memory(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "id": world.memory.id}


def _at_forgotten(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "id": world.forgotten.id}


def _like_a_memory(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "kind": "episodic"}


def _at_merge(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "id": world.merge_id}


def _at_memories(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "ids": [world.memory.id, world.linked.id, world.forgotten.id]}


def _at_nodes(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "ids": [world.person_id, world.entity_id]}


def _at_rows(world: World) -> dict[str, Any]:
    row = {"user_id": world.stranger, "id": world.memory.id, "vector_stale": True}
    return {"rows": [row], "at": world.memory.interval.created_at}


def _at_name(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "node_id": world.person_id, "after_at": None, "after_id": None}


def _searching(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "search": None, "after_at": None, "after_id": None}


# What a list needs to be read at all; every other parameter is a filter or a cursor, and null asks nothing.
_NO_FILTERS = {
    "user_id",
    "at",
    "created_from",
    "created_until",
    "order",
    "direction",
    "step",
    "limit",
    "time_scale",
} | {
    "half_life_hours",
    "stability_gain",
    "stability_power",
    "arousal_gain",
}


def _every_memory(world: World) -> dict[str, Any]:
    filters = set(cypher.load("memories/find_memories").params) - _NO_FILTERS
    return {"user_id": world.stranger, **dict.fromkeys(filters)}


def _asking(world: World) -> dict[str, Any]:
    """The owner's own words and vector, and even the owner's token in the full-text index."""
    words, terms = ("boat", "painted", "ana", "desk"), ()
    fields = {"text_query": ("search_text", "script_terms"), "context_query": ("context_text", "context_script_terms")}
    queries = {
        param: lucene_query(world.owner, field=field, terms_field=terms_field, words=words, index_terms=terms)
        for param, (field, terms_field) in fields.items()
    }
    now = world.memory.interval.created_at
    bounds = {
        "bucket_from": "",
        "bucket_until": "\U0010ffff",
        "filtered": False,
        "filters": {},
        "semantic_floor": -1.0,
        "least": -1.0,
    }
    within = {
        **dict.fromkeys(("visible_after", "expired_after", "invalid_after", "superseded_after"), now),
        **dict.fromkeys(("touched_after", "archived_after", "occurred_from"), datetime(1, 1, 1, tzinfo=UTC)),
        **dict.fromkeys(("created_until", "occurred_until"), FAR_FUTURE),
        "lanes": list(Lane),
        "kinds": list(Kind),
    }
    narrowed = {"at": now, "narrowed": True, "within": within}
    return {"user_id": world.stranger, "vector": world.embedding, **queries, **bounds, **narrowed}


def _asking_what_is_current(world: World) -> dict[str, Any]:
    return {**_asking(world), "narrowed": False, "within": {}}


def _asking_with_own_token(world: World) -> dict[str, Any]:
    """The look-ups are measured as recall runs them: what the index gives is checked by nothing more."""
    own = lucene_query(world.stranger, field="search_text", terms_field="script_terms", words=("boat",), index_terms=())
    return {**_asking(world), "text_query": own, "context_query": own}


def _asking_what_is_current_with_own_token(world: World) -> dict[str, Any]:
    return {**_asking_with_own_token(world), "narrowed": False, "within": {}}


def _searching_turns(world: World) -> dict[str, Any]:
    query = lucene_query(world.owner, field="text", terms_field="script_terms", words=("boat",), index_terms=())
    return {**_asking(world), "text_query": query}


def _between_owners_nodes(world: World) -> dict[str, Any]:
    return {
        "user_id": world.stranger,
        "source_id": world.memory.id,
        "target_id": world.linked.id,
        "from_id": world.memory.id,
        "to_id": world.linked.id,
        "node_id": world.memory.id,
        "type": "LEADS_TO",
        "after_weight": None,
        "after_key": None,
    }


def _from_neighbours_node(world: World) -> dict[str, Any]:
    ends = {"source_id": world.neighbours_memory.id, "from_id": world.neighbours_memory.id}
    return {**_between_owners_nodes(world), "user_id": world.neighbour, **ends}


def _to_neighbours_node(world: World) -> dict[str, Any]:
    ends = {"target_id": world.neighbours_memory.id, "to_id": world.neighbours_memory.id}
    return {**_between_owners_nodes(world), "user_id": world.neighbour, **ends}


def _standing(world: World) -> dict[str, Any]:
    row = {"idempotency_key": "any", "current_key": world.memory.content_hash, "text_hash": world.erased_hash}
    return {"rows": [{"user_id": world.stranger, **row}]}


def _at_judgement(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "keys": [f"audit {world.memory.id}"]}


def _at_erased_text(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "text_hash": world.erased_hash}


def _new_with_owners_id(world: World) -> dict[str, Any]:
    properties = {"id": world.memory.id, "created_at": world.memory.interval.created_at}
    change = {"id": f"chg-{world.stranger}", "action": "add"}
    row = {"user_id": world.stranger, "label": "Episodic", "time_zone": "UTC", "tier_profile": "default"}
    return {"rows": [{**row, "properties": properties, "change": change}]}


def _change_of_owners_memory(world: World) -> dict[str, Any]:
    change = {"id": f"row-{world.stranger}", "target_id": world.memory.id, "action": "erase"}
    return {"user_id": world.stranger, "change": change}


def _long_after(world: World) -> dict[str, Any]:
    """When every memory of the owner has left every state."""
    return {"user_id": world.stranger, "at": FAR_FUTURE - timedelta(days=365), "state": "core"}


def _with_other_settings(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "dates_by": "other settings"}


def _at_run(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "id": world.run_id, "after_at": None, "after_id": None}


def _a_new_run(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "run": {"id": f"run-{world.stranger}"}, "beat": "cycle"}


def _runs_of_every_age(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "before": FAR_FUTURE}


def _at_snapshot(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "id": world.snapshot_id, "after_at": None, "after_id": None}


def _a_new_snapshot(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "properties": {"id": f"snap-{world.stranger}"}}


def _long_before_it_is_hidden(world: World) -> dict[str, Any]:
    """Every memory counts as weak, a day after the last use of any."""
    return {"user_id": world.stranger, "hidden_soon": 2.0, "at": world.memory.interval.created_at + timedelta(days=1)}


def _of_topics(world: World) -> dict[str, Any]:
    return {"user_id": world.stranger, "topics": ["porto", "faro"]}


# The ids that samples are written with, as the owner's own.
_SAMPLE_ID = re.compile(r"[a-z]+-\d+")


def _aimed(world: World, samples: Mapping[str, Any]) -> dict[str, Any]:
    """The samples of a query, asked by a stranger, with the owner's ids, words and vectors in place of made-up ones."""
    owners = {
        "user-1": world.stranger,
        "mem-1": world.memory.id,
        "mem-2": world.linked.id,
        "mem-9": world.forgotten.id,
        "per-1": world.person_id,
        "per-2": world.person_id,
        "ent-1": world.entity_id,
        "node-1": world.person_id,
        "rec-1": world.receipt_id,
        "epi-1": world.episode_id,
        "turn-1": world.turn_id,
        "key-1": world.turn_key,
        "hash-1": world.memory.content_hash,
        "cluster-1": world.cluster_key,
    }

    def aimed(value: Any) -> Any:
        if isinstance(value, str):
            return owners.get(value, f"{value}-{world.stranger}") if _SAMPLE_ID.fullmatch(value) else value
        if isinstance(value, dict):
            return {name: aimed(inner) for name, inner in value.items()}
        return [aimed(inner) for inner in value] if isinstance(value, list) else value

    return {**{name: aimed(value) for name, value in samples.items()}, **_asking(world)}


# Every query that serves one user is attacked with its samples, aimed at the owner's data, and may give nothing, or
# rows that count nothing. Where the samples would not reach the data, or another answer is right, it is written here.
ATTACKS: dict[str, list[tuple[Aim, Rows]]] = {
    "beats/count_due_of_user": [(_long_after, NOTHING)],
    "beats/count_stale_of_user": [(_with_other_settings, [{"memories": 0}])],
    "beats/lock_due_of_user": [(_long_after, NOTHING)],
    "beats/lock_stale_of_user": [(_with_other_settings, NOTHING)],
    "notices/find_fading": [(_long_before_it_is_hidden, [{"count": 0, "ids": [], "first_at": None, "since": None}])],
    "notices/find_parked": [(_long_after, NOTHING)],
    "notices/find_parked_turns": [(_long_after, NOTHING)],
    "priorities/add_snapshot": [(_a_new_snapshot, NOTHING)],
    "priorities/drop_old_snapshots": [(_runs_of_every_age, [{"dropped": 0}])],
    "priorities/find_decisions": [(_long_after, NOTHING)],
    "priorities/find_snapshots": [(_at_snapshot, NOTHING)],
    "priorities/forget_topics": [(_of_topics, [{"snapshots": 0}])],
    "priorities/get_latest_snapshot": [(_long_after, NOTHING)],
    "priorities/get_snapshot": [(_at_snapshot, NOTHING)],
    "runs/begin_run": [(_a_new_run, NOTHING)],
    "runs/drop_old_runs": [(_runs_of_every_age, [{"dropped": 0}])],
    "runs/drop_run": [(_at_run, NOTHING)],
    "runs/find_runs": [(_at_run, NOTHING)],
    "runs/get_run": [(_at_run, NOTHING)],
    "runs/write_run": [(_at_run, NOTHING)],
    "episodes/search_turns": [(_searching_turns, NOTHING)],
    "relationships/write_relationship": [(_of_stranger, [{"user_id": "{stranger}"}])],
    "comparisons/find_judgements": [(_at_judgement, NOTHING)],
    "merging/find_merged_into": [(_at_memory, NOTHING)],
    "merging/check_merge": [(_at_erased_text, [{"sources": 0, "erased": False}])],
    "distillation/close_members": [(_at_cluster, [{"members": 0}])],
    "distillation/find_due_buckets": [(_a_day_later, NOTHING)],
    "schemas/find_facts": [(_a_day_later, NOTHING)],
    "schemas/find_schemas": [(_a_day_later, NOTHING)],
    "discovery/claim_memories": [(_of_stranger, NOTHING)],
    "graph/add_change": [(_change_of_owners_memory, [{"id": "row-{stranger}"}])],
    "links/find_links": [(_between_owners_nodes, NOTHING)],
    "links/find_path_of_types": [
        (_between_owners_nodes, [{"reached": False}]),
        (_from_neighbours_node, [{"reached": False}]),
        (_to_neighbours_node, [{"reached": False}]),
    ],
    "links/get_link": [
        (_between_owners_nodes, NOTHING),
        (_from_neighbours_node, NOTHING),
        (_to_neighbours_node, NOTHING),
    ],
    "links/link_nodes": [
        (_between_owners_nodes, NOTHING),
        (_from_neighbours_node, NOTHING),
        (_to_neighbours_node, NOTHING),
    ],
    "links/unlink_nodes": [(_between_owners_nodes, NOTHING), (_from_neighbours_node, NOTHING)],
    "memories/add_memories": [(_new_with_owners_id, NOTHING)],
    "memories/count_memories": [(_every_memory, [{"memories": 0}])],
    "memories/find_candidates": [(_like_a_memory, NOTHING)],
    "memories/find_memories": [(_every_memory, NOTHING)],
    "memories/find_standing": [
        (_standing, [{"standing": [{"replayed_id": None, "equal_id": None, "tombstone": False}]}])
    ],
    "memories/join_sequence": [(_at_rows, None)],
    "memories/leave_sequence": [(_at_memories, NOTHING)],
    "memories/rebuild_contexts": [(_at_rows, [{"memories": 0}])],
    "memories/restore_memory": [(_at_forgotten, NOTHING)],
    "names/count_entities": [(_searching, [{"nodes": 0}])],
    "names/count_people": [(_searching, [{"nodes": 0}])],
    "names/find_entities": [(_searching, NOTHING)],
    "names/find_memories_naming": [(_at_name, NOTHING)],
    "names/find_people": [(_searching, NOTHING)],
    "recall/count_look_ups": [
        (_asking_with_own_token, [{"candidates": 0}]),
        (_asking_what_is_current_with_own_token, [{"candidates": 0}]),
    ],
    "recall/recall": [(_asking, NOTHING), (_asking_what_is_current, NOTHING)],
    "graph/lock_user": [(_of_stranger, [{"time_zone": "UTC", "tier_profile": "default"}])],
    "graph/get_change": [(_at_merge, NOTHING)],
    "people/get_merge": [(_at_merge, NOTHING)],
    "usage/book_usage": [(_of_stranger, [{"id": "use-1-{stranger}"}])],
    "owners/lock_owner": [(_of_stranger, [{"user_id": "{stranger}", "time_zone": "UTC"}])],
}


@pytest.fixture(scope="module")
def built_world(migrated_settings: Settings) -> World:
    return asyncio.run(_built(migrated_settings))


async def _built(settings: Settings) -> World:
    """The world, and statistics that know of it: with older ones a plan may read all of an index that seems empty."""
    world = await build(settings)
    async with open_graph(settings) as graph:
        await graph.run("CALL db.prepareForReplanning(60)")
    return world


@pytest.fixture
def world(built_world: World) -> World:
    """The world, with a stranger whom no other test knows."""
    return replace(built_world, stranger=UserId(f"stranger-{uuid4().hex[:12]}"))


@pytest.mark.parametrize("name", USER_FILES)
async def test_a_query_of_one_user_neither_reads_nor_counts_nor_changes_another_users_data(
    name: str, world: World, graph: Graph
):
    query = cypher.load(name)
    before = await graph.dump(world.owner)

    for aim, allowed in ATTACKS.get(name, [(_of_stranger, None)]):
        given = await _attempt(graph, query, world, aim(world))
        if allowed is None:
            assert not any(value for row in given for value in row.values()), given
        else:
            assert given == _named(allowed, world), aim.__name__

    assert await graph.dump(world.owner) == before


async def test_the_owner_has_something_of_everything_that_could_be_reached(world: World, graph: Graph):
    dump = await graph.dump(world.owner)

    labels = {node.split("]")[0] for node in dump.nodes}
    types = {link.split(" ")[0] for link in dump.links}
    assert len(labels) >= 18
    assert types >= {"OWNS", "CHANGED", "NEXT", "REFERS_TO", "LEADS_TO"}


# Writes that reach nothing but what carries the user's id itself.
OF_THE_USER_ALONE = {"graph/write_user", "runs/schedule_user", "usage/book_usage"}


@pytest.mark.parametrize("name", [name for name in USER_FILES if not cypher.load(name).writes])
async def test_the_same_query_serves_the_owner(name: str, world: World, graph: Graph):
    """So that an empty answer above is the owner key's doing, not that of parameters which find nothing at all."""
    query = cypher.load(name)
    [(aim, _), *_] = ATTACKS.get(name, [(_of_stranger, None)])

    given = await _attempt(graph, query, world, {**aim(world), "user_id": world.owner})

    assert any(value for row in given for value in row.values())


@pytest.mark.parametrize(
    "name", [name for name in USER_FILES if cypher.load(name).writes and name not in (*ATTACKS, *OF_THE_USER_ALONE)]
)
async def test_a_write_is_aimed_by_its_samples(name: str, graph: Graph):
    """A sample must name what it would change by the ids that an attack knows: user-1, mem-1, per-1 and so on."""
    samples = await graph.samples(cypher.load(name))

    assert "user-1" in _SAMPLE_ID.findall(repr(samples))
    assert set(samples) <= {"user_id", "limit", "at", "most"} or set(_SAMPLE_ID.findall(repr(samples))) & {
        "mem-1",
        "per-1",
        "rec-1",
        "epi-1",
        "turn-1",
    }


# Background work and administration: no caller's value reaches these, so they may see every user.
SYSTEM_QUERIES = {
    "beats/adopt_settings": "Neo4jBeatStore",
    "beats/count_stale": "Neo4jBeatStore",
    "beats/lock_due": "Neo4jBeatStore",
    "beats/lock_stale": "Neo4jBeatStore",
    "beats/write_memories": "Neo4jBeatStore",
    "episodes/find_due_users": "Neo4jEpisodeStore",
    "discovery/find_due_users": "Neo4jLinkDiscoveryStore",
    "enrichment/claim_memories": "Neo4jEnrichmentQueue",
    "enrichment/claim_memory": "Neo4jEnrichmentQueue",
    "enrichment/count_referring": "Neo4jEnrichmentQueue",
    "enrichment/fail_memories": "Neo4jEnrichmentQueue",
    "enrichment/find_called": "Neo4jEnrichmentQueue",
    "enrichment/find_context_passages": "Neo4jEnrichmentQueue",
    "enrichment/finish_memories": "Neo4jEnrichmentQueue",
    "extraction/find_due_talks": "Neo4jExtractionQueue",
    "extraction/put_off_turns": "Neo4jExtractionQueue",
    "graph/add_migration": "Migrator",
    "graph/describe_graph": "Migrator",
    "graph/find_migrations": "Migrator",
    "graph/give_back_lease": "Neo4jLeaseStore",
    "graph/take_lease": "Neo4jLeaseStore",
    "runs/add_runs": "Neo4jRunStore",
    "runs/find_due_cycles": "Neo4jRunStore",
    "runs/find_due_housekeeping": "Neo4jRunStore",
    "usage/sum_day": "Neo4jModelLedger",
    "uses/find_refinable": "Neo4jEnrichmentQueue",
}


def test_a_query_that_sees_every_user_is_known_by_name_with_the_class_that_runs_it():
    run_by = {use.query: use.owner for use in query_uses() if use.query in SYSTEM_FILES}

    assert run_by == SYSTEM_QUERIES
    assert set(SYSTEM_QUERIES) == set(SYSTEM_FILES)


async def test_enrichment_writes_nothing_for_a_user_who_does_not_own_the_memory(world: World, graph: Graph):
    query = cypher.load("enrichment/finish_memories")
    await graph.run("MATCH (m:Memory {id: $id}) SET m.enrich_claim = 'forged'", id=world.memory.id)
    before = await graph.dump(world.owner)
    row = {
        "user_id": world.stranger,
        "id": world.memory.id,
        "context_embedding": [0.5, 0.5],
        "persons": [],
        "entities": [],
    }

    rows = await _finish(graph, query, world, row)

    assert rows == []
    assert await graph.dump(world.owner) == before


@pytest.mark.parametrize("name", ["id", "external id", "title"])
async def test_a_name_in_a_strangers_text_finds_no_memory_of_another_user(name: str, world: World, graph: Graph):
    """Even where the stranger's query holds the owner's token, as no query of the product does."""
    query = cypher.load("enrichment/find_called")
    await graph.run("MATCH (m:Memory {id: $id}) SET m.external_id = 'desk.md'", id=world.memory.id)
    called = {"id": world.memory.id, "external id": "desk.md", "title": world.text}[name]
    words = words_of(called) if name == "title" else ()
    text_query = lucene_query(world.owner, field="search_text", terms_field="script_terms", words=words, index_terms=())
    asked = {"name": called, "text_query": text_query}
    now = world.memory.interval.created_at

    strangers, owners = [
        await graph.ask(query, names=[{"user_id": user, **asked}], at=now, limit=10)
        for user in (world.stranger, world.owner)
    ]

    assert strangers == []
    assert world.memory.id in {row["id"] for row in owners}


async def test_a_count_of_references_knows_nothing_of_another_users_names(world: World, graph: Graph):
    query = cypher.load("enrichment/count_referring")

    strangers, owners = [
        await graph.ask(query, nodes=[{"user_id": user, "kind": "person", "name_key": "ana"}])
        for user in (world.stranger, world.owner)
    ]

    assert strangers == []
    assert owners[0]["memories"] > 0


async def test_enrichment_refers_to_no_memory_of_another_user(world: World, graph: Graph):
    """Not even where it is told to."""
    query = cypher.load("enrichment/finish_memories")
    await graph.run("MATCH (m:Memory {id: $id}) SET m.enrich_claim = 'forged'", id=world.neighbours_memory.id)
    before = await graph.dump(world.owner)
    row = {
        "user_id": world.neighbour,
        "id": world.neighbours_memory.id,
        "context_embedding": None,
        "persons": [],
        "entities": [],
        "memories": [{"id": world.memory.id, "weight": 1.0, "reason": "[[forged]]"}],
        "references": ["[[forged]]"],
    }

    rows = await _finish(graph, query, world, row)

    assert rows == [{"id": world.neighbours_memory.id}]
    assert await graph.dump(world.owner) == before


async def _finish(graph: Graph, query: cypher.Query, world: World, row: Mapping[str, Any]) -> Rows:
    samples = await graph.samples(query)
    aimed = {"claim": "forged", "at": world.memory.interval.created_at, "nodes": [], "rows": [row]}
    return await graph.ask(query, **{**samples, **aimed})


async def _attempt(graph: Graph, query: cypher.Query, world: World, aimed: Mapping[str, Any]) -> Rows:
    params = {**_aimed(world, await graph.samples(query)), **aimed}
    try:
        return await graph.ask(query, **{name: params[name] for name in query.params})
    except ConstraintError:  # an id that another user holds cannot be taken
        return []


def _named(rows: Rows, world: World) -> Rows:
    return [
        {
            name: value.format(stranger=world.stranger) if isinstance(value, str) else value
            for name, value in row.items()
        }
        for row in rows
    ]

"""The law of recall: given the raw rows of its look-ups, the statement computes what the formulas say."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.intent import WALKED
from graph_memory.domain.link import FAMILY, Link, LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.vocabulary import Category, Kind, UserId
from graph_memory.ports import RecallQuery
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.stores.connection import Row
from graph_memory.stores.recall import Neo4jRecallStore, named_hits
from graph_memory.testing import FixedClock, HashingEmbedder
from tests.integration.channels import with_channels
from tests.integration.graph import Graph, open_graph
from tests.integration.recall_oracle import Facts, Oracle, Raw, Section, Told, bounds, link_of, native, raw_overlap

NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
FAR = datetime(9999, 12, 31, tzinfo=UTC)
EXACT = 1e-5
_NO_RANK = ("subject", "fused", "lift", "linked")
WORDS = "anchor boat compass deck engine flag galley hull island jetty keel lantern mast net oar pier".split()
NAMES = ("Ana", "Bruno", "Dora")
WALKED_TYPES = sorted(each for each, family in FAMILY.items() if family in WALKED and each is not LinkType.NEXT)
QUESTIONS = (
    Question(query="Why is the boat at the pier?", k=10),
    Question(query="When did Ana mend the net and the oar on 2 May 2031?", k=7),
    Question(query="Who has the lantern and the compass of the galley?", k=20, include_hidden=True),
    Question(query="anchor hull", k=5, buckets=("work",)),
    Question(query="mast flag jetty", k=12, buckets=("default", "work"), categories=(Category.OTHER,)),
    Question(query="How did Bruno feel about the island?", k=10, session_id="s-1", general=False),
    Question(query="deck engine keel", k=8, kinds=(Kind.EPISODIC,), include_superseded=True, tags=("sea",)),
)

_WITHIN = """
WHERE m.user_id = $user_id AND m.visible_until > $visible_after AND m.expired_at > $expired_after
  AND m.invalid_at > $invalid_after AND m.superseded_at > $superseded_after AND m.created_at <= $created_until
  AND m.search_tier_at > $touched_after AND m.bucket >= $bucket_from AND m.bucket <= $bucket_until
  AND m.lane IN $lanes AND m.kind IN $kinds AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_until
"""
_NEAREST = f"""
MATCH (m:Memory) SEARCH m IN (VECTOR INDEX {{index}} FOR $vector {_WITHIN} LIMIT $pool) SCORE AS score
RETURN m.id AS id, score
"""
_BY_WORDS = """
CALL db.index.fulltext.queryNodes('memory_text_fulltext', $text_query, {limit: $most}) YIELD node, score
RETURN node.id AS id, score
"""
_FRESH = """
CALL () {
    MATCH (m:Memory) WHERE m.user_id = $user_id AND m.anchor_at <= $at
    RETURN m.id AS id ORDER BY m.anchor_at DESC LIMIT $signal_pool
  UNION
    MATCH (m:Memory) WHERE m.user_id = $user_id AND m.access_count > 0
    RETURN m.id AS id ORDER BY m.access_count DESC LIMIT $signal_pool
}
RETURN id
"""
_EXACT = f"MATCH (m:Memory) {_WITHIN} AND m.embedding IS NOT NULL RETURN m.id AS id, m.embedding AS vector"
_FACTS = "MATCH (m:Memory {user_id: $user_id}) RETURN m {.*, embedding: null, context_embedding: null} AS facts"
_LINKS = """
MATCH (a:Memory {user_id: $user_id})-[r]->(b:Memory {user_id: $user_id})
RETURN type(r) AS type, a.id AS source, b.id AS target, r.weight AS weight, r.source AS origin,
       coalesce(r.discovered, false) AS discovered
"""
_CHANGE = "UNWIND $rows AS row MATCH (m:Memory {user_id: $user_id, id: row.id}) SET m += row.facts"
_LINK = """
UNWIND $rows AS row
MATCH (a:Memory {user_id: $user_id, id: row.source}), (b:Memory {user_id: $user_id, id: row.target})
CREATE (a)-[r:$(row.type) {user_id: $user_id, weight: row.weight, uses: 0}]->(b)
SET r.source = row.origin, r.discovered = row.discovered
"""
_DISTIL = """
UNWIND $rows AS row
MATCH (s:Memory {user_id: $user_id, id: row.id})
SET s.text = row.text
WITH s, row
UNWIND row.sources AS source
MATCH (m:Memory {user_id: $user_id, id: source})
SET m.consolidated_at = datetime()
CREATE (s)-[:DISTILLED_FROM {user_id: $user_id, weight: 0.9, uses: 0, source: 'rule'}]->(m)
"""


@dataclass(frozen=True, slots=True)
class Life:
    """A user's memories and links as they are stored."""

    user: UserId
    facts: Facts
    links: Sequence[Link]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """One event loop for every example, since opening the product takes longer than a life."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture(scope="module")
def services(migrated_settings: Settings, runner: asyncio.Runner, clock: FixedClock) -> Iterator[Services]:
    opened = open_services(
        with_channels(migrated_settings, context_vector=1.0), embedder=HashingEmbedder(), clock=clock
    )
    yield runner.run(opened.__aenter__())
    runner.run(opened.__aexit__(None, None, None))


@pytest.fixture(scope="module")
def graph(migrated_settings: Settings, runner: asyncio.Runner) -> Iterator[Graph]:
    opened = open_graph(migrated_settings)
    yield runner.run(opened.__aenter__())
    runner.run(opened.__aexit__(None, None, None))


@hypothesis.settings(max_examples=4, deadline=None, derandomize=True, phases=[hypothesis.Phase.generate])
@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([200, 120, 40]))
def test_an_answer_is_what_the_formulas_make_of_the_raw_rows(
    runner: asyncio.Runner, services: Services, clock: FixedClock, graph: Graph, seed: int, size: int
):
    async def asked() -> None:
        life = await _lived(services, clock, graph, np.random.default_rng(seed), size)
        overlaps = [
            await _expect(_all_on(services.settings, ranking), services, graph, life, question)
            for ranking in ("learned", "rrf")
            for question in QUESTIONS
        ]
        assert np.mean(overlaps) >= 0.98

    runner.run(asked())


def _all_on(settings: Settings, ranking: str) -> Settings:
    """Settings in which every channel, feature and factor counts, and the indexes give but a part of what there is."""
    recall = settings.recall
    return replace(
        settings,
        recall=replace(
            recall,
            ranking=ranking,
            pool=40,
            depth=12,
            context_depth=11,
            text_pool=12,
            context_text_pool=10,
            candidates=20,
            candidates_for_each=1,
            filtered_pool=40,
            signal_pool=15,
            rif_cosine=0.2,
            spread_floor=0.02,
            floor_weights={**recall.floor_weights, "entity": 1.0, "semantic": 1.0, "temporal": 0.5},
            channel_weights={**recall.channel_weights, "signal": 0.5},
            feature_weights={**recall.feature_weights, "signal": 0.7},
            most_words=6,
        ),
    )


async def _lived(services: Services, clock: FixedClock, graph: Graph, rng: np.random.Generator, size: int) -> Life:
    """Memories through the product; then uses, ends and links that years would bring, by hand."""
    clock.set(NOON - timedelta(hours=1))
    user = UserId(f"oracle-{uuid4().hex[:12]}")
    written = await services.remember.many(user, [_draft(rng, number) for number in range(size)])
    ids = [result.memory.id for result in written.results if result.memory]
    assert len(ids) == size
    clock.set(NOON)
    while await services.enrich():  # what the texts around give, and the persons
        pass
    changed = [{"id": memory_id, "facts": _facts(rng, number)} for number, memory_id in enumerate(ids)]
    await graph.run(_CHANGE, user_id=user, rows=changed)
    await graph.run(_LINK, user_id=user, rows=_links(rng, ids))
    await graph.run(_DISTIL, user_id=user, rows=_distilled(rng, [result.memory for result in written.results]))
    facts = {
        row["facts"]["id"]: {name: native(value) for name, value in row["facts"].items()}
        for row in await graph.run(_FACTS, user_id=user)
    }
    links = [link_of(row, NOON) for row in await graph.run(_LINKS, user_id=user)]
    return Life(user, facts, links)


def _draft(rng: np.random.Generator, number: int) -> MemoryDraft:
    chance = rng.random(6)
    text = " ".join(rng.choice(WORDS, size=rng.integers(2, 9)))
    return MemoryDraft(
        text=f"{text} {number}{'?' if chance[0] < 0.2 else ''}",
        kind=Kind.EPISODIC if chance[1] < 0.7 else Kind.SEMANTIC,
        bucket=str(rng.choice(["default", "work", "general"], p=[0.5, 0.3, 0.2])),
        category=Category.OTHER if chance[2] < 0.7 else Category.PREFERENCE,
        speaker=str(rng.choice(NAMES)) if chance[3] < 0.6 else None,
        session_id=f"s-{rng.integers(0, 6)}" if chance[4] < 0.6 else None,
        tags=("sea",) if chance[5] < 0.5 else (),
        occurred_at=NOON - timedelta(minutes=int(rng.integers(0, 60_000))),
        curate=False,
    )


def _facts(rng: np.random.Generator, number: int) -> dict[str, Any]:
    """What use and time made of a memory; no two were used last at one instant, or equally often."""
    chance, past = rng.random(6), NOON - timedelta(days=1)
    stamps = sorted(NOON - timedelta(seconds=int(age)) for age in rng.integers(0, 10**7, size=rng.integers(1, 5)))
    return {
        "access_stamps": stamps,
        "anchor_at": stamps[-1] + timedelta(microseconds=number),
        "access_count": number if chance[0] < 0.5 else 0,
        "activation_decay": float(rng.uniform(0.3, 0.5)),
        "encoding_factor": float(rng.uniform(1.0, 1.5)),
        "arousal": float(rng.random()) if chance[1] < 0.5 else 0.0,
        "confidence": float(rng.random()),
        "visible_until": past if chance[2] < 0.05 else FAR,
        "superseded_at": past if chance[3] < 0.05 else FAR,
        "archive_at": past if chance[4] < 0.1 else FAR,
        "date_texts": ["last Thursday"] if chance[5] < 0.2 else [],
        "date_first_days": [date(2031, 4, 24)] if chance[5] < 0.2 else [],
        "date_last_days": [date(2031, 4, 24)] if chance[5] < 0.2 else [],
        "name_count": int(rng.integers(0, 5)),
        "heading_key": str(rng.choice(WORDS)) if chance[5] > 0.8 else None,
    }


def _links(rng: np.random.Generator, ids: Sequence[str]) -> list[dict[str, Any]]:
    """Links of every walked type, weak ones too; a few memories have many."""
    popular = 1.0 / np.sqrt(np.arange(1, len(ids) + 1))
    made = {}
    for _ in range(2 * len(ids)):
        source, target = rng.choice(len(ids), size=2, replace=False, p=popular / popular.sum())
        made[str(rng.choice(WALKED_TYPES)), ids[source], ids[target]] = float(rng.beta(2.0, 1.0))
    return [
        {
            "type": link_type,
            "source": source,
            "target": target,
            "weight": weight,
            "origin": str(rng.choice(["rule", "model", "user"])),
            "discovered": bool(rng.random() < 0.5) or None,
        }
        for (link_type, source, target), weight in made.items()
    ]


def _distilled(rng: np.random.Generator, memories: Sequence[Memory | None]) -> list[dict[str, Any]]:
    """Statements with the episodes that they were drawn from; half of them have the words of one."""
    turns = [each for each in memories if each and each.kind is Kind.EPISODIC]
    rows = []
    for statement in [each for each in memories if each and each.kind is Kind.SEMANTIC][::2]:
        sources = [turns[place] for place in rng.choice(len(turns), size=3, replace=False)]
        text = sources[0].text if rng.random() < 0.5 else statement.text
        rows.append({"id": statement.id, "text": text, "sources": [each.id for each in sources]})
    return rows


async def _expect(settings: Settings, services: Services, graph: Graph, life: Life, question: Question) -> float:
    """Holds the statement against the oracle; gives how much of the exact nearest the vector index found.

    Word statistics are those of the whole index and move while it merges, so the raw rows are read before and after.
    """
    query = replace(await services.recall.analysed(life.user, question), entity_keys=("lantern", "boat"))
    params = Neo4jRecallStore(services.connection, settings).params(life.user, query, at=NOON)
    after = [await _raw(graph, params, scope) for scope in params["scopes"]]
    raws: list[Raw] = []
    found: Sequence[Row] = []
    while raws != after:
        raws, found = after, await services.connection.run("recall/recall", **params)
        after = [await _raw(graph, params, scope) for scope in params["scopes"]]
    oracle = Oracle(settings, params, life.facts, life.links, query.intent)

    sections, rows = oracle.answer(raws), named_hits(found[0]) if found else []
    for overlay, section in zip((False, True), [*sections, Section((), ())], strict=False):
        _same([row for row in rows if row["overlay"] is overlay], section, query)
    if found and sections[0].hits:
        assert sorted(found[0]["losers"]) == sorted(sections[0].losers)
    return await _overlap(graph, params, raws[0])


def _same(rows: Sequence[Row], section: Section, query: RecallQuery) -> None:
    assert len(rows) == len(section.hits), query
    expected = {hit.id: hit for hit in section.hits}
    for row, hit in zip(rows, section.hits, strict=True):
        assert row["score"] == pytest.approx(hit.score, abs=EXACT), (
            query
        )  # place by place, so the order holds but for ties
        told = expected.get(row["memory"]["id"])
        if told is None:  # equal to the last that the oracle kept
            assert row["score"] == pytest.approx(section.hits[-1].score, abs=EXACT), query
        else:
            _same_row(row, told)


def _same_row(row: Row, told: Told) -> None:
    ranks = {name: rank for name, rank in row["ranks"].items() if name not in _NO_RANK and rank}
    assert row["score"] == pytest.approx(told.score, abs=EXACT)
    assert ranks == dict(told.ranks)
    assert row["cosine"] == pytest.approx(told.cosine, abs=EXACT)
    assert row["activation"] == pytest.approx(told.activation, abs=EXACT)
    assert row["sequence"] == pytest.approx(told.sequence, abs=EXACT)
    assert row["ranks"]["lift"] == pytest.approx(told.lift, abs=EXACT)
    assert row["ranks"]["fused"] == pytest.approx(told.fused, abs=EXACT)
    if told.features is None:
        assert row["features"] is None
    else:
        assert row["features"] == pytest.approx(dict(told.features), abs=EXACT)
    if told.activation:
        assert row["path"][-1]["activation"] == pytest.approx(told.activation, abs=EXACT)


async def _raw(graph: Graph, params: Mapping[str, Any], scope: Mapping[str, Any]) -> Raw:
    """What the look-ups of one scope give, each asked alone."""
    asked = {**params, **scope, **bounds(params)}

    async def scores(statement: str, **more: Any) -> dict[str, float]:
        return {row["id"]: row["score"] for row in await graph.run(statement, **{**asked, **more})}

    return Raw(
        semantic=await scores(_NEAREST.format(index="memory_embedding_vector")),
        context_vector=await scores(_NEAREST.format(index="memory_context_embedding_vector")),
        lexical=await scores(_BY_WORDS, text_query=scope["text_query"], most=params["text_pool"]),
        context=await scores(_BY_WORDS, text_query=scope["context_query"], most=params["context_text_pool"]),
        fresh=frozenset(row["id"] for row in await graph.run(_FRESH, **asked)),
    )


async def _overlap(graph: Graph, params: Mapping[str, Any], raw: Raw) -> float:
    asked = {**params, **params["scopes"][0], **bounds(params)}
    vectors = {row["id"]: row["vector"] for row in await graph.run(_EXACT, **asked)}
    return raw_overlap(raw.semantic, vectors, params["vector"].to_native(), pool=params["pool"])

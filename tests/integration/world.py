"""A user with something of everything, a stranger with nothing, and a neighbour with one memory."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import uuid4

from graph_memory.bootstrap import open_services
from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.episode import TurnDraft
from graph_memory.domain.identity import text_hash
from graph_memory.domain.link import LinkType
from graph_memory.domain.memory import Memory
from graph_memory.domain.names import NameKind
from graph_memory.domain.sleep import Beat
from graph_memory.domain.vocabulary import Horizon, Kind, UserId
from graph_memory.services.meet import MentionDraft
from graph_memory.services.recall import Question
from graph_memory.settings import EnrichmentSettings, Settings
from graph_memory.testing import HashingEmbedder
from tests.integration.graph import open_graph

# What later parts will fill, so that no query may reach it even now.
_FURTHER_LABELS = (
    "Version",
    "Evidence",
    "Communication",
    "Judgement",
    "Note",
    "ApiKey",
)

# A memory that was replaced, contradicted, reworded and drawn from, and a decision that took its place.
_HISTORY = """
MATCH (m:Memory {id: $memory}), (d:Memory {id: $linked}), (p:Person {id: $person})
SET d:Decision, d.kind = 'decision', d.domain = 'Work', d.domain_key = 'work', d.topic_key = 'desk',
    d.head_key = 'general\\u001fdesk', d.outcome = 'pending', d.parked_at = d.created_at
CREATE (m)-[:SUPERSEDED_BY {user_id: $user, created_at: m.created_at, expired_at: datetime('9999-12-31T00:00Z')}]->(d)
CREATE (d)-[:CONTRADICTS {user_id: $user, created_at: m.created_at}]->(m)
CREATE (m)-[:HAS_VERSION {user_id: $user}]->(:Version {user_id: $user, id: 'ver-' + $user, text: 'earlier'})
CREATE (:ModelUsage {user_id: $user, id: 'use-' + $user, day: datetime('2031-05-01T00:00Z'), question: 'distil',
  calls: 2, failures: 1, input_tokens: 30, output_tokens: 4, cache_read_tokens: 5, cache_write_tokens: 6, cost: 0.1})
CREATE (p)-[:HAS_EVIDENCE {user_id: $user}]->(e:Evidence {user_id: $user, id: 'evi-' + $user})
CREATE (e)-[:DRAWN_FROM {user_id: $user}]->(m)
WITH m
MATCH (t:Turn {id: $turn})
CREATE (m)-[:MENTIONED_IN {user_id: $user, weight: 1.0}]->(t)
SET t.memory_due_at = t.occurred_at, t.extract_parked_at = t.occurred_at
WITH m
MATCH (d:Memory {id: $linked})
SET d.source = 'extracted'
CREATE (d)-[:DISTILLED_FROM {user_id: $user, weight: 1.0}]->(m)
WITH m, d
MATCH (j:Judgement {id: 'Judgement-' + $user}), (u:User {user_id: $user})
SET j.pair_key = 'audit ' + $memory, j.text_hashes = ['hash'], j.verdict = 'same', u.reflected_on = 'key'
CREATE (j)-[:DRAWN_FROM {user_id: $user}]->(m)
CREATE (j)-[:DRAWN_FROM {user_id: $user}]->(d)
"""

_CHAT_AT = datetime(2026, 1, 5, 9, tzinfo=UTC)
_LEFT_AT = datetime(2026, 1, 6, 9, tzinfo=UTC)  # long ago, so that the open episode is due
_TURN_KEY = "boat-1"
# A memory that is planned to be distilled and was distilled before, its statement, whose sources fade, and a schema.
_SLEEP = """
MATCH (m:Memory {id: $memory}), (d:Memory {id: $linked})
SET m.distil_key = $key, d.cluster_key = $key, d.fade_due_at = m.created_at
CREATE (d)-[:DISTILLED_FROM {user_id: $user, cosine: 0.9, created_at: m.created_at}]->(m)
CREATE (s:Memory:Schema {user_id: $user, id: 'schema-' + $user, text: 'Ana drinks', kind: 'schema', cluster_key: $key,
                         expired_at: m.expired_at, invalid_at: m.expired_at, superseded_at: m.expired_at})
CREATE (s)-[:ABSTRACTS {user_id: $user, cosine: 0.9, created_at: m.created_at}]->(d)
CREATE (x:Memory:Semantic {user_id: $user, id: 'drawn-' + $user, text: 'Ana', kind: 'semantic', source: 'extracted',
                           pinned: false, expired_at: m.expired_at, invalid_at: m.expired_at,
                           superseded_at: m.expired_at})
CREATE (x)-[:DISTILLED_FROM {user_id: $user, weight: 1.0}]->(m)
WITH m
MATCH (e:Episode {id: $episode})
CREATE (i:Memory:Semantic {user_id: $user, id: 'insight-' + $user, text: 'Ana', kind: 'semantic',
                           source: 'consolidated', pinned: false, expired_at: m.expired_at, invalid_at: m.expired_at,
                           superseded_at: m.expired_at})
CREATE (i)-[:MENTIONED_IN {user_id: $user, weight: 1.0, source: 'rule'}]->(e)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Whose data there is, and the parts of it that an attack would aim at."""

    owner: UserId
    stranger: UserId
    neighbour: UserId
    memory: Memory  # in the middle of its session
    text: str
    embedding: list[float]
    forgotten: Memory
    linked: Memory  # the memory leads here
    neighbours_memory: Memory
    person_id: str
    entity_id: str
    receipt_id: str
    run_id: str
    snapshot_id: str
    episode_id: str  # recorded; another one is open
    turn_id: str
    turn_key: str
    merge_id: str
    erased_hash: str
    cluster_key: str


async def build(settings: Settings) -> World:
    """Writes a world through the product, and by hand what the product does not write yet."""
    embedder = HashingEmbedder()
    owner, neighbour = UserId(f"owner-{uuid4().hex[:12]}"), UserId(f"neighbour-{uuid4().hex[:12]}")
    settings = replace(settings, enrichment=EnrichmentSettings(enabled=False))
    async with open_services(settings, embedder=embedder) as services:
        texts = ["Ana keeps the oak desk in Porto.", "Bruno painted the boat blue.", "Ana sold the boat to Dora."]
        turns = [
            (
                await services.remember(owner, MemoryDraft(text=text, speaker="Ana", session_id="s-1", tags=("work",)))
            ).memory
            for text in texts
        ]
        fact = (
            await services.remember(owner, MemoryDraft(text="Ana likes tea.", kind=Kind.SEMANTIC, people=("Ana",)))
        ).memory
        for text, horizon in (("Ana rows on Sundays.", Horizon.LONG), ("Ana may move to Faro.", Horizon.MEDIUM)):
            await services.remember(owner, MemoryDraft(text=text, kind=Kind.SEMANTIC, horizon=horizon))
        forgotten = (await services.remember(owner, MemoryDraft(text="The lamp is in the cellar."))).memory
        erased = (await services.remember(owner, MemoryDraft(text="The code is 4711."))).memory
        beside = (
            await services.remember(neighbour, MemoryDraft(text="Ana keeps an oak desk too.", speaker="Ana"))
        ).memory
        chat = await services.episodes.start(owner, at=_CHAT_AT)
        await services.episodes.add_turns(
            owner,
            chat.id,
            [
                TurnDraft(role="user", content="Ana painted the boat and the desk.", idempotency_key=_TURN_KEY),
                TurnDraft(role="assistant", content="Ana did?"),
            ],
        )
        await services.episodes.end(owner, chat.id)
        said = await services.find_episodes.turns(owner, chat.id, first=1, after=None)
        assert all((turns[0], turns[1], fact, forgotten, erased, beside))
        while await services.enrich():
            pass
        ana = await services.meet.mention(owner, MentionDraft(person="Ana", sentiment=0.5, memory_id=turns[1].id))
        dora = await services.meet.mention(owner, MentionDraft(person="Dora Prado"))
        ana = await services.merge_people.merge(owner, ana.person.id, dora.person.id)
        await services.links.link(owner, LinkType.LEADS_TO, turns[1].id, fact.id, weight=0.7, reason="so she said")
        await services.amend.forget(owner, forgotten.id)
        await services.amend.erase(owner, erased.id)
        answer = await services.recall(owner, Question(query="Where is the oak desk?"))
        run = await services.sleep(owner, Beat.CYCLE)
        snapshots = await services.priorities(owner, first=1, after=None)
        await services.episodes.say(owner, [TurnDraft(role="user", content="Where is the desk?", at=_LEFT_AT)])
        people = await services.inspect.find_names(owner, NameKind.PERSON, search=None, first=10, after=None)
        entities = await services.inspect.find_names(owner, NameKind.ENTITY, search=None, first=10, after=None)
    async with open_graph(settings) as graph:
        for label in _FURTHER_LABELS:
            await graph.run(f"CREATE (:{label} {{user_id: $user_id, id: $id}})", user_id=owner, id=f"{label}-{owner}")
        cluster_key = f"cluster-{owner}"
        await graph.run(_SLEEP, user=owner, memory=turns[1].id, linked=fact.id, key=cluster_key, episode=chat.id)
        await graph.run(
            _HISTORY,
            user=owner,
            memory=turns[1].id,
            linked=fact.id,
            person=people.items[0].id,
            turn=said.items[0].id,
        )
    [vector] = await embedder.embed_passages([turns[1].text])
    return World(
        owner=owner,
        stranger=UserId(f"stranger-{uuid4().hex[:12]}"),
        neighbour=neighbour,
        memory=turns[1],
        text=turns[1].text,
        embedding=vector.tolist(),
        forgotten=forgotten,
        linked=fact,
        neighbours_memory=beside,
        person_id=people.items[0].id,
        entity_id=entities.items[0].id,
        receipt_id=answer.receipt_id,
        run_id=run.id,
        snapshot_id=snapshots.items[0].id,
        episode_id=chat.id,
        turn_id=said.items[0].id,
        turn_key=_TURN_KEY,
        merge_id=ana.person.last_merge_id or "",
        erased_hash=text_hash(owner, erased.text),
        cluster_key=cluster_key,
    )

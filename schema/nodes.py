"""The graph as an object mapper sees it: every label with its properties, and what it is linked to.

For people who like an object mapper, and for reading ad hoc. The product itself reads and writes through the query
files alone, and the constraints and indexes are those of `shape.cypher`: neomodel cannot say which properties are
unique or indexed together, so here only what stands alone is marked. A test holds the two equal. The mapper keeps the
names `id` and `source` for itself: they are `identifier` and `origin` here, and stored under their own names.
"""

from neomodel import (
    ArrayProperty,
    BooleanProperty,
    DateTimeNeo4jFormatProperty,
    FloatProperty,
    IntegerProperty,
    One,
    RelationshipFrom,
    RelationshipTo,
    StringProperty,
    StructuredNode,
    StructuredRel,
    ZeroOrOne,
)


class Link(StructuredRel):
    """A link between two remembered things of one user."""

    user_id = StringProperty(required=True)
    weight = FloatProperty()
    confidence = FloatProperty()
    origin = StringProperty(db_property="source")  # rule, model or user
    reason = StringProperty()
    uses = IntegerProperty()
    created_at = DateTimeNeo4jFormatProperty()
    last_used_at = DateTimeNeo4jFormatProperty()
    discovered = BooleanProperty()  # by link discovery, not by what a text names


class Derivation(Link):
    """What a memory was drawn from."""

    cosine = FloatProperty()  # of the source to the centroid of all
    faded_at = DateTimeNeo4jFormatProperty()  # unset: the source is still to fade for it


class Succession(Link):
    """What took a memory's place, for as long as it did."""

    expired_at = DateTimeNeo4jFormatProperty()


class Structure(StructuredRel):
    """A relationship that belongs to the bookkeeping."""

    user_id = StringProperty(required=True)


class User(StructuredNode):
    """Whose memory it is."""

    user_id = StringProperty(required=True, unique_index=True)
    time_zone = StringProperty()
    tier_profile = StringProperty()
    ordered_by_hand = BooleanProperty()  # some link made by hand says what came before what
    created_at = DateTimeNeo4jFormatProperty()
    cycle_due_at = DateTimeNeo4jFormatProperty(index=True)
    housekeeping_due_at = DateTimeNeo4jFormatProperty(index=True)
    reflected_on = StringProperty()  # of which episodes insights were drawn last

    owns = RelationshipTo("Memory", "OWNS", model=Structure)


class Memory(StructuredNode):
    """One remembered item; each has one of the kinds below as a second label."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)

    # What it says.
    text = StringProperty(required=True)
    kind = StringProperty()
    epistemic_type = StringProperty()
    category = StringProperty()
    horizon = StringProperty()
    source = StringProperty()
    confirmed = BooleanProperty()
    confidence = FloatProperty()
    speaker = StringProperty()
    people = ArrayProperty(StringProperty())
    named_ids = ArrayProperty(StringProperty())
    entities = ArrayProperty(StringProperty())
    subject_keys = ArrayProperty(StringProperty())
    date_texts = ArrayProperty(StringProperty())
    date_first_days = ArrayProperty(StringProperty())
    date_last_days = ArrayProperty(StringProperty())
    dates_told_at = StringProperty()

    # Where it belongs.
    bucket = StringProperty()
    lane = StringProperty()
    general = BooleanProperty()
    session_id = StringProperty()
    position = StringProperty()  # its place in the session, sorting as text
    agent_id = StringProperty()
    external_id = StringProperty()
    tags = ArrayProperty(StringProperty())
    metadata = StringProperty()  # JSON

    # When it holds; an open end is the far future.
    occurred_at = DateTimeNeo4jFormatProperty()
    valid_at = DateTimeNeo4jFormatProperty()
    invalid_at = DateTimeNeo4jFormatProperty()
    invalidated_at = DateTimeNeo4jFormatProperty()
    created_at = DateTimeNeo4jFormatProperty()
    expired_at = DateTimeNeo4jFormatProperty()
    superseded_at = DateTimeNeo4jFormatProperty()
    past_valid_at = ArrayProperty(DateTimeNeo4jFormatProperty())
    past_invalid_at = ArrayProperty(DateTimeNeo4jFormatProperty())
    past_invalidated_at = ArrayProperty(DateTimeNeo4jFormatProperty())
    past_expired_at = ArrayProperty(DateTimeNeo4jFormatProperty())
    past_restored_at = ArrayProperty(DateTimeNeo4jFormatProperty())

    # How strong and how ready it is.
    pinned = BooleanProperty()
    base_strength = FloatProperty()
    anchor_at = DateTimeNeo4jFormatProperty()
    spaced_access_count = IntegerProperty()
    visible_until = DateTimeNeo4jFormatProperty()
    access_stamps = ArrayProperty(DateTimeNeo4jFormatProperty())
    access_count = IntegerProperty()
    first_access_at = DateTimeNeo4jFormatProperty()
    last_accessed_at = DateTimeNeo4jFormatProperty()
    last_suppressed_at = DateTimeNeo4jFormatProperty()
    encoding_factor = FloatProperty()
    activation_decay = FloatProperty()
    state = StringProperty()
    dream_at = DateTimeNeo4jFormatProperty()
    forgotten_at = DateTimeNeo4jFormatProperty()
    archive_at = DateTimeNeo4jFormatProperty()
    dates_by = StringProperty(index=True)  # the settings that the stored dates follow from
    touched_at = DateTimeNeo4jFormatProperty()
    search_tier_at = DateTimeNeo4jFormatProperty()
    labile_since = DateTimeNeo4jFormatProperty()
    labile_until = DateTimeNeo4jFormatProperty()
    refined_at = DateTimeNeo4jFormatProperty()
    occurrences = IntegerProperty()
    session_count = IntegerProperty()
    first_observed_at = DateTimeNeo4jFormatProperty()
    last_reinforced_at = DateTimeNeo4jFormatProperty()
    emotions = ArrayProperty(FloatProperty())
    arousal = FloatProperty()
    valence = FloatProperty()

    # What makes it the same one again.
    content_hash = StringProperty()
    current_key = StringProperty()
    text_hash = StringProperty()
    idempotency_key = StringProperty()

    # How it is found.
    search_text = StringProperty()
    search_scope = StringProperty()
    script_terms = StringProperty()
    context_text = StringProperty()
    context_script_terms = StringProperty()
    answers_question = BooleanProperty()
    is_question = BooleanProperty()
    word_count = IntegerProperty()
    name_count = IntegerProperty()
    heading_key = StringProperty()
    has_context = BooleanProperty()
    embedding = ArrayProperty(FloatProperty())
    context_embedding = ArrayProperty(FloatProperty())
    embedder = StringProperty(index=True)

    # What is still to be done about it.
    enrich_due_at = DateTimeNeo4jFormatProperty(index=True)
    enrich_claim = StringProperty()
    enrich_problem = StringProperty()
    enriched_at = DateTimeNeo4jFormatProperty()
    parked_at = DateTimeNeo4jFormatProperty(index=True)
    attempts = IntegerProperty()
    link_due_at = DateTimeNeo4jFormatProperty(index=True)
    link_claim = StringProperty()
    link_problem = StringProperty()
    linked_at = DateTimeNeo4jFormatProperty()
    link_parked_at = DateTimeNeo4jFormatProperty()
    link_attempts = IntegerProperty()
    consolidated_at = DateTimeNeo4jFormatProperty()
    compared = ArrayProperty(StringProperty())  # for which purpose with which text: "audit", a blank, the text's hash

    owner = RelationshipFrom("User", "OWNS", model=Structure, cardinality=One)
    versions = RelationshipTo("Version", "HAS_VERSION", model=Structure)
    changes = RelationshipTo("Change", "CHANGED", model=Structure)
    episode = RelationshipTo("Episode", "IN_EPISODE", model=Structure, cardinality=ZeroOrOne)

    next = RelationshipTo("Memory", "NEXT", model=Link, cardinality=ZeroOrOne)
    leads_to = RelationshipTo("Memory", "LEADS_TO", model=Link)
    because_of = RelationshipTo("Memory", "BECAUSE_OF", model=Link)
    enables = RelationshipTo("Memory", "ENABLES", model=Link)
    prevents = RelationshipTo("Memory", "PREVENTS", model=Link)
    precedes = RelationshipTo("Memory", "PRECEDES", model=Link)
    succeeds = RelationshipTo("Memory", "SUCCEEDS", model=Link)
    concurrent_with = RelationshipTo("Memory", "CONCURRENT_WITH", model=Link)
    refers_to_persons = RelationshipTo("Person", "REFERS_TO", model=Link)
    refers_to_entities = RelationshipTo("Entity", "REFERS_TO", model=Link)
    refers_to_memories = RelationshipTo("Memory", "REFERS_TO", model=Link)
    mentioned_in_turns = RelationshipTo("Turn", "MENTIONED_IN", model=Link)
    mentioned_in_episodes = RelationshipTo("Episode", "MENTIONED_IN", model=Link)
    shares_emotion = RelationshipTo("Memory", "SHARES_EMOTION", model=Link)
    contrasts_emotion = RelationshipTo("Memory", "CONTRASTS_EMOTION", model=Link)
    evolves_from = RelationshipTo("Memory", "EVOLVES_FROM", model=Link)
    similar_to = RelationshipTo("Memory", "SIMILAR_TO", model=Link)
    superseded_by = RelationshipTo("Memory", "SUPERSEDED_BY", model=Succession)
    contradicts = RelationshipTo("Memory", "CONTRADICTS", model=Link)


class Episodic(Memory):
    """A dated event, as it arrived."""

    distil_after = DateTimeNeo4jFormatProperty()  # until it is consolidated: when it may be distilled
    distil_key = StringProperty()  # of the cluster that it is planned to be distilled with


class Semantic(Memory):
    """A distilled fact."""

    cluster_key = StringProperty()  # of what it was distilled from
    fade_due_at = DateTimeNeo4jFormatProperty()  # while sources are still to fade for it

    distilled_from = RelationshipTo("Episodic", "DISTILLED_FROM", model=Derivation)


class Schema(Memory):
    """A pattern over facts."""

    user_id = StringProperty(required=True, index=True)  # indexed for schemas alone, too
    schema_status = StringProperty()
    cluster_key = StringProperty()  # of what it abstracts
    induced_at = DateTimeNeo4jFormatProperty()  # when it was found last in a way that counted
    missed_at = DateTimeNeo4jFormatProperty()  # since when it is not found any more
    inductions = IntegerProperty()
    same_members = IntegerProperty()  # how often with the members that it has now

    abstracts = RelationshipTo("Semantic", "ABSTRACTS", model=Derivation)


class Decision(Memory):
    """An entry of the ledger."""

    user_id = StringProperty(required=True, index=True)  # indexed for decisions alone, too
    reasoning = StringProperty()
    domain = StringProperty()
    domain_key = StringProperty()
    topic_key = StringProperty()
    head_key = StringProperty()  # only while it is the head of its topic
    outcome = StringProperty()
    status = StringProperty()
    decided_at = DateTimeNeo4jFormatProperty()


class Person(StructuredNode):
    """Somebody whom memories name."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    name = StringProperty(required=True)
    name_key = StringProperty(required=True)
    aliases = ArrayProperty(StringProperty())
    alias_keys = ArrayProperty(StringProperty())
    pinned = BooleanProperty()
    edited_by_hand = BooleanProperty()
    created_at = DateTimeNeo4jFormatProperty()
    touched_at = DateTimeNeo4jFormatProperty()
    last_accessed_at = DateTimeNeo4jFormatProperty()
    last_mentioned_at = DateTimeNeo4jFormatProperty()

    mentioned_in = RelationshipTo("Memory", "MENTIONED_IN", model=Link)
    related_to = RelationshipTo("Person", "RELATED_TO", model=Link)
    evidence = RelationshipTo("Evidence", "HAS_EVIDENCE", model=Structure)
    communications = RelationshipTo("Communication", "HAS_COMMUNICATION", model=Structure)


class Entity(StructuredNode):
    """A thing, place or organisation that memories name."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    name = StringProperty(required=True)
    name_key = StringProperty(required=True)
    aliases = ArrayProperty(StringProperty())
    alias_keys = ArrayProperty(StringProperty())
    pinned = BooleanProperty()
    edited_by_hand = BooleanProperty()
    created_at = DateTimeNeo4jFormatProperty()
    touched_at = DateTimeNeo4jFormatProperty()
    last_accessed_at = DateTimeNeo4jFormatProperty()
    last_mentioned_at = DateTimeNeo4jFormatProperty()

    mentioned_in = RelationshipTo("Memory", "MENTIONED_IN", model=Link)


class Episode(StructuredNode):
    """One chat session, summed up."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    started_at = DateTimeNeo4jFormatProperty()
    ended_at = DateTimeNeo4jFormatProperty()
    last_turn_at = DateTimeNeo4jFormatProperty()
    turn_count = IntegerProperty()
    due_at = DateTimeNeo4jFormatProperty(index=True)  # when it is to be ended or settled; none: it is settled

    # What it was about; none of it while it is open, or when it was too short.
    summary = StringProperty()
    topics = ArrayProperty(StringProperty())
    emotional_tone = StringProperty()
    key_decisions = ArrayProperty(StringProperty())
    importance = FloatProperty()

    # What it showed of the relationship.
    analysed = BooleanProperty()
    inside_jokes = ArrayProperty(StringProperty())
    shared_references = ArrayProperty(StringProperty())
    note_traits = ArrayProperty(StringProperty())
    note_values = ArrayProperty(StringProperty())
    mood = StringProperty()

    # How it is found.
    search_text = StringProperty()
    search_scope = StringProperty()
    script_terms = StringProperty()

    turns = RelationshipTo("Turn", "HAS_TURN", model=Structure)
    next = RelationshipTo("Episode", "NEXT", model=Link, cardinality=ZeroOrOne)


class Turn(StructuredNode):
    """One utterance of the short-term buffer."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    episode_id = StringProperty()
    role = StringProperty()
    text = StringProperty()
    speaker = StringProperty()
    occurred_at = DateTimeNeo4jFormatProperty()
    idempotency_key = StringProperty()
    memory_due_at = DateTimeNeo4jFormatProperty(index=True)  # since when a memory is to be made of it; none: it is made
    extract_due_at = DateTimeNeo4jFormatProperty(index=True)  # when it is to be drawn from; none: it was, or is parked
    extract_claim = StringProperty()
    extract_attempts = IntegerProperty()
    extract_problem = StringProperty()
    extract_drawn = StringProperty()  # JSON: what was drawn and is not written yet
    extract_parked_at = DateTimeNeo4jFormatProperty()
    extracted_at = DateTimeNeo4jFormatProperty()
    search_scope = StringProperty()
    script_terms = StringProperty()

    next = RelationshipTo("Turn", "NEXT", model=Link, cardinality=ZeroOrOne)


class Version(StructuredNode):
    """An earlier text of a memory."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    text = StringProperty()


class Change(StructuredNode):
    """One row of the audit trail; only ever added."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    target_id = StringProperty(index=True)
    at = DateTimeNeo4jFormatProperty()
    action = StringProperty()
    field = StringProperty()
    before = StringProperty()  # JSON
    after = StringProperty()  # JSON
    delta = FloatProperty()
    arousal = FloatProperty()
    reason = StringProperty()
    actor = StringProperty()


class PrioritySnapshot(StructuredNode):
    """What mattered to a user at a time."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    at = DateTimeNeo4jFormatProperty()
    topics = ArrayProperty(StringProperty())  # the weightiest first
    weights = ArrayProperty(FloatProperty())  # theirs, in the same order; of sum 1
    similarity = FloatProperty()
    drift = StringProperty()
    too_early = BooleanProperty()
    compared_with = StringProperty()  # the id of the snapshot that it was compared with
    decision_ids = ArrayProperty(StringProperty())  # the decisions that make a drift a pivot


class Tombstone(StructuredNode):
    """What was erased and is not to be learnt again: a hash, never a text."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    text_hash = StringProperty(required=True)
    at = DateTimeNeo4jFormatProperty()
    reason = StringProperty()


class Lease(StructuredNode):
    """Who runs a job, and until when unless it is renewed."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    holder = StringProperty()
    until = DateTimeNeo4jFormatProperty()


class Receipt(StructuredNode):
    """What an answer held, for feedback on it."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    at = DateTimeNeo4jFormatProperty()
    expires_at = DateTimeNeo4jFormatProperty(index=True)
    hit_ids = ArrayProperty(StringProperty())
    scores = ArrayProperty(FloatProperty())
    link_ids = ArrayProperty(StringProperty())
    used_ids = ArrayProperty(StringProperty())
    misleading_ids = ArrayProperty(StringProperty())
    applied = BooleanProperty()


class Run(StructuredNode):
    """The report of one run of background work."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    beat = StringProperty()
    status = StringProperty()
    at = DateTimeNeo4jFormatProperty()  # the instant that it worked for
    started_at = DateTimeNeo4jFormatProperty()
    finished_at = DateTimeNeo4jFormatProperty()
    alive_until = DateTimeNeo4jFormatProperty()  # while it runs: dead unless it shows life
    dry_run = BooleanProperty()
    progress = FloatProperty()
    revision = IntegerProperty()
    promoted = IntegerProperty()
    merged = IntegerProperty()
    distilled = IntegerProperty()
    faded = IntegerProperty()
    schemas = IntegerProperty()
    insights = IntegerProperty()
    contradictions = IntegerProperty()
    links = IntegerProperty()
    states_changed = IntegerProperty()
    pruned = IntegerProperty()
    plan = StringProperty()  # JSON
    notes = ArrayProperty(StringProperty())
    statistics = StringProperty()  # JSON
    estimate = StringProperty()  # JSON


class ModelUsage(StructuredNode):
    """What one user asked one language model in one question on one day, and what it used."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    day = DateTimeNeo4jFormatProperty(index=True)  # its first instant, UTC
    question = StringProperty()
    model = StringProperty()
    calls = IntegerProperty()
    failures = IntegerProperty()
    input_tokens = IntegerProperty()
    output_tokens = IntegerProperty()
    cache_read_tokens = IntegerProperty()
    cache_write_tokens = IntegerProperty()
    cost = FloatProperty()  # in dollars


class Evidence(StructuredNode):
    """What a judgement of a person rests on."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)

    drawn_from = RelationshipTo("Memory", "DRAWN_FROM", model=Structure)


class Communication(StructuredNode):
    """One contact with a person."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)

    drawn_from = RelationshipTo("Memory", "DRAWN_FROM", model=Structure)


class Judgement(StructuredNode):
    """What was concluded of two memories, so that they are not compared again."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)
    pair_key = StringProperty()  # for which purpose, and the ids in order
    text_hashes = ArrayProperty(StringProperty())  # of what was judged, in the order of the ids
    verdict = StringProperty()
    judged_by = StringProperty()  # rules, or the model's name
    at = DateTimeNeo4jFormatProperty()

    drawn_from = RelationshipTo("Memory", "DRAWN_FROM", model=Structure)


class Relationship(StructuredNode):
    """How the user and the agent stand; one a user. It follows from the recorded episodes."""

    user_id = StringProperty(required=True, unique_index=True)
    time_zone = StringProperty()  # whose days and hours are counted
    sessions = IntegerProperty()
    minutes = FloatProperty()
    first_at = DateTimeNeo4jFormatProperty()
    last_at = DateTimeNeo4jFormatProperty()
    latest_start_at = DateTimeNeo4jFormatProperty()
    last_day = StringProperty()
    streak_days = IntegerProperty()
    longest_streak_days = IntegerProperty()
    start_hours = ArrayProperty(IntegerProperty())
    topics = ArrayProperty(StringProperty())
    topic_counts = ArrayProperty(IntegerProperty())
    inside_jokes = ArrayProperty(StringProperty())
    shared_references = ArrayProperty(StringProperty())
    reference_counts = ArrayProperty(IntegerProperty())
    reference_contexts = ArrayProperty(StringProperty())
    note_traits = ArrayProperty(StringProperty())
    note_values = ArrayProperty(StringProperty())
    note_confidences = ArrayProperty(FloatProperty())
    mood = StringProperty()


class Note(StructuredNode):
    """A note of the vault."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)


class ApiKey(StructuredNode):
    """A key to the API, hashed."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    user_id = StringProperty(required=True, index=True)


class Graph(StructuredNode):
    """The one node that says which embedder the vectors are of."""

    identifier = StringProperty(db_property="id", required=True, unique_index=True)
    embedder = StringProperty()
    dimensions = IntegerProperty()


class Migration(StructuredNode):
    """A migration that was carried out."""

    version = IntegerProperty(required=True, unique_index=True)
    name = StringProperty()
    checksum = StringProperty()
    applied_at = DateTimeNeo4jFormatProperty()

"""Labels, relationship types and index names: the closed set that queries may name."""

from enum import StrEnum


class Label(StrEnum):
    """Every label of a node."""

    USER = "User"
    MEMORY = "Memory"
    EPISODIC = "Episodic"
    SEMANTIC = "Semantic"
    SCHEMA = "Schema"
    DECISION = "Decision"
    PERSON = "Person"
    ENTITY = "Entity"
    EPISODE = "Episode"
    TURN = "Turn"
    VERSION = "Version"
    CHANGE = "Change"
    PRIORITY_SNAPSHOT = "PrioritySnapshot"
    TOMBSTONE = "Tombstone"
    LEASE = "Lease"
    RECEIPT = "Receipt"
    RUN = "Run"
    MODEL_USAGE = "ModelUsage"
    EVIDENCE = "Evidence"
    COMMUNICATION = "Communication"
    JUDGEMENT = "Judgement"
    RELATIONSHIP = "Relationship"
    NOTE = "Note"
    API_KEY = "ApiKey"
    GRAPH = "Graph"
    MIGRATION = "Migration"


class RelationshipType(StrEnum):
    """Every type of a relationship: first the links between remembered things, then structure."""

    LEADS_TO = "LEADS_TO"
    BECAUSE_OF = "BECAUSE_OF"
    ENABLES = "ENABLES"
    PREVENTS = "PREVENTS"
    PRECEDES = "PRECEDES"
    SUCCEEDS = "SUCCEEDS"
    CONCURRENT_WITH = "CONCURRENT_WITH"
    NEXT = "NEXT"
    REFERS_TO = "REFERS_TO"
    MENTIONED_IN = "MENTIONED_IN"
    SHARES_EMOTION = "SHARES_EMOTION"
    CONTRASTS_EMOTION = "CONTRASTS_EMOTION"
    EVOLVES_FROM = "EVOLVES_FROM"
    SIMILAR_TO = "SIMILAR_TO"
    DISTILLED_FROM = "DISTILLED_FROM"
    ABSTRACTS = "ABSTRACTS"
    SUPERSEDED_BY = "SUPERSEDED_BY"
    CONTRADICTS = "CONTRADICTS"
    OWNS = "OWNS"
    HAS_TURN = "HAS_TURN"
    IN_EPISODE = "IN_EPISODE"
    HAS_VERSION = "HAS_VERSION"
    CHANGED = "CHANGED"
    RELATED_TO = "RELATED_TO"
    HAS_EVIDENCE = "HAS_EVIDENCE"
    HAS_COMMUNICATION = "HAS_COMMUNICATION"
    DRAWN_FROM = "DRAWN_FROM"


MEMORY_EMBEDDING_INDEX = "memory_embedding_vector"
MEMORY_CONTEXT_EMBEDDING_INDEX = "memory_context_embedding_vector"
MEMORY_TEXT_INDEX = "memory_text_fulltext"
EPISODE_TEXT_INDEX = "episode_text_fulltext"
TURN_TEXT_INDEX = "turn_text_fulltext"

# What a search may filter by inside the vector indexes. A change of one of these re-indexes the vector.
VECTOR_FILTERS = (
    "user_id",
    "bucket",
    "lane",
    "kind",
    "occurred_at",
    "valid_at",
    "invalid_at",
    "created_at",
    "expired_at",
    "superseded_at",
    "visible_until",
    "archive_at",
    "search_tier_at",
)

// The whole shape of the graph: constraints, then indexes. Migrations lead to the same; a test compares the two.
//
// A vector index names no width, so that vectors of a new embedder can stand beside the old ones while they are
// converted, and is not quantised, so that its scores are exact. Community has uniqueness constraints only.

// Identity: one node per id, and per what makes it the same one again.
CREATE CONSTRAINT user_user_id_unique IF NOT EXISTS FOR (n:User) REQUIRE (n.user_id) IS UNIQUE;
CREATE CONSTRAINT memory_id_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT memory_user_id_idempotency_key_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.user_id, n.idempotency_key) IS UNIQUE;
CREATE CONSTRAINT memory_user_id_current_key_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.user_id, n.current_key) IS UNIQUE;
CREATE CONSTRAINT person_id_unique IF NOT EXISTS FOR (n:Person) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT person_user_id_name_key_unique IF NOT EXISTS FOR (n:Person) REQUIRE (n.user_id, n.name_key) IS UNIQUE;
CREATE CONSTRAINT entity_id_unique IF NOT EXISTS FOR (n:Entity) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT entity_user_id_name_key_unique IF NOT EXISTS FOR (n:Entity) REQUIRE (n.user_id, n.name_key) IS UNIQUE;
CREATE CONSTRAINT episode_id_unique IF NOT EXISTS FOR (n:Episode) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT turn_id_unique IF NOT EXISTS FOR (n:Turn) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT version_id_unique IF NOT EXISTS FOR (n:Version) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT change_id_unique IF NOT EXISTS FOR (n:Change) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT priority_snapshot_id_unique IF NOT EXISTS FOR (n:PrioritySnapshot) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT tombstone_id_unique IF NOT EXISTS FOR (n:Tombstone) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT lease_id_unique IF NOT EXISTS FOR (n:Lease) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT receipt_id_unique IF NOT EXISTS FOR (n:Receipt) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT run_id_unique IF NOT EXISTS FOR (n:Run) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT model_usage_id_unique IF NOT EXISTS FOR (n:ModelUsage) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT evidence_id_unique IF NOT EXISTS FOR (n:Evidence) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT communication_id_unique IF NOT EXISTS FOR (n:Communication) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT judgement_id_unique IF NOT EXISTS FOR (n:Judgement) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT note_id_unique IF NOT EXISTS FOR (n:Note) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT api_key_id_unique IF NOT EXISTS FOR (n:ApiKey) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT graph_id_unique IF NOT EXISTS FOR (n:Graph) REQUIRE (n.id) IS UNIQUE;
CREATE CONSTRAINT tombstone_user_id_text_hash_unique IF NOT EXISTS FOR (n:Tombstone) REQUIRE (n.user_id, n.text_hash) IS UNIQUE;
CREATE CONSTRAINT memory_user_id_head_key_unique IF NOT EXISTS FOR (n:Memory) REQUIRE (n.user_id, n.head_key) IS UNIQUE;
CREATE CONSTRAINT turn_user_id_idempotency_key_unique IF NOT EXISTS FOR (n:Turn) REQUIRE (n.user_id, n.idempotency_key) IS UNIQUE;
CREATE CONSTRAINT relationship_user_id_unique IF NOT EXISTS FOR (n:Relationship) REQUIRE (n.user_id) IS UNIQUE;
CREATE CONSTRAINT migration_version_unique IF NOT EXISTS FOR (n:Migration) REQUIRE (n.version) IS UNIQUE;

// Search.
CREATE FULLTEXT INDEX memory_text_fulltext IF NOT EXISTS FOR (n:Memory)
ON EACH [n.search_text, n.script_terms, n.context_text, n.context_script_terms, n.search_scope]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}};
CREATE VECTOR INDEX memory_embedding_vector IF NOT EXISTS FOR (n:Memory) ON n.embedding
WITH [n.user_id, n.bucket, n.lane, n.kind, n.occurred_at, n.valid_at, n.invalid_at, n.created_at, n.expired_at, n.superseded_at, n.visible_until, n.archive_at, n.search_tier_at]
OPTIONS {indexConfig: {`vector.similarity_function`: 'COSINE', `vector.quantization.type`: 'NONE'}};
CREATE VECTOR INDEX memory_context_embedding_vector IF NOT EXISTS FOR (n:Memory) ON n.context_embedding
WITH [n.user_id, n.bucket, n.lane, n.kind, n.occurred_at, n.valid_at, n.invalid_at, n.created_at, n.expired_at, n.superseded_at, n.visible_until, n.archive_at, n.search_tier_at]
OPTIONS {indexConfig: {`vector.similarity_function`: 'COSINE', `vector.quantization.type`: 'NONE'}};
CREATE FULLTEXT INDEX episode_text_fulltext IF NOT EXISTS FOR (n:Episode)
ON EACH [n.search_text, n.script_terms, n.search_scope]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}};
CREATE FULLTEXT INDEX turn_text_fulltext IF NOT EXISTS FOR (n:Turn)
ON EACH [n.text, n.script_terms, n.search_scope]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}};

// Lists, recency and sequence.
CREATE RANGE INDEX memory_user_id_created_at_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.created_at);
CREATE RANGE INDEX memory_user_id_occurred_at_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.occurred_at);
CREATE RANGE INDEX memory_user_id_session_id_position_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.session_id, n.position);
CREATE RANGE INDEX memory_user_id_anchor_at_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.anchor_at);
CREATE RANGE INDEX memory_user_id_access_count_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.access_count);
CREATE RANGE INDEX memory_user_id_visible_until_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.visible_until);
CREATE RANGE INDEX memory_user_id_labile_until_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.labile_until);
CREATE RANGE INDEX memory_user_id_bucket_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.bucket);
CREATE RANGE INDEX memory_user_id_external_id_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.external_id);
CREATE RANGE INDEX memory_user_id_heading_key_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.heading_key);
CREATE RANGE INDEX person_user_id_last_mentioned_at_range IF NOT EXISTS FOR (n:Person) ON (n.user_id, n.last_mentioned_at);
CREATE RANGE INDEX entity_user_id_last_mentioned_at_range IF NOT EXISTS FOR (n:Entity) ON (n.user_id, n.last_mentioned_at);
CREATE RANGE INDEX change_user_id_at_range IF NOT EXISTS FOR (n:Change) ON (n.user_id, n.at);
CREATE RANGE INDEX change_target_id_range IF NOT EXISTS FOR (n:Change) ON (n.target_id);
CREATE RANGE INDEX episode_user_id_started_at_range IF NOT EXISTS FOR (n:Episode) ON (n.user_id, n.started_at);
CREATE RANGE INDEX episode_user_id_ended_at_range IF NOT EXISTS FOR (n:Episode) ON (n.user_id, n.ended_at);
CREATE RANGE INDEX turn_user_id_occurred_at_range IF NOT EXISTS FOR (n:Turn) ON (n.user_id, n.occurred_at);

// Everything of one owner.
CREATE RANGE INDEX memory_user_id_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id);
CREATE RANGE INDEX person_user_id_range IF NOT EXISTS FOR (n:Person) ON (n.user_id);
CREATE RANGE INDEX entity_user_id_range IF NOT EXISTS FOR (n:Entity) ON (n.user_id);
CREATE RANGE INDEX episode_user_id_range IF NOT EXISTS FOR (n:Episode) ON (n.user_id);
CREATE RANGE INDEX turn_user_id_range IF NOT EXISTS FOR (n:Turn) ON (n.user_id);
CREATE RANGE INDEX version_user_id_range IF NOT EXISTS FOR (n:Version) ON (n.user_id);
CREATE RANGE INDEX change_user_id_range IF NOT EXISTS FOR (n:Change) ON (n.user_id);
CREATE RANGE INDEX priority_snapshot_user_id_range IF NOT EXISTS FOR (n:PrioritySnapshot) ON (n.user_id);
CREATE RANGE INDEX tombstone_user_id_range IF NOT EXISTS FOR (n:Tombstone) ON (n.user_id);
CREATE RANGE INDEX receipt_user_id_range IF NOT EXISTS FOR (n:Receipt) ON (n.user_id);
CREATE RANGE INDEX run_user_id_range IF NOT EXISTS FOR (n:Run) ON (n.user_id);
CREATE RANGE INDEX model_usage_user_id_range IF NOT EXISTS FOR (n:ModelUsage) ON (n.user_id);
CREATE RANGE INDEX evidence_user_id_range IF NOT EXISTS FOR (n:Evidence) ON (n.user_id);
CREATE RANGE INDEX communication_user_id_range IF NOT EXISTS FOR (n:Communication) ON (n.user_id);
CREATE RANGE INDEX judgement_user_id_range IF NOT EXISTS FOR (n:Judgement) ON (n.user_id);
CREATE RANGE INDEX note_user_id_range IF NOT EXISTS FOR (n:Note) ON (n.user_id);
CREATE RANGE INDEX api_key_user_id_range IF NOT EXISTS FOR (n:ApiKey) ON (n.user_id);

// The ledger.
CREATE RANGE INDEX decision_user_id_topic_key_range IF NOT EXISTS FOR (n:Decision) ON (n.user_id, n.topic_key);
CREATE RANGE INDEX decision_user_id_domain_key_range IF NOT EXISTS FOR (n:Decision) ON (n.user_id, n.domain_key);
CREATE RANGE INDEX decision_user_id_range IF NOT EXISTS FOR (n:Decision) ON (n.user_id);

// Work that falls due.
CREATE RANGE INDEX memory_enrich_due_at_range IF NOT EXISTS FOR (n:Memory) ON (n.enrich_due_at);
CREATE RANGE INDEX memory_link_due_at_range IF NOT EXISTS FOR (n:Memory) ON (n.link_due_at);
CREATE RANGE INDEX memory_user_id_link_due_at_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.link_due_at);
CREATE RANGE INDEX memory_parked_at_range IF NOT EXISTS FOR (n:Memory) ON (n.parked_at);
CREATE RANGE INDEX memory_state_dream_at_range IF NOT EXISTS FOR (n:Memory) ON (n.state, n.dream_at);
CREATE RANGE INDEX memory_state_forgotten_at_range IF NOT EXISTS FOR (n:Memory) ON (n.state, n.forgotten_at);
CREATE RANGE INDEX memory_state_archive_at_range IF NOT EXISTS FOR (n:Memory) ON (n.state, n.archive_at);
CREATE RANGE INDEX memory_embedder_range IF NOT EXISTS FOR (n:Memory) ON (n.embedder);
CREATE RANGE INDEX memory_dates_by_range IF NOT EXISTS FOR (n:Memory) ON (n.dates_by);
CREATE RANGE INDEX episode_user_id_due_at_range IF NOT EXISTS FOR (n:Episode) ON (n.user_id, n.due_at);
CREATE RANGE INDEX turn_user_id_memory_due_at_range IF NOT EXISTS FOR (n:Turn) ON (n.user_id, n.memory_due_at);
CREATE RANGE INDEX episode_due_at_range IF NOT EXISTS FOR (n:Episode) ON (n.due_at);
CREATE RANGE INDEX turn_memory_due_at_range IF NOT EXISTS FOR (n:Turn) ON (n.memory_due_at);
CREATE RANGE INDEX receipt_expires_at_range IF NOT EXISTS FOR (n:Receipt) ON (n.expires_at);
CREATE RANGE INDEX run_user_id_started_at_range IF NOT EXISTS FOR (n:Run) ON (n.user_id, n.started_at);
CREATE RANGE INDEX user_cycle_due_at_range IF NOT EXISTS FOR (n:User) ON (n.cycle_due_at);
CREATE RANGE INDEX user_housekeeping_due_at_range IF NOT EXISTS FOR (n:User) ON (n.housekeeping_due_at);
CREATE RANGE INDEX run_user_id_status_range IF NOT EXISTS FOR (n:Run) ON (n.user_id, n.status);
CREATE RANGE INDEX priority_snapshot_user_id_at_range IF NOT EXISTS FOR (n:PrioritySnapshot) ON (n.user_id, n.at);
CREATE RANGE INDEX judgement_user_id_pair_key_range IF NOT EXISTS FOR (n:Judgement) ON (n.user_id, n.pair_key);

// The ledger of model calls.
CREATE RANGE INDEX model_usage_user_id_day_range IF NOT EXISTS FOR (n:ModelUsage) ON (n.user_id, n.day);
CREATE RANGE INDEX model_usage_day_range IF NOT EXISTS FOR (n:ModelUsage) ON (n.day);
// Turns that wait to be drawn from.
CREATE RANGE INDEX turn_extract_due_at_range IF NOT EXISTS FOR (n:Turn) ON (n.extract_due_at);
CREATE RANGE INDEX turn_user_id_extract_due_at_range IF NOT EXISTS FOR (n:Turn) ON (n.user_id, n.extract_due_at);
CREATE RANGE INDEX turn_user_id_extract_parked_at_range IF NOT EXISTS FOR (n:Turn) ON (n.user_id, n.extract_parked_at);

// What sleep has to do.
CREATE RANGE INDEX episodic_user_id_bucket_distil_after_range IF NOT EXISTS FOR (n:Episodic) ON (n.user_id, n.bucket, n.distil_after);
CREATE RANGE INDEX episodic_user_id_distil_key_range IF NOT EXISTS FOR (n:Episodic) ON (n.user_id, n.distil_key);
CREATE RANGE INDEX semantic_user_id_cluster_key_range IF NOT EXISTS FOR (n:Semantic) ON (n.user_id, n.cluster_key);
CREATE RANGE INDEX semantic_user_id_fade_due_at_range IF NOT EXISTS FOR (n:Semantic) ON (n.user_id, n.fade_due_at);
CREATE RANGE INDEX semantic_user_id_horizon_range IF NOT EXISTS FOR (n:Semantic) ON (n.user_id, n.horizon);
CREATE RANGE INDEX schema_user_id_range IF NOT EXISTS FOR (n:Schema) ON (n.user_id);

// Contradictions of a user, without a look at every memory that has none.
CREATE RANGE INDEX contradicts_user_id_range IF NOT EXISTS FOR ()-[r:CONTRADICTS]-() ON (r.user_id);

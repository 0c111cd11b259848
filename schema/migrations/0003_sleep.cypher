// Sleep: when its beats fall due for a user, what it writes down, and what it remembers of priorities. And whether a
// user has anything in a bucket.
CREATE RANGE INDEX memory_user_id_bucket_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.bucket);
CREATE RANGE INDEX user_cycle_due_at_range IF NOT EXISTS FOR (n:User) ON (n.cycle_due_at);
CREATE RANGE INDEX user_housekeeping_due_at_range IF NOT EXISTS FOR (n:User) ON (n.housekeeping_due_at);
CREATE RANGE INDEX run_user_id_status_range IF NOT EXISTS FOR (n:Run) ON (n.user_id, n.status);
CREATE RANGE INDEX priority_snapshot_user_id_at_range IF NOT EXISTS FOR (n:PrioritySnapshot) ON (n.user_id, n.at);
MATCH (n:User) WHERE n.cycle_due_at IS NULL OR n.housekeeping_due_at IS NULL
CALL (n) { SET n.cycle_due_at = datetime(), n.housekeeping_due_at = datetime() } IN TRANSACTIONS OF 1000 ROWS;
CREATE RANGE INDEX episodic_user_id_bucket_distil_after_range IF NOT EXISTS FOR (n:Episodic) ON (n.user_id, n.bucket, n.distil_after);
CREATE RANGE INDEX episodic_user_id_distil_key_range IF NOT EXISTS FOR (n:Episodic) ON (n.user_id, n.distil_key);
CREATE RANGE INDEX semantic_user_id_cluster_key_range IF NOT EXISTS FOR (n:Semantic) ON (n.user_id, n.cluster_key);
CREATE RANGE INDEX semantic_user_id_fade_due_at_range IF NOT EXISTS FOR (n:Semantic) ON (n.user_id, n.fade_due_at);
CREATE RANGE INDEX semantic_user_id_horizon_range IF NOT EXISTS FOR (n:Semantic) ON (n.user_id, n.horizon);
CREATE RANGE INDEX schema_user_id_range IF NOT EXISTS FOR (n:Schema) ON (n.user_id);
MATCH (n:Episodic) WHERE n.consolidated_at IS NULL AND n.distil_after IS NULL
CALL (n) { SET n.distil_after = n.created_at } IN TRANSACTIONS OF 1000 ROWS;

// The ledger of model calls: a user's days, and a day of all.
CREATE RANGE INDEX model_usage_user_id_day_range IF NOT EXISTS FOR (n:ModelUsage) ON (n.user_id, n.day);
CREATE RANGE INDEX model_usage_day_range IF NOT EXISTS FOR (n:ModelUsage) ON (n.day);
// Episodes: found by their words and those of their turns, by who is open, and by what waits to be settled; a turn that
// is sent again is known by its key.
CREATE CONSTRAINT turn_user_id_idempotency_key_unique IF NOT EXISTS FOR (n:Turn) REQUIRE (n.user_id, n.idempotency_key) IS UNIQUE;
CREATE FULLTEXT INDEX episode_text_fulltext IF NOT EXISTS FOR (n:Episode)
ON EACH [n.search_text, n.script_terms, n.search_scope]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}};
CREATE FULLTEXT INDEX turn_text_fulltext IF NOT EXISTS FOR (n:Turn)
ON EACH [n.text, n.script_terms, n.search_scope]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}};
CREATE RANGE INDEX episode_user_id_ended_at_range IF NOT EXISTS FOR (n:Episode) ON (n.user_id, n.ended_at);
CREATE RANGE INDEX turn_user_id_occurred_at_range IF NOT EXISTS FOR (n:Turn) ON (n.user_id, n.occurred_at);
CREATE RANGE INDEX episode_user_id_due_at_range IF NOT EXISTS FOR (n:Episode) ON (n.user_id, n.due_at);
CREATE RANGE INDEX turn_user_id_memory_due_at_range IF NOT EXISTS FOR (n:Turn) ON (n.user_id, n.memory_due_at);
CREATE RANGE INDEX episode_due_at_range IF NOT EXISTS FOR (n:Episode) ON (n.due_at);
CREATE RANGE INDEX turn_memory_due_at_range IF NOT EXISTS FOR (n:Turn) ON (n.memory_due_at);
// Turns that wait to be drawn from.
CREATE RANGE INDEX turn_extract_due_at_range IF NOT EXISTS FOR (n:Turn) ON (n.extract_due_at);
CREATE RANGE INDEX turn_user_id_extract_due_at_range IF NOT EXISTS FOR (n:Turn) ON (n.user_id, n.extract_due_at);
CREATE RANGE INDEX turn_user_id_extract_parked_at_range IF NOT EXISTS FOR (n:Turn) ON (n.user_id, n.extract_parked_at);

// Sleep: when its beats fall due for a user, what it writes down, and what it remembers of priorities. And whether a
// user has anything in a bucket.
CREATE RANGE INDEX memory_user_id_bucket_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.bucket);
CREATE RANGE INDEX user_cycle_due_at_range IF NOT EXISTS FOR (n:User) ON (n.cycle_due_at);
CREATE RANGE INDEX user_housekeeping_due_at_range IF NOT EXISTS FOR (n:User) ON (n.housekeeping_due_at);
CREATE RANGE INDEX priority_snapshot_user_id_at_range IF NOT EXISTS FOR (n:PrioritySnapshot) ON (n.user_id, n.at);
MATCH (n:User) WHERE n.cycle_due_at IS NULL OR n.housekeeping_due_at IS NULL
CALL (n) { SET n.cycle_due_at = datetime(), n.housekeeping_due_at = datetime() } IN TRANSACTIONS OF 1000 ROWS;

// The ledger of model calls: a user's days, and a day of all.
CREATE RANGE INDEX model_usage_user_id_day_range IF NOT EXISTS FOR (n:ModelUsage) ON (n.user_id, n.day);
CREATE RANGE INDEX model_usage_day_range IF NOT EXISTS FOR (n:ModelUsage) ON (n.day);

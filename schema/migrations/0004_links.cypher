// Link discovery: memories that have had no links sought yet.
CREATE RANGE INDEX memory_link_due_at_range IF NOT EXISTS FOR (n:Memory) ON (n.link_due_at);
CREATE RANGE INDEX memory_user_id_link_due_at_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.link_due_at);
MATCH (n:Memory) WHERE n.link_due_at IS NULL AND n.linked_at IS NULL
CALL (n) { SET n.link_due_at = n.created_at, n.link_attempts = 0 } IN TRANSACTIONS OF 1000 ROWS;

// Memories that begin with a heading are found by it, so that others which name it can be linked to them; and a flag says
// whether a memory has a context, which is read far faster than the context's text.
CREATE RANGE INDEX memory_user_id_heading_key_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.heading_key);
MATCH (n:Memory) WHERE n.context_text IS NOT NULL
CALL (n) { SET n.has_context = true } IN TRANSACTIONS OF 1000 ROWS;

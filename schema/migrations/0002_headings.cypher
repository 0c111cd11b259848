// Memories that begin with a heading are found by it, so that others which name it can be linked to them.
CREATE RANGE INDEX memory_user_id_heading_key_range IF NOT EXISTS FOR (n:Memory) ON (n.user_id, n.heading_key);

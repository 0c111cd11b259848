// Contradictions are listed by their owner, without a look at every memory that has none.
CREATE RANGE INDEX contradicts_user_id_range IF NOT EXISTS FOR ()-[r:CONTRADICTS]-() ON (r.user_id);

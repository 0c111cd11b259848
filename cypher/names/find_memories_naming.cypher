// One page of the memories that refer to a person or entity, newest first, expired ones too.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   node_id   STRING  "per-1"  the person or entity
//   after_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  created_at of the last seen; null: from the beginning
//   after_id  STRING  "mem-1"  its id
//   limit     INTEGER  21  most rows returned
// Returns      0..limit rows
//   memory  MAP  what our values are made of; dates as text, which the driver reads far faster
MATCH (n:Person|Entity {id: $node_id}) WHERE n.user_id = $user_id
MATCH (n)<-[:REFERS_TO]-(m:Memory {user_id: $user_id})
WHERE $after_at IS NULL OR m.created_at < $after_at OR (m.created_at = $after_at AND m.id < $after_id)
WITH DISTINCT m
ORDER BY m.created_at DESC, m.id DESC LIMIT $limit
RETURN m {.id, .user_id, .text, .kind, .epistemic_type, .category, .horizon, .bucket, .lane, .general, .source, .confirmed,
          .confidence, .pinned, .base_strength, .spaced_access_count, .access_count, .encoding_factor, .activation_decay,
          .state, .emotions, .arousal, .valence, .speaker, .session_id, .agent_id, .external_id, .tags, .metadata,
          .people, .entities, .content_hash, .dates_by, .domain, .topic_key, .reasoning, .outcome, .date_texts, .dates_told_at,
          .date_first_days, .date_last_days, .past_valid_at, .past_invalid_at, .past_invalidated_at, .past_expired_at,
          .past_restored_at, .occurrences, .session_count,
          anchor_at: toString(m.anchor_at), visible_until: toString(m.visible_until), dream_at: toString(m.dream_at),
          forgotten_at: toString(m.forgotten_at), archive_at: toString(m.archive_at),
          first_access_at: toString(m.first_access_at), last_accessed_at: toString(m.last_accessed_at),
          touched_at: toString(m.touched_at), labile_until: toString(m.labile_until),
          labile_since: toString(m.labile_since),
          refined_at: toString(m.refined_at), last_suppressed_at: toString(m.last_suppressed_at),
          occurred_at: toString(m.occurred_at), valid_at: toString(m.valid_at), invalid_at: toString(m.invalid_at),
          invalidated_at: toString(m.invalidated_at), created_at: toString(m.created_at),
          expired_at: toString(m.expired_at), superseded_at: toString(m.superseded_at),
          first_observed_at: toString(m.first_observed_at), last_reinforced_at: toString(m.last_reinforced_at),
          enrich_due_at: toString(m.enrich_due_at), parked_at: toString(m.parked_at),
          access_stamps: [x IN m.access_stamps | toString(x)]} AS memory;

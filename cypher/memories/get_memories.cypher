// Memories by their ids, whatever their state.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   ids      LIST<STRING>  ["mem-1"]  at most some hundreds
// Returns      one row for each memory found
//   memory  MAP  what our values are made of; dates as text, which the driver reads far faster
UNWIND $ids AS id
MATCH (m:Memory {id: id}) WHERE m.user_id = $user_id
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

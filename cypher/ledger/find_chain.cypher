// Every member of the supersession chain that a memory belongs to, with what each was superseded by.
//
// The head is sought from the member forward, then all its ancestors backward; both walks prune, so the time grows with
// the number of members and not with that of paths.
//
// Access   read
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose memories they are
//   id        STRING  "mem-1"  any member
//   known_at  ZONED DATETIME  datetime("2031-01-01T00:00Z")  links that were not there, or were closed by then, do not count
// Returns      one row for each member
//   memory         MAP  what our values are made of; dates as text, which the driver reads far faster
//   successor_id   STRING  null for the head
//   superseded_at  ZONED DATETIME
//   reason         STRING
MATCH (member:Memory {id: $id}) WHERE member.user_id = $user_id
CALL (member) {
    MATCH (member) (()-[f:SUPERSEDED_BY WHERE f.created_at <= $known_at AND $known_at < f.expired_at]->()){0,} (head:Memory {user_id: $user_id})
    WHERE NOT EXISTS { (head)-[g:SUPERSEDED_BY]->() WHERE g.created_at <= $known_at AND $known_at < g.expired_at }
    RETURN DISTINCT head
}
CALL (head) {
    MATCH (m:Memory {user_id: $user_id}) (()-[b:SUPERSEDED_BY WHERE b.created_at <= $known_at AND $known_at < b.expired_at]->()){0,} (head)
    RETURN DISTINCT m
}
OPTIONAL MATCH (m)-[s:SUPERSEDED_BY]->(next:Memory {user_id: $user_id})
WHERE s.created_at <= $known_at AND $known_at < s.expired_at
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
          access_stamps: [x IN m.access_stamps | toString(x)]} AS memory, next.id AS successor_id,
       s.created_at AS superseded_at, s.reason AS reason;

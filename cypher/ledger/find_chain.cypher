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
// Under a name of its own each memory is read at once; under one whose properties the plan keeps, each would be read alone.
UNWIND [m] AS one
WITH s, next,
     one {.id, .user_id, .text, .kind, .epistemic_type, .category, .horizon, .bucket, .lane, .general, .source,
          .confirmed, .confidence, .pinned, .base_strength, .spaced_access_count, .access_count, .encoding_factor,
          .activation_decay, .state, .emotions, .arousal, .valence, .speaker, .session_id, .agent_id, .external_id,
          .tags, .metadata, .people, .entities, .content_hash, .dates_by, .domain, .topic_key, .reasoning, .outcome,
          .date_texts, .dates_told_at, .date_first_days, .date_last_days, .past_valid_at, .past_invalid_at,
          .past_invalidated_at, .past_expired_at, .past_restored_at, .occurrences, .session_count, .anchor_at,
          .visible_until, .dream_at, .forgotten_at, .archive_at, .first_access_at, .last_accessed_at, .touched_at,
          .labile_until, .labile_since, .refined_at, .last_suppressed_at, .occurred_at, .valid_at, .invalid_at,
          .invalidated_at, .created_at, .expired_at, .superseded_at, .first_observed_at, .last_reinforced_at,
          .enrich_due_at, .parked_at, .access_stamps} AS p
RETURN p {.*, anchor_at: toString(p.anchor_at), visible_until: toString(p.visible_until),
          dream_at: toString(p.dream_at), forgotten_at: toString(p.forgotten_at), archive_at: toString(p.archive_at),
          first_access_at: toString(p.first_access_at), last_accessed_at: toString(p.last_accessed_at),
          touched_at: toString(p.touched_at), labile_until: toString(p.labile_until),
          labile_since: toString(p.labile_since), refined_at: toString(p.refined_at),
          last_suppressed_at: toString(p.last_suppressed_at), occurred_at: toString(p.occurred_at),
          valid_at: toString(p.valid_at), invalid_at: toString(p.invalid_at),
          invalidated_at: toString(p.invalidated_at), created_at: toString(p.created_at),
          expired_at: toString(p.expired_at), superseded_at: toString(p.superseded_at),
          first_observed_at: toString(p.first_observed_at), last_reinforced_at: toString(p.last_reinforced_at),
          enrich_due_at: toString(p.enrich_due_at), parked_at: toString(p.parked_at),
          access_stamps: [stamp IN p.access_stamps | toString(stamp)]} AS memory, next.id AS successor_id,
       s.created_at AS superseded_at, s.reason AS reason;

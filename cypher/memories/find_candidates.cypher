// The current memories most like one about to be written, by vector and by words, with their cosines.
//
// The two lists are fused by reciprocal rank; what words alone found is measured against the vector too.
//
// Access   read
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose memories they are
//   vector      VECTOR  vector([x IN range(1, 384) | 0.05], 384, FLOAT32)  of the new text, unit length
//   text_query  STRING  "+search_scope:k1^0 +search_text:(desk)"  Lucene, the owner inside
//   kind        STRING  "semantic"  the kind of both
//   buckets     LIST<STRING>  ["default", "general"]  where to look
//   at          ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   pool        INTEGER  50  candidates fetched from each index
//   rrf_k       FLOAT  5.0
//   limit       INTEGER  10  most rows returned
// Returns      0..limit rows, the likeliest first
//   memory  MAP  what our values are made of; dates as text, which the driver reads far faster
//   cosine  FLOAT  -1..1
CALL () {
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_embedding_vector FOR $vector
        WHERE m.user_id = $user_id AND m.kind = $kind AND m.bucket IN $buckets
          AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
        LIMIT $pool
      ) SCORE AS score
    WITH m, score ORDER BY score DESC, m.id
    WITH collect(m) AS found
    UNWIND range(0, size(found) - 1) AS i
    RETURN found[i] AS m, 1.0 / ($rrf_k + i + 1) AS part
  UNION ALL
    CALL db.index.fulltext.queryNodes('memory_text_fulltext', $text_query, {limit: $pool}) YIELD node AS m, score
    WHERE m.user_id = $user_id AND m.kind = $kind AND m.bucket IN $buckets
      AND m.expired_at > $at AND m.invalid_at > $at AND m.superseded_at > $at
    WITH m, score ORDER BY score DESC, m.id
    WITH collect(m) AS found
    UNWIND range(0, size(found) - 1) AS i
    RETURN found[i] AS m, 1.0 / ($rrf_k + i + 1) AS part
}
WITH m, sum(part) AS score ORDER BY score DESC, m.id LIMIT $limit
WHERE m.user_id = $user_id AND m.embedding IS NOT NULL
// Under a name of its own each memory is read at once; under one whose properties the plan keeps, each would be read alone.
UNWIND [m] AS one
WITH m,
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
          access_stamps: [stamp IN p.access_stamps | toString(stamp)]} AS memory,
       2.0 * vector.similarity.cosine(m.embedding, $vector) - 1.0 AS cosine;

// A user's memories whose background work was given up, by the work, the latest first.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose memories they are
//   at       ZONED DATETIME  datetime("2031-01-01T00:00Z")  now, UTC
//   limit    INTEGER  10  most memories named of each work
// Returns      0..2 rows
//   work   STRING  enrichment or links
//   count  INTEGER  how many memories there are
//   ids    LIST<STRING>  the first of them
//   since  ZONED DATETIME  when the last was given up
MATCH (m:Memory) WHERE m.user_id = $user_id AND m.parked_at <= $at AND m.expired_at > $at
WITH m, m.link_parked_at IS NULL OR (m.enrich_due_at IS NULL AND m.enrich_problem IS NOT NULL) AS not_enriched
UNWIND [{work: 'links', at: m.link_parked_at}, {work: 'enrichment', at: CASE WHEN not_enriched THEN m.parked_at END}] AS given_up
WITH m, given_up WHERE given_up.at IS NOT NULL
WITH m, given_up ORDER BY given_up.at DESC, m.id
RETURN given_up.work AS work, count(m) AS count, collect(m.id)[..$limit] AS ids, max(given_up.at) AS since ORDER BY work;

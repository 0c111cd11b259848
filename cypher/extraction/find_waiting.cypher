// The turns of a user that nothing was drawn from yet, those that wait first, then the parked ones.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose turns they are
//   ends_at  ZONED DATETIME  datetime("9999-12-31T00:00Z")  after any date
//   limit    INTEGER  100  most rows returned of each
// Returns      any number of rows
//   id          STRING
//   episode_id  STRING
//   attempts    INTEGER  so far
//   problem     STRING  why the last try failed; null: none did
//   due_at      ZONED DATETIME  when it is tried next; null: it is parked
CALL () {
    MATCH (t:Turn {user_id: $user_id}) USING INDEX SEEK t:Turn(user_id, extract_due_at)
    WHERE t.extract_due_at <= $ends_at
    RETURN t ORDER BY t.extract_due_at, t.id LIMIT $limit
  UNION ALL
    MATCH (t:Turn {user_id: $user_id}) USING INDEX SEEK t:Turn(user_id, extract_parked_at)
    WHERE t.extract_parked_at <= $ends_at
    RETURN t ORDER BY t.extract_parked_at, t.id LIMIT $limit
}
RETURN t.id AS id, t.episode_id AS episode_id, coalesce(t.extract_attempts, 0) AS attempts, t.extract_problem AS problem,
       t.extract_due_at AS due_at;

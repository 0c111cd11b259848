// What each recorded episode of a user gives to the relationship, by their start.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose episodes they are
// Returns      one row for each recorded episode
//   share  MAP  dates as text
MATCH (e:Episode {user_id: $user_id}) WHERE e.started_at IS NOT NULL AND e.summary IS NOT NULL
WITH e ORDER BY e.started_at, e.id
RETURN e {.summary, .topics, .inside_jokes, .shared_references, .note_traits, .note_values, .mood,
          started_at: toString(e.started_at), ended_at: toString(e.ended_at)} AS share;

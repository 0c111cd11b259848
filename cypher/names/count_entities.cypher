// How many of a user's entities match a search.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
//   search   STRING  "an"  folded, anywhere in the name or an alias; null: all
// Returns      1 row
//   nodes  INTEGER
MATCH (n:Entity {user_id: $user_id})
WHERE $search IS NULL OR any(key IN [n.name_key] + coalesce(n.alias_keys, []) WHERE key CONTAINS $search)
RETURN count(n) AS nodes;

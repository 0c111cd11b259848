// Every name of a user's people, to find out whom a name means.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  whose they are
// Returns      0..n rows
//   id             STRING
//   name           STRING
//   aliases        LIST<STRING>  the name among them
//   alias_details  STRING  JSON, type and confidence by alias; or null
MATCH (p:Person {user_id: $user_id})
RETURN p.id AS id, p.name AS name, coalesce(p.aliases, []) AS aliases, p.alias_details AS alias_details;

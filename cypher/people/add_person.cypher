// Makes a person, unless one of that folded name is there.
//
// Access   write
// Scope    user
// Params
//   user_id   STRING  "user-1"  whose they are
//   name_key  STRING  "ana"  the folded name
//   person    MAP  {id: "per-1", name: "Ana", aliases: ["Ana"], alias_keys: [], created_at: datetime("2031-01-01T00:00Z")}  as stored
// Returns      1 row
//   id  STRING  of the person who is there now
MERGE (p:Person {user_id: $user_id, name_key: $name_key})
  ON CREATE SET p += $person
RETURN p.id AS id;

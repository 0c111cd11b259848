// Writes new memories with their owner and their first audit row.
//
// Access   write
// Scope    user
// Params
//   rows  LIST<MAP>  [{user_id: "user-1", label: "Episodic", time_zone: "UTC", tier_profile: "default", properties: {id: "mem-1"}, embedding: vector([0.1, 0.2], 2, FLOAT32), dates: {created_at: "2031-01-01T00:00Z"}, stamps: ["2031-01-01T00:00Z"], change: {id: "chg-1", action: "add"}}]  label is the kind's; dates as text, which the driver writes far faster
// Returns      1 row
//   memories  INTEGER
UNWIND $rows AS row
MERGE (u:User {user_id: row.user_id})
  ON CREATE SET u.created_at = datetime(row.dates.created_at), u.time_zone = row.time_zone, u.tier_profile = row.tier_profile,
    u.cycle_due_at = datetime(row.dates.created_at), u.housekeeping_due_at = datetime(row.dates.created_at)
CREATE (u)-[:OWNS {user_id: row.user_id}]->(m:Memory {user_id: row.user_id})
SET m += row.properties, m:$(row.label), m.embedding = toFloatList(row.embedding), m.access_stamps = [stamp IN row.stamps | datetime(stamp)]
FOREACH (name IN keys(row.dates) | SET m[name] = datetime(row.dates[name]))
CREATE (m)-[:CHANGED {user_id: row.user_id}]->(c:Change {user_id: row.user_id, target_id: row.properties.id})
SET c += row.change, c.at = datetime(row.dates.created_at)
RETURN count(m) AS memories;

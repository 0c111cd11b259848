// Writes new memories with their owner and their first audit row.
//
// Access   write
// Scope    user
// Params
//   rows  LIST<MAP>  [{user_id: "user-1", label: "Episodic", time_zone: "UTC", tier_profile: "default", properties: {id: "mem-1", created_at: datetime("2031-01-01T00:00Z")}, change: {id: "chg-1", action: "add", at: datetime("2031-01-01T00:00Z")}}]  label is the kind's; properties as stored
// Returns      one row for each row
//   id  STRING
UNWIND $rows AS row
MERGE (u:User {user_id: row.user_id})
  ON CREATE SET u.created_at = row.properties.created_at, u.time_zone = row.time_zone, u.tier_profile = row.tier_profile
CREATE (u)-[:OWNS {user_id: row.user_id}]->(m:Memory {user_id: row.user_id})
SET m += row.properties, m:$(row.label)
CREATE (m)-[:CHANGED {user_id: row.user_id}]->(c:Change {user_id: row.user_id, target_id: row.properties.id})
SET c += row.change
RETURN m.id AS id;

// Notes on a receipt what is said of its hits; only what was not said before comes back.
//
// Access   write
// Scope    user
// Params
//   user_id     STRING  "user-1"  whose receipt it is
//   receipt_id  STRING  "rec-1"  the receipt
//   used        LIST<STRING>  ["mem-1"]  hits that were of use, each once
//   misleading  LIST<STRING>  ["mem-2"]  hits that misled, each once
// Returns      0..1 rows; none when it is not this user's
//   used               LIST<STRING>  what is new
//   misleading         LIST<STRING>
//   used_before        LIST<STRING>  what was said before
//   misleading_before  LIST<STRING>
MATCH (r:Receipt {id: $receipt_id}) WHERE r.user_id = $user_id
SET r.lock = true
REMOVE r.lock
WITH r, coalesce(r.used_ids, []) AS used_before, coalesce(r.misleading_ids, []) AS misleading_before
WITH r, used_before, misleading_before, [id IN $used WHERE NOT id IN used_before] AS used,
     [id IN $misleading WHERE NOT id IN misleading_before] AS misleading
SET r.used_ids = used_before + used, r.misleading_ids = misleading_before + misleading
RETURN used, misleading, used_before, misleading_before;

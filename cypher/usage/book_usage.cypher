// Adds a use of a language model to the row of its user, day, question and model; makes the row where there is none.
//
// Access   write
// Scope    user
// Params
//   user_id             STRING  "user-1"  who asked
//   id                  STRING  "use-1"  names user, day, question and model
//   day                 ZONED DATETIME  datetime("2031-01-01T00:00Z")  the day's first instant, UTC
//   question            STRING  "distil"
//   model               STRING  "claude-haiku-5-5"
//   calls               INTEGER  1  answered
//   failures            INTEGER  0  not answered
//   input_tokens        INTEGER  900
//   output_tokens       INTEGER  80
//   cache_read_tokens   INTEGER  0
//   cache_write_tokens  INTEGER  0
//   cost                FLOAT  0.0013  in dollars
// Returns      1 row
//   id  STRING
MERGE (u:ModelUsage {id: $id, user_id: $user_id})
  ON CREATE SET u.day = $day, u.question = $question, u.model = $model, u.calls = 0, u.failures = 0,
    u.input_tokens = 0, u.output_tokens = 0, u.cache_read_tokens = 0, u.cache_write_tokens = 0, u.cost = 0.0
SET u.lock = true
REMOVE u.lock
WITH u
SET u.calls = u.calls + $calls, u.failures = u.failures + $failures, u.input_tokens = u.input_tokens + $input_tokens,
    u.output_tokens = u.output_tokens + $output_tokens, u.cache_read_tokens = u.cache_read_tokens + $cache_read_tokens,
    u.cache_write_tokens = u.cache_write_tokens + $cache_write_tokens, u.cost = u.cost + $cost
RETURN u.id AS id;

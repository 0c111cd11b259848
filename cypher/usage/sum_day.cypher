// What all users' questions to language models used on one day, in one sum.
//
// Access   read
// Scope    system
// Params
//   day  ZONED DATETIME  datetime("2031-01-01T00:00Z")  the day's first instant, UTC
// Returns      1 row
//   calls               INTEGER
//   failures            INTEGER
//   input_tokens        INTEGER
//   output_tokens       INTEGER
//   cache_read_tokens   INTEGER
//   cache_write_tokens  INTEGER
//   cost                FLOAT
MATCH (u:ModelUsage) WHERE u.day = $day
RETURN sum(u.calls) AS calls, sum(u.failures) AS failures,
       sum(u.input_tokens) AS input_tokens, sum(u.output_tokens) AS output_tokens,
       sum(u.cache_read_tokens) AS cache_read_tokens, sum(u.cache_write_tokens) AS cache_write_tokens, sum(u.cost) AS cost;

// What a user's questions to language models used from a day on, by question.
//
// Access   read
// Scope    user
// Params
//   user_id  STRING  "user-1"  who asked
//   since    ZONED DATETIME  datetime("2031-01-01T00:00Z")  the first day's first instant, UTC
// Returns      0..n rows, one a question
//   question            STRING
//   calls               INTEGER
//   failures            INTEGER
//   input_tokens        INTEGER
//   output_tokens       INTEGER
//   cache_read_tokens   INTEGER
//   cache_write_tokens  INTEGER
//   cost                FLOAT
MATCH (u:ModelUsage) WHERE u.user_id = $user_id AND u.day >= $since
RETURN u.question AS question, sum(u.calls) AS calls, sum(u.failures) AS failures,
       sum(u.input_tokens) AS input_tokens, sum(u.output_tokens) AS output_tokens,
       sum(u.cache_read_tokens) AS cache_read_tokens, sum(u.cache_write_tokens) AS cache_write_tokens, sum(u.cost) AS cost
ORDER BY question;

-- grow_rows.sql: add the rows of the $2 tasks whose numbers start at $3, as copies of the rows of task $1.
-- The copies have not run yet.
INSERT INTO rollcall.events (id, status, row, key, params, key_hash)
SELECT ($3::bigint + i) << 32 | (id & 4294967295), 'enqueue', row, key, params, key_hash
FROM rollcall.events, generate_series(0, $2::bigint - 1) AS i
WHERE id > $1::bigint << 32 AND id < ($1::bigint + 1) << 32

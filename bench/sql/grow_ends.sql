-- grow_ends.sql: end the rows of the $1 tasks whose numbers start at $2, as a recorder does. The rows end
-- $3 ms before now.
UPDATE rollcall.events
SET status = 'finish', attempt = 1, queued_at = v.at, started_at = v.at, finished_at = v.at, ran_by = 1, version = version + 1
FROM (SELECT cast(extract(epoch FROM now()) * 1000 AS bigint) - $3::bigint AS at) AS v
WHERE id > $2::bigint << 32 AND id < ($2::bigint + $1::bigint) << 32

-- grow_tasks.sql: add the imports of one day: $2 copies of task $1, whose numbers start at $3. Their times
-- are $4 ms earlier than those of the task. The program replaces {columns}.
INSERT INTO rollcall.tasks (num, id, created_at, started_at, moved_at, finished_at, expires_at, file_id, {columns})
SELECT $3 + i, gen_random_uuid()::text, created_at - $4, started_at - $4, moved_at - $4, finished_at - $4, expires_at - $4,
       '', {columns}
FROM rollcall.tasks, generate_series(0, $2::bigint - 1) AS i
WHERE num = $1::bigint

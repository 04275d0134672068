-- grow_tasks.sql: add the imports of one day as copies of task $1: $2 tasks with numbers from $3, whose
-- times are $4 ms earlier. The program replaces {columns}.
INSERT INTO rollcall.tasks (num, id, created_at, started_at, moved_at, finished_at, expires_at, file_id, {columns})
SELECT $3 + i, gen_random_uuid()::text, created_at - $4, started_at - $4, moved_at - $4, finished_at - $4, expires_at - $4,
       '', {columns}
FROM rollcall.tasks, generate_series(0, $2::bigint - 1) AS i
WHERE num = $1::bigint

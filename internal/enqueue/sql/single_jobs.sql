-- single_jobs.sql: add the jobs of the tasks, as add_singles.sql does; SQLite only.
INSERT INTO rollcall.events (id, row, key, status, params, next_run_at, version, key_hash, score)
SELECT t.num << 32 | 1, 1, j.value ->> 'key', 'enqueue', j.value ->> 'params', nullif(t.run_at, 0), 1, j.value ->> 'hash', j.value ->> 'score'
FROM json_each(@jobs) j
JOIN rollcall.tasks t ON t.id = j.value ->> 'id'

-- has_key.sql: return the task that has a deduplication key.
SELECT num, id FROM rollcall.tasks WHERE dedup_key = @key

-- has_key.sql: the task that has a deduplication key.
SELECT num, id FROM tasks WHERE dedup_key = @key

-- sweep_purged.sql: delete up to @most events of purged tasks; SQLite only. On Postgres whole
-- partitions are dropped.
DELETE FROM rollcall.events
WHERE id IN (
    SELECT e.id
    FROM rollcall.tasks t
    JOIN rollcall.events e ON e.id >= t.num << 32 AND e.id < (t.num + 1) << 32
    WHERE t.purged_at > 0
    LIMIT @most)

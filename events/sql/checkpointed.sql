-- checkpointed.sql: return the tasks, among the given ones, whose jobs have checkpoints. It reads
-- one checkpoint of each.
SELECT t.num FROM rollcall.tasks t
WHERE t.num = ANY (cast(@nums AS bigint[]))
  AND (SELECT min(c.event_id) FROM rollcall.checkpoints c WHERE c.event_id >= t.num << 32) < (t.num + 1) << 32

-- forget_runners.sql: delete up to @most processes that ran their last row before @before, and
-- before the oldest kept task was created.
--
-- @slack is how many ms after seen_at a process may have run rows. The greatest number stays:
-- SQLite would give it to another process.
DELETE FROM rollcall.runners
WHERE num IN (
    SELECT num FROM rollcall.runners
    WHERE seen_at < @before AND num < (SELECT max(num) FROM rollcall.runners)
      AND seen_at + @slack < coalesce((SELECT min(created_at) FROM rollcall.tasks WHERE purged_at = 0 AND created_at > 0), @before)
    ORDER BY num
    LIMIT @most)

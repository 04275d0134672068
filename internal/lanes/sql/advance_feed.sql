-- advance_feed.sql: record what was pushed of tasks. was is the position of a task when it was
-- claimed. The feed of a canceled task changes only if its position stays, as in a second
-- feeding.
--
-- Up to @room of the next doubted rows may be in Redis, although they are not recorded.
UPDATE rollcall.feeds AS f
SET fed = v.fed, unfed = f.unfed - v.waited, pushed = f.pushed + v.pushed,
    held = CASE WHEN f.cancel_from < 0 THEN f.held + v.held ELSE 0 END, again_from = v.again_from,
    claim_until = CASE WHEN v.doubted = 0 THEN 0 ELSE 1 END, reach = v.doubted,
    room = CASE WHEN f.claim_until > 0 AND f.room > @room AND f.room < v.doubted THEN f.room
                WHEN f.claim_until > 0 AND f.room > @room OR v.doubted < @room THEN v.doubted ELSE @room END
FROM ROWS (nums bigint, was bigint, fed bigint, again_from bigint, waited bigint, pushed bigint,
           held bigint, doubted bigint) AS v
WHERE f.task_num = EACH (nums) AND f.task_num = v.nums
  AND f.fed = v.was AND (f.cancel_from < 0 OR f.fed = v.fed)
RETURNING f.task_num AS key

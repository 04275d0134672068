-- unblock_followers.sql: record that a task has ended, in each task that starts after it and accepts its outcome. The
-- statement returns these tasks.
UPDATE rollcall.task_after SET met = TRUE
WHERE after_num = @num AND NOT met
  AND EXISTS (SELECT 1 FROM rollcall.tasks t JOIN rollcall.tasks f ON f.num = task_after.task_num
              WHERE t.num = @num AND t.outcome <> 'canceled' AND (NOT f.after_well OR t.outcome = 'success'))
RETURNING task_num

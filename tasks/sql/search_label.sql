-- search_label.sql: return the same as search_all.sql, but only tasks with a label.
SELECT t.num, t.name, t.status, t.kind, t.created_by, t.created_at, t.purged_at
FROM (SELECT task_num FROM rollcall.task_labels
      WHERE tenant = @tenant AND name = @label AND value = @value
        AND task_num < @before AND task_num >= @from
      ORDER BY task_num DESC
      LIMIT @most) l
JOIN rollcall.tasks t ON t.num = l.task_num
ORDER BY t.num DESC

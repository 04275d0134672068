-- due_files.sql: return files of done tasks that have to be deleted. Uploads and results are due
-- when the task has been done since before @before, or when its retention is over. Parts of results
-- are due at that time, or as soon as the result is complete. The first @skip files are left out. Times are unix ms.
SELECT what, num, file_id
FROM (
    SELECT 'upload' AS what, num, file_id, finished_at
    FROM rollcall.tasks
    WHERE finished_at > 0 AND file_id <> '' AND file_purged_at = 0
      AND (finished_at < @before OR expires_at < @now)
    UNION ALL
    SELECT 'result', num, result_id, finished_at
    FROM rollcall.tasks
    WHERE finished_at > 0 AND result_id <> '' AND result_purged_at = 0
      AND (finished_at < @before OR expires_at < @now)
    UNION ALL
    SELECT 'part', t.num, p.file_id, t.finished_at
    FROM rollcall.export_parts p
    JOIN rollcall.tasks t ON t.num = p.task_num
    WHERE t.finished_at > 0 AND (NOT t.unmerged OR t.finished_at < @before OR t.expires_at < @now)
) f
ORDER BY finished_at, num, file_id
LIMIT @most OFFSET @skip

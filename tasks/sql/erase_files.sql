-- erase_files.sql: return the files of a task: its upload, its result, and the parts of its result.
SELECT 'upload', file_id FROM rollcall.tasks WHERE num = @num AND file_id <> '' AND file_purged_at = 0
UNION ALL
SELECT 'result', result_id FROM rollcall.tasks WHERE num = @num AND result_id <> '' AND result_purged_at = 0
UNION ALL
SELECT 'part', file_id FROM rollcall.export_parts WHERE task_num = @num

-- part_files.sql: return the files of the parts of a task.
SELECT file_id FROM rollcall.export_parts WHERE task_num = @num ORDER BY file_id

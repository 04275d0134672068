-- has_file.sql: return how many tasks and parts of exports refer to a file and have not recorded
-- its deletion.
SELECT (SELECT count(*) FROM rollcall.tasks WHERE file_id = @file AND file_id <> '' AND file_purged_at = 0)
     + (SELECT count(*) FROM rollcall.tasks WHERE result_id = @file AND result_id <> '' AND result_purged_at = 0)
     + (SELECT count(*) FROM rollcall.export_parts WHERE file_id = @file)

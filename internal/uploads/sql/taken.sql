-- taken.sql: how many tasks have a file.
SELECT count(*) FROM rollcall.tasks WHERE file_id = @file AND file_id <> ''

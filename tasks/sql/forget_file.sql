-- forget_file.sql: record that a file of a part was deleted.
DELETE FROM rollcall.export_parts WHERE file_id = @file

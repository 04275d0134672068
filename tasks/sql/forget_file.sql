-- forget_file.sql: note that a file of a part was deleted.
DELETE FROM rollcall.export_parts WHERE file_id = @file

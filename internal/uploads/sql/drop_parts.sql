-- drop_parts.sql: delete the records of the parts of an upload.
DELETE FROM rollcall.upload_parts WHERE upload = @id

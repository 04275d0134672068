-- delete.sql: delete the record of an upload.
DELETE FROM rollcall.uploads WHERE id = @id

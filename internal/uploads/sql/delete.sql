-- delete.sql: delete the record of an upload.
DELETE FROM uploads WHERE id = @id

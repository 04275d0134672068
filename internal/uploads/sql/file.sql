-- file.sql: return the id of the whole file of an upload, '' if it has none yet.
SELECT file_id FROM rollcall.uploads WHERE id = @id

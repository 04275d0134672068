-- complete.sql: record the whole file of an upload. Touches 1 row, or none if there is one already or the
-- upload has ended.
UPDATE rollcall.uploads SET file_id = @file, sha256 = @sha256 WHERE id = @id AND file_id = '' AND expires_at > 0

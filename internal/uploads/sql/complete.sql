-- complete.sql: record the whole file of an upload. The statement changes no row if there is a whole file
-- already, or if the upload has ended.
UPDATE rollcall.uploads SET file_id = @file, sha256 = @sha256 WHERE id = @id AND file_id = '' AND expires_at > 0

-- end_uploads.sql: end up to @most uploads of a tenant and clear what people wrote; retention deletes them
-- with their bytes.
UPDATE rollcall.uploads SET expires_at = 0, name = '', task_name = '', made_by = '', options = '{}'
WHERE id IN (SELECT id FROM rollcall.uploads WHERE tenant = @tenant AND expires_at > 0 ORDER BY id LIMIT @most)

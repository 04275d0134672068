-- end_uploads.sql: end up to @most uploads of a tenant, and clear the texts that users entered. Retention
-- deletes the uploads with their bytes.
UPDATE rollcall.uploads SET expires_at = 0, name = '', task_name = '', made_by = '', options = '{}'
WHERE id IN (SELECT id FROM rollcall.uploads WHERE tenant = @tenant AND expires_at > 0 ORDER BY id LIMIT @most)

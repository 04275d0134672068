-- get.sql: return an upload of a tenant, unless it has expired.
SELECT id, tenant, made_by, name, size, received, kind, task_name, task_id, options, file_id, sha256, created_at, expires_at
FROM rollcall.uploads
WHERE id = @id AND tenant = @tenant AND expires_at > @now

-- list.sql: return the confirmed mappings of a tenant, the last used first.
SELECT id, kind, name, headings, fields, made_by, used_at FROM rollcall.mappings
WHERE tenant = @tenant AND confirmed
ORDER BY used_at DESC, id DESC
LIMIT 200

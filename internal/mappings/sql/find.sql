-- find.sql: return the latest confirmed mapping of headings of a kind.
SELECT id, kind, name, headings, fields, made_by, used_at FROM rollcall.mappings
WHERE tenant = @tenant AND kind = @kind AND print = @print AND confirmed
ORDER BY id DESC
LIMIT 1

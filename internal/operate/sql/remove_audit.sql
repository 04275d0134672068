-- remove_audit.sql: delete up to @most entries of an audit log, except the entry with number
-- @keep.
DELETE FROM rollcall.audit_log
WHERE num IN (SELECT num FROM rollcall.audit_log WHERE subject = @subject AND num <> @keep ORDER BY num LIMIT @most)

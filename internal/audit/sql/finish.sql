-- finish.sql: set the result of an act. An empty detail keeps the detail of begin.sql.
UPDATE rollcall.audit_log SET touched = @touched,
    detail = CASE cast(@detail AS text) WHEN '' THEN detail ELSE cast(@detail AS text) END
WHERE num = @num

-- finish.sql: set what came of an act. An empty detail keeps that of its begin.
UPDATE audit_log SET touched = @touched,
    detail = CASE cast(@detail AS text) WHEN '' THEN detail ELSE cast(@detail AS text) END
WHERE num = @num

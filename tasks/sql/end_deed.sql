-- end_deed.sql: note how an operator's act has ended.
UPDATE ops_audit SET touched = @touched,
    detail = CASE cast(@detail AS text) WHEN '' THEN detail ELSE cast(@detail AS text) END
WHERE num = @num

-- add_part.sql: store a file of a part, unless a later run of the part's job has begun.
INSERT INTO rollcall.export_parts (file_id, task_num, seq, token, run, rows)
SELECT cast(@file AS text), cast(@num AS bigint), cast(@seq AS bigint), cast(@token AS bigint),
       cast(@run AS bigint), cast(@rows AS bigint)
WHERE NOT EXISTS (
    SELECT 1 FROM rollcall.export_parts
    WHERE task_num = @num AND seq = @seq AND (token > @token OR token = @token AND run > @run))

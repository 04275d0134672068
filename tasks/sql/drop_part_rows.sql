-- drop_part_rows.sql: count the files of earlier runs of a part no more, but for
-- those that the run of the fence goes on with.
--
-- @kept is ",file,,file,".
UPDATE rollcall.export_parts SET rows = 0
WHERE task_num = @num AND seq = @seq AND rows > 0
  AND (token < @token OR token = @token AND run < @run)
  AND replace(cast(@kept AS text), ',' || file_id || ',', '') = cast(@kept AS text)

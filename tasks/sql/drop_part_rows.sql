-- drop_part_rows.sql: omit the files of earlier runs of a part from the count of rows, except for
-- the files that the present run continues.
--
-- @kept holds these files in the form ",file,,file,".
UPDATE rollcall.export_parts SET rows = 0
WHERE task_num = @num AND seq = @seq AND rows > 0
  AND (token < @token OR token = @token AND run < @run)
  AND replace(cast(@kept AS text), ',' || file_id || ',', '') = cast(@kept AS text)

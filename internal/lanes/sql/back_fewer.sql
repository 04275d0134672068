-- back_fewer.sql: fewer resubmitted rows wait to be fed.
UPDATE rollcall.feeds SET back = back - @rows, pushed = pushed + @rows WHERE task_num = @num

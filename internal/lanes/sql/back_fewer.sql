-- back_fewer.sql: record that @rows resubmitted rows no longer wait to be fed.
UPDATE rollcall.feeds SET back = back - @rows, pushed = pushed + @rows WHERE task_num = @num

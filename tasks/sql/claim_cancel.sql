-- claim_cancel.sql: take the right to cancel the rows of a task.
UPDATE rollcall.feeds SET cancel_until = @until WHERE task_num = @num AND cancel_until < @now

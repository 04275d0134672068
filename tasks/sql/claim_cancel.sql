-- claim_cancel.sql: claim the canceling of a task's rows, unless another process has the claim.
UPDATE rollcall.feeds SET cancel_until = @until WHERE task_num = @num AND cancel_until < @now

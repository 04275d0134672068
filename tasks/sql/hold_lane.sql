-- hold_lane.sql: keep the claim of a task's lane until the transaction ends.
UPDATE rollcall.lanes SET claim = claim WHERE id = (SELECT lane FROM rollcall.feeds WHERE task_num = @num)

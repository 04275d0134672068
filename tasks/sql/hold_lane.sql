-- hold_lane.sql: lock the lane of a task until the transaction ends.
UPDATE rollcall.lanes SET claim = claim WHERE id = (SELECT lane FROM rollcall.feeds WHERE task_num = @num)

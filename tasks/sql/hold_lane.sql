-- hold_lane.sql: keep the claim of a task's lane until the transaction ends.
UPDATE lanes SET claim = claim WHERE id = (SELECT lane FROM feeds WHERE task_num = @num)

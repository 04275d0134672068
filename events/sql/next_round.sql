-- next_round.sql: rows of a task that runs are resubmitted, so fewer of its rows are at
-- rest than before: another round begins.
UPDATE rollcall.tasks SET round = round + 1 WHERE num = @num

-- next_round.sql: begin another round of a task that still runs, because rows of it are
-- resubmitted: fewer of its rows are then at rest than before.
UPDATE rollcall.tasks SET round = round + 1 WHERE num = @num

-- next_round.sql: begin the next round of a task that still runs, because some of its rows are
-- resubmitted.
UPDATE rollcall.tasks SET round = round + 1 WHERE num = @num

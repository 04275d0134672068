-- next_round.sql: begin the next round of a task that still runs, because some of its rows are
-- resubmitted. Fewer of its rows are then at rest.
UPDATE rollcall.tasks SET round = round + 1 WHERE num = @num

-- keep_act.sql: add an act, or increase its count of rows. Return its num, and the id of
-- the act that undoes it.
INSERT INTO rollcall.review_acts (id, task_num, at, actor, act, undoes, rows, fix, lane)
VALUES (@id, @num, @now, @actor, @act, @undoes, @rows, @fix, @lane)
ON CONFLICT (id) DO UPDATE SET rows = review_acts.rows + excluded.rows
RETURNING num, undone_by

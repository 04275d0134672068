-- sweep_acts.sql: delete up to @most acts of users on the rows of a purged task. The caller has
-- deleted the undo records of these acts.
DELETE FROM rollcall.review_acts
WHERE num IN (SELECT num FROM rollcall.review_acts WHERE task_num = @num ORDER BY num LIMIT @most)

-- cancel_marks.sql: return the number of each tenant that rises with each cancel: see
-- cancel_mark.sql in package tasks.
SELECT tenant, cancels FROM rollcall.limits WHERE cancels > 0

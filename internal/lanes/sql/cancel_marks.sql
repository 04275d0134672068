-- cancel_marks.sql: how many tasks of each tenant were canceled.
SELECT tenant, cancels FROM rollcall.limits WHERE cancels > 0

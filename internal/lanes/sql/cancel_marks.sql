-- cancel_marks.sql: return the number of canceled tasks of each tenant.
SELECT tenant, cancels FROM rollcall.limits WHERE cancels > 0

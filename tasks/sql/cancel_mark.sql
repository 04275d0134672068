-- cancel_mark.sql: have every job of a task's tenant that was pushed so far ask
-- the ledger before it runs.
INSERT INTO rollcall.limits (tenant, cancels)
SELECT tenant, 1 FROM rollcall.tasks WHERE num = @num
ON CONFLICT (tenant) DO UPDATE SET cancels = limits.cancels + 1

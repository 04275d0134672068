-- cancel_mark.sql: raise the cancel epoch of a task's tenant. Before a worker runs a job that was pushed
-- under an older epoch, it reads the state of the job.
INSERT INTO rollcall.limits (tenant, cancels)
SELECT tenant, 1 FROM rollcall.tasks WHERE num = @num
ON CONFLICT (tenant) DO UPDATE SET cancels = limits.cancels + 1

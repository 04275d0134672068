-- describe.sql: store the kind, the task name and the options of an upload. The statement changes no row if
-- the upload is gone.
UPDATE rollcall.uploads SET kind = @kind, task_name = @task_name, options = @options
WHERE id = @id AND tenant = @tenant

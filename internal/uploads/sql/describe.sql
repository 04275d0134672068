-- describe.sql: store what is known of an upload beside its bytes. Touches 1 row, or none if it is gone.
UPDATE rollcall.uploads SET kind = @kind, task_name = @task_name, options = @options
WHERE id = @id AND tenant = @tenant

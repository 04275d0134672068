-- erase.sql: delete the requests that created a task or concern it.
DELETE FROM rollcall.idempotency WHERE tenant = @tenant AND (ref = @task OR task = @task)

-- erase.sql: forget the requests that have made a task or were about it.
DELETE FROM idempotency WHERE tenant = @tenant AND (ref = @task OR task = @task)

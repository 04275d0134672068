-- erase_answers.sql: forget the answers to requests about a task. Requests that made it stay:
-- sent again, they must not make another.
DELETE FROM idempotency WHERE tenant = @tenant AND task = @task AND status <> 0

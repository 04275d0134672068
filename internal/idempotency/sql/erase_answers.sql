-- erase_answers.sql: delete the stored responses to requests about a task. The request that created
-- the task stays, so that a repetition creates no second task.
DELETE FROM rollcall.idempotency WHERE tenant = @tenant AND task = @task AND status <> 0

-- erase_outbox.sql: delete the notices of a task, delivered or not.
DELETE FROM outbox WHERE task_num = @num

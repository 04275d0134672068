-- erase_outbox.sql: forget what is to be told of a task, delivered or not.
DELETE FROM outbox WHERE task_num = @num

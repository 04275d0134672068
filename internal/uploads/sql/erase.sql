-- erase.sql: end the uploads of a task, and clear the texts that users entered. Retention deletes the records.
UPDATE rollcall.uploads SET expires_at = 0, name = '', task_name = '', made_by = '', options = '{}', sha256 = ''
WHERE tenant = @tenant AND task_id = @task

-- numbers.sql: return the number of the next task; Postgres only.
SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM rollcall.tasks_num_seq

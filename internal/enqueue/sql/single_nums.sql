-- single_nums.sql: return the numbers of the tasks, as add_singles.sql does; SQLite only.
SELECT t.num, t.id FROM json_each(@jobs) j JOIN rollcall.tasks t ON t.id = j.value ->> 'id'

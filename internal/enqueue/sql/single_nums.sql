-- single_nums.sql: the result of add_singles.sql; SQLite only.
SELECT t.num, t.id FROM json_each(@jobs) j JOIN rollcall.tasks t ON t.id = j.value ->> 'id'

-- single_nums.sql: what add_singles.sql returns; SQLite only.
SELECT t.num, t.id FROM json_each(@jobs) j JOIN tasks t ON t.id = j.value ->> 'id'

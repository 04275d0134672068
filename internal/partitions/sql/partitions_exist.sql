-- partitions_exist.sql: return the number of the next task, and whether the partitions of its block and of
-- the next block exist; Postgres only.
SELECT n.num, to_regclass('rollcall.events_b' || (n.num >> 16)) IS NOT NULL
              AND to_regclass('rollcall.events_b' || ((n.num >> 16) + 1)) IS NOT NULL
FROM (SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END AS num FROM rollcall.tasks_num_seq) n

-- grow_sizes.sql: return the bytes of the rows and of their indexes, of the tasks with their indexes, and
-- of the files of the log. Also return the number of dead rows, of partitions that autovacuum has
-- vacuumed, and of all partitions.
SELECT sum(pg_table_size(relid)) FILTER (WHERE relname LIKE 'events%'),
       sum(pg_indexes_size(relid)) FILTER (WHERE relname LIKE 'events%'),
       sum(pg_total_relation_size(relid)) FILTER (WHERE relname = 'tasks'),
       (SELECT sum(size) FROM pg_ls_waldir()),
       sum(n_dead_tup) FILTER (WHERE relname LIKE 'events%'),
       count(*) FILTER (WHERE relname LIKE 'events_b%' AND last_autovacuum IS NOT NULL),
       count(*) FILTER (WHERE relname LIKE 'events_b%')
FROM pg_stat_user_tables

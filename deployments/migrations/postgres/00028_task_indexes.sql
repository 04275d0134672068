-- 00028_task_indexes: indexes of tasks, made while tasks are read and written.
--
-- Forward only. Safe while the previous version runs. Making an index waits for all
-- transactions of the database that are open, such as a dump; no other statement waits for
-- it. Each step may be repeated after a crash. An index that a crash left unfinished is
-- dropped first.

-- +goose NO TRANSACTION
-- +goose Up

-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN
        SELECT format('%I.%I', n.nspname, c.relname)
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE i.indrelid = 'tasks'::regclass AND NOT i.indisvalid
    LOOP
        EXECUTE 'DROP INDEX ' || name;
    END LOOP;
END $$;
-- +goose StatementEnd

-- The files of a kind that came after a task, however many tasks others made.
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_files_idx ON tasks (tenant, kind, num) WHERE file_sha256 <> '';
-- What is to be swept: few tasks, however many there were.
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_sweep_idx ON tasks (num) WHERE sweep > 0;
-- The oldest task that is kept. The second condition keeps planners from reading it for other
-- questions about kept tasks.
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_kept_idx ON tasks (created_at) WHERE purged_at = 0 AND created_at > 0;

-- 00030_turns: which background work a task waits for, by tenant, so that tenants take turns.
-- Owned by package tasks.
--
-- Forward only. Safe while the previous version runs: triggers keep the column of the tasks
-- that it writes. Each step may be repeated after a crash. CREATE INDEX waits for all open
-- transactions of the database; no other statement waits for it.

-- +goose NO TRANSACTION
-- +goose Up

--   work  what the task waits for: 0 nothing, 1 its file is to be read, 2 its parts are to be
--         planned, 3 its parts are to be merged, 4 a program adds rows under a claim
ALTER TABLE tasks ADD COLUMN IF NOT EXISTS work smallint NOT NULL DEFAULT 0;
--   weight  the share of the tenant while others wait
ALTER TABLE limits ADD COLUMN IF NOT EXISTS weight bigint NOT NULL DEFAULT 1;

-- task_work returns the work that a task waits for. It depends on the row alone.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION task_work(t tasks) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT cast(CASE
        WHEN t.finished_at > 0 OR t.status NOT IN ('open', 'splitting', 'running', 'paused') THEN 0
        WHEN NOT t.total_is_final AND t.file_id <> '' THEN 1
        WHEN NOT t.total_is_final AND t.type = 'export' THEN 2
        WHEN NOT t.total_is_final AND t.split_claim <> 0 THEN 4
        WHEN t.unmerged AND t.total_is_final AND t.finish = t.total AND t.problem IS NULL THEN 3
        ELSE 0 END AS smallint)
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION follow_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.work := task_work(NEW);
        RETURN NEW;
    END IF;
    UPDATE tasks SET work = task_work(NEW) WHERE num = NEW.num;
    RETURN NULL;
END $$;
-- +goose StatementEnd

DROP TRIGGER IF EXISTS tasks_work_made ON tasks;
CREATE TRIGGER tasks_work_made BEFORE INSERT ON tasks
    FOR EACH ROW EXECUTE FUNCTION follow_work();
-- After, not before: a trigger before an update locks the row once more.
DROP TRIGGER IF EXISTS tasks_work_changed ON tasks;
CREATE TRIGGER tasks_work_changed
    AFTER UPDATE OF status, total_is_final, split_claim, finish, total, unmerged, problem, finished_at ON tasks
    FOR EACH ROW WHEN (NEW.work <> task_work(NEW)) EXECUTE FUNCTION follow_work();

UPDATE tasks t SET work = task_work(t)
WHERE (NOT total_is_final OR unmerged AND finished_at = 0) AND work <> task_work(t);

-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN
        SELECT indexrelid::regclass::text FROM pg_index
        WHERE NOT indisvalid AND indexrelid IN (to_regclass('tasks_work_idx'), to_regclass('deliveries_next_idx'), to_regclass('outbox_next_idx'))
    LOOP
        EXECUTE 'DROP INDEX ' || name;
    END LOOP;
END $$;
-- +goose StatementEnd
-- The next task of each tenant and kind that waits for a work, however many wait behind it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS tasks_work_idx ON tasks (work, tenant, kind, priority DESC, num) WHERE work > 0;
-- The next delivery to each listener of each tenant, however many wait behind it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS deliveries_next_idx ON deliveries (tenant, endpoint, next_at, num) WHERE state = 'waiting';
-- The next notice of each tenant and kind, however many wait behind it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_next_idx ON outbox (tenant, kind, id) WHERE batch = 0;
-- The new indexes serve the previous version, too.
DROP INDEX CONCURRENTLY IF EXISTS deliveries_due_idx;
DROP INDEX CONCURRENTLY IF EXISTS outbox_waiting_idx;

-- 00030_turns: which background work a task waits for, by tenant, so that tenants take turns.
-- Owned by package tasks.
--
-- Forward only. Safe while the previous version runs: triggers keep the column of the tasks
-- that it writes.

-- +goose Up

--   work  what the task waits for: 0 nothing, 1 its file is to be read, 2 its parts are to be
--         planned, 3 its parts are to be merged, 4 a program adds rows under a claim
ALTER TABLE tasks ADD COLUMN work smallint NOT NULL DEFAULT 0;
--   weight  the share of the tenant while others wait
ALTER TABLE limits ADD COLUMN weight bigint NOT NULL DEFAULT 1;

-- task_work holds the work that each task waits for. It depends on the row alone.
-- +goose StatementBegin
CREATE VIEW task_work AS SELECT num, CASE
    WHEN finished_at > 0 OR status NOT IN ('open', 'splitting', 'running', 'paused') THEN 0
    WHEN NOT total_is_final AND file_id <> '' THEN 1
    WHEN NOT total_is_final AND type = 'export' THEN 2
    WHEN NOT total_is_final AND split_claim <> 0 THEN 4
    WHEN unmerged AND total_is_final AND finish = total AND problem IS NULL THEN 3
    ELSE 0 END AS work
FROM tasks;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tasks_work_made AFTER INSERT ON tasks
BEGIN
    UPDATE tasks SET work = (SELECT w.work FROM task_work w WHERE w.num = NEW.num)
    WHERE num = NEW.num AND work <> (SELECT w.work FROM task_work w WHERE w.num = NEW.num);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tasks_work_changed
AFTER UPDATE OF status, total_is_final, split_claim, finish, total, unmerged, problem, finished_at ON tasks
BEGIN
    UPDATE tasks SET work = (SELECT w.work FROM task_work w WHERE w.num = NEW.num)
    WHERE num = NEW.num AND work <> (SELECT w.work FROM task_work w WHERE w.num = NEW.num);
END;
-- +goose StatementEnd

UPDATE tasks SET work = (SELECT w.work FROM task_work w WHERE w.num = tasks.num)
WHERE NOT total_is_final OR unmerged AND finished_at = 0;

-- The next task of each tenant and kind that waits for a work, however many wait behind it.
CREATE INDEX tasks_work_idx ON tasks (work, tenant, kind, priority DESC, num) WHERE work > 0;
-- The next delivery to each listener of each tenant, however many wait behind it.
CREATE INDEX deliveries_next_idx ON deliveries (tenant, endpoint, next_at, num) WHERE state = 'waiting';
-- The next notice of each tenant and kind, however many wait behind it.
CREATE INDEX outbox_next_idx ON outbox (tenant, kind, id) WHERE batch = 0;
-- The new indexes serve the previous version, too.
DROP INDEX deliveries_due_idx;
DROP INDEX outbox_waiting_idx;

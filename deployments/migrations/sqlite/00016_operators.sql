-- 00016_operators: what operators did, and tasks by label, author and age. Owned
-- by package tasks.
--
-- Safe under the previous version: it knows none of the tables, and triggers
-- keep the labels of the tasks that it makes and purges.

-- +goose Up

-- What an operator did that is about no single task.
--   act      such as pause, reshard or kill-failed
--   target   what it was done to: a queue, a node, a tenant
--   touched  how many keys; -1: it was begun, and its end was not noted
--   detail   what else there is to say, as JSON; may be empty
CREATE TABLE ops_audit (
    num     INTEGER PRIMARY KEY AUTOINCREMENT,
    at      bigint NOT NULL,
    tenant  text   NOT NULL,
    actor   text   NOT NULL,
    act     text   NOT NULL,
    target  text   NOT NULL,
    touched bigint NOT NULL DEFAULT -1,
    detail  text   NOT NULL DEFAULT ''
);
-- Those of one tenant, newest first.
CREATE INDEX ops_audit_tenant_idx ON ops_audit (tenant, num DESC);

-- The labels of tasks that are not purged, one by one. The key is what a list
-- by label reads, newest first.
CREATE TABLE task_labels (
    tenant   text   NOT NULL,
    name     text   NOT NULL,
    value    text   NOT NULL,
    task_num bigint NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    PRIMARY KEY (tenant, name, value, task_num)
) WITHOUT ROWID;
CREATE INDEX task_labels_task_idx ON task_labels (task_num);

-- +goose StatementBegin
CREATE TRIGGER tasks_labels_made AFTER INSERT ON tasks WHEN NEW.labels LIKE '{"%'
BEGIN
    INSERT OR IGNORE INTO task_labels (tenant, name, value, task_num)
    SELECT NEW.tenant, key, value, NEW.num FROM json_each(NEW.labels);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tasks_labels_changed AFTER UPDATE OF labels ON tasks WHEN OLD.labels <> NEW.labels
BEGIN
    DELETE FROM task_labels WHERE task_num = NEW.num;
    INSERT OR IGNORE INTO task_labels (tenant, name, value, task_num)
    SELECT NEW.tenant, key, value, NEW.num FROM json_each(NEW.labels) WHERE NEW.labels LIKE '{"%';
END;
-- +goose StatementEnd

INSERT INTO task_labels (tenant, name, value, task_num)
SELECT t.tenant, l.key, l.value, t.num FROM tasks t, json_each(t.labels) l
WHERE t.labels LIKE '{"%';

-- Tasks of one author, newest first; and which numbers a time stands for.
CREATE INDEX tasks_author_idx ON tasks (tenant, created_by, num DESC);
CREATE INDEX tasks_age_idx ON tasks (tenant, created_at, num);

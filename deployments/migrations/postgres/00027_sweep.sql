-- 00027_sweep: contents of tasks are removed in many short transactions, and processes that
-- no kept row names are removed.
--
-- Forward only. Safe while the previous version runs: the column has a default that changes
-- nothing, and such a version removes contents in one transaction. 00028 makes the indexes.

-- +goose Up
--   sweep  what is left of a purged task: 0 nothing, 1 records such as audit and undo, 2 rows
--          too: the task was deleted, and is found nowhere until they are gone
ALTER TABLE tasks ADD COLUMN sweep smallint NOT NULL DEFAULT 0;

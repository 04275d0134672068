-- 00027_sweep: contents of tasks are removed in many short transactions, and processes that
-- no kept row names are removed.
--
-- Forward only. Safe while the previous version runs: the column has a default that changes
-- nothing, and such a version removes contents in one transaction. Making the index reads
-- tasks once; new tasks wait for that, some seconds for a million.

-- +goose Up
--   sweep  what is left of a purged task: 0 nothing, 1 records such as audit and undo, 2 rows
--          too: the task was deleted, and is found nowhere until they are gone
ALTER TABLE tasks ADD COLUMN sweep smallint NOT NULL DEFAULT 0;
-- What is to be swept: few tasks, however many there were.
CREATE INDEX tasks_sweep_idx ON tasks (num) WHERE sweep > 0;
-- The oldest task that is kept. The second condition keeps planners from reading it for other
-- questions about kept tasks.
CREATE INDEX tasks_kept_idx ON tasks (created_at) WHERE purged_at = 0 AND created_at > 0;

-- 00025_rerun: whether a task runs again, so that a cancel ends the re-run alone. Owned by
-- package events.
--
-- Forward only. Safe while the previous version runs: it does not set the column, and cancels
-- such a task as a whole.

-- +goose Up
-- rerun: the task was done, and rows of it run again.
ALTER TABLE tasks ADD COLUMN rerun boolean NOT NULL DEFAULT FALSE;

-- 00007_within: what a job tells and keeps while it runs.
--
-- Safe under the previous version: it neither reads nor writes these, and the
-- new columns have defaults.

-- +goose Up
-- How far the job of a task of one job has come, as its handler says.
ALTER TABLE tasks ADD COLUMN progress_done bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN progress_total bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN progress_text text NOT NULL DEFAULT '';

-- Where a job goes on after a crash. A row is deleted when its job comes to
-- rest; one that is left over, when its task is done.
--   token, seq  of the run that has it: an older run changes nothing
--   data        JSON; NULL: nothing saved yet
CREATE TABLE checkpoints (
    event_id bigint PRIMARY KEY,
    token    bigint NOT NULL,
    seq      bigint NOT NULL,
    data     text
);

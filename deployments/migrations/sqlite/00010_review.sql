-- 00010_review: what people make of rows that failed, who did what, and rows
-- that are fed out of their turn because they run again.
--
-- Forward only. Safe while the previous version runs: new columns have defaults
-- or may be null; it resubmits nothing, so there is nothing to feed out of turn.

-- +goose Up
--   spared           attempts that do not count as retries: those before the last resubmission
--   resolution       what a person has made of it: fixed, skipped or resubmitted; null: nothing.
--                    A bad row that is resubmitted has failed again, and is open
--   resolved_by, resolved_at, resolution_note   who, when in unix ms, and why
ALTER TABLE events ADD COLUMN spared smallint NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN resolution text;
ALTER TABLE events ADD COLUMN resolved_by text;
ALTER TABLE events ADD COLUMN resolved_at bigint;
ALTER TABLE events ADD COLUMN resolution_note text;

-- How many of the rows of a cause a person has fixed or skipped.
ALTER TABLE error_groups ADD COLUMN fixed bigint NOT NULL DEFAULT 0;
ALTER TABLE error_groups ADD COLUMN skipped bigint NOT NULL DEFAULT 0;

-- Rows that were resubmitted while the feed is there: they are fed apart from the
-- others, whatever the feed's position.
--   attempt  of the event when it was resubmitted last
--   waits    it is still to be fed
--   back     of a feed: how many wait
ALTER TABLE feeds ADD COLUMN back bigint NOT NULL DEFAULT 0;
CREATE TABLE refeed (
    task_num bigint   NOT NULL REFERENCES feeds (task_num) ON DELETE CASCADE,
    seq      bigint   NOT NULL,
    attempt  smallint NOT NULL,
    waits    boolean  NOT NULL,
    PRIMARY KEY (task_num, seq)
);
-- What waits, however much was fed.
CREATE INDEX refeed_waiting_idx ON refeed (task_num, seq) WHERE waits;

-- Who did what to a task and its rows, in the transaction that did it.
--   seq     the row; 0 if it is about several, or about the task
--   rows    how many rows
--   detail  JSON; empty: nothing to add
CREATE TABLE audit (
    num      INTEGER PRIMARY KEY AUTOINCREMENT,
    task_num bigint  NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    at       bigint  NOT NULL,
    actor    text    NOT NULL,
    act      text    NOT NULL,
    seq      bigint  NOT NULL DEFAULT 0,
    rows     bigint  NOT NULL DEFAULT 0,
    detail   text    NOT NULL DEFAULT ''
);
-- The audit of one task, newest first.
CREATE INDEX audit_task_idx ON audit (task_num, num);

-- 00022_undo: acts of users on rows, and how each act found its rows, so that it can
-- be undone. Owned by package events.
--
-- Forward only. Safe while the previous version runs: it neither reads nor writes these
-- tables, and its acts cannot be undone by this version.

-- +goose Up

-- One row per act that has changed rows and can be undone.
--   id         names the act in the audit log and in the API
--   act        repair, skip, open, resubmit, correct or undo; patch: of a single row
--   undoes     id of the act that this one undoes; empty: none
--   rows       how many rows it has changed
--   undone     how many of them an undo has restored
--   undone_by  id of the act that undoes this one; empty: none was begun
--   undone_at  when that undo came to its end, in unix ms; 0: it has not
CREATE TABLE review_acts (
    num       INTEGER PRIMARY KEY AUTOINCREMENT,
    id        text   NOT NULL UNIQUE,
    task_num  bigint NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    at        bigint NOT NULL,
    actor     text   NOT NULL,
    act       text   NOT NULL,
    undoes    text   NOT NULL DEFAULT '',
    rows      bigint NOT NULL DEFAULT 0,
    undone    bigint NOT NULL DEFAULT 0,
    undone_by text   NOT NULL DEFAULT '',
    undone_at bigint NOT NULL DEFAULT 0
);
-- The acts of one user on a task, newest last.
CREATE INDEX review_acts_actor_idx ON review_acts (task_num, actor, num);

-- How an act found its rows.
--   version  of the row after the act
--   was      resolution, cause, key and cells before it, as JSON
--   undone   an undo has restored the row
CREATE TABLE review_rows (
    act      bigint  NOT NULL REFERENCES review_acts (num) ON DELETE CASCADE,
    event_id bigint  NOT NULL,
    version  integer NOT NULL,
    was      text    NOT NULL,
    undone   boolean NOT NULL DEFAULT FALSE,
    PRIMARY KEY (act, event_id)
);
-- The acts on one row.
CREATE INDEX review_rows_event_idx ON review_rows (event_id, act);

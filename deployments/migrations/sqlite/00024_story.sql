-- 00024_story: which process ran a row, and faults that are grouped by what they are.
--
-- Not safe beside an earlier version: it changes the key of error_groups, which such a
-- version names. No version before it was released.

-- +goose Up
-- Processes that run rows, owned by package events.
--   build    version of the program; empty: unknown
--   seen_at  when a process last reported itself, in unix ms
CREATE TABLE runners (
    num     integer PRIMARY KEY,
    worker  text    NOT NULL,
    build   text    NOT NULL,
    seen_at bigint  NOT NULL,
    UNIQUE (worker, build)
);
CREATE INDEX runners_build_idx ON runners (build);

--   ran_by  the runner of the last attempt; null: none, or unknown
--   print   fingerprint of the system fault that ended the row; null: none
ALTER TABLE events ADD COLUMN ran_by integer;
ALTER TABLE events ADD COLUMN print text;

--   print  fingerprint of the fault, empty for a business failure
--   fault  type and text of the first such fault, for operators
CREATE TABLE error_groups_by_print (
    task_num  bigint  NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    status    text    NOT NULL,
    code      text    NOT NULL,
    col       text    NOT NULL,
    print     text    NOT NULL DEFAULT '',
    fault     text    NOT NULL DEFAULT '',
    count     bigint  NOT NULL,
    first_row integer NOT NULL,
    fixed     bigint  NOT NULL DEFAULT 0,
    skipped   bigint  NOT NULL DEFAULT 0,
    PRIMARY KEY (task_num, status, code, col, print)
);
INSERT INTO error_groups_by_print (task_num, status, code, col, count, first_row, fixed, skipped)
SELECT task_num, status, code, col, count, first_row, fixed, skipped FROM error_groups;
DROP TABLE error_groups;
ALTER TABLE error_groups_by_print RENAME TO error_groups;

-- The acts on one row, newest first.
CREATE INDEX audit_log_row_idx ON audit_log (subject, seq, num) WHERE seq > 0;

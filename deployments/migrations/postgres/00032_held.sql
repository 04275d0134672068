-- 00032_held: rows of keys of which Redis has enough wait in the ledger.
--
-- Forward only. The previous version does not know held rows: while a feeder of it runs,
-- it pushes later rows of their keys ahead of them.

-- +goose Up

-- Runs of rows of one key and one task that are below the position of their task and not in
-- Redis. The runs of a key are pushed by place, then first.
--   place  a number of the lane that rises with each step of a feeder
--   first  id of the first row
--   last   id of the last row
--   rows   how many rows
--   seqs   their numbers in the task, each as the difference from the one before
CREATE TABLE held (
    lane  bigint NOT NULL,
    key   text   NOT NULL,
    place bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    rows  bigint NOT NULL,
    seqs  text   NOT NULL,
    PRIMARY KEY (lane, key, place, first)
);
-- The runs of a task.
CREATE INDEX held_first_idx ON held (first);

-- The keys that have runs.
--   most  the most rows of the key that wait in Redis
CREATE TABLE held_keys (
    lane bigint NOT NULL,
    key  text   NOT NULL,
    most bigint NOT NULL,
    PRIMARY KEY (lane, key)
);

--   held   how many rows of the task are held
--   reach  among how many of the next rows those are that a push brought to Redis and did
--          not note; room is how many of these there are at most
ALTER TABLE feeds ADD COLUMN held  bigint NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN reach bigint NOT NULL DEFAULT 0;

--   reach    among how many of the next rows of each task those of the claim are
--   place    the last that was given to a run
--   doubted  a push that was not noted may have brought some held rows to Redis
--   stir_at  when a feeder reports all keys of held to Redis next, in unix ms; 0: at once
ALTER TABLE lanes ADD COLUMN reach   bigint  NOT NULL DEFAULT 0;
ALTER TABLE lanes ADD COLUMN place   bigint  NOT NULL DEFAULT 0;
ALTER TABLE lanes ADD COLUMN doubted boolean NOT NULL DEFAULT FALSE;
ALTER TABLE lanes ADD COLUMN stir_at bigint  NOT NULL DEFAULT 0;

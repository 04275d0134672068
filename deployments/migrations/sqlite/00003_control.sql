-- 00003_control: cancelling, limits of tenants, and what fair feeding needs.

-- +goose Up
-- cancels: how many tasks were canceled; a change means that limits has news.
INSERT INTO ledger (name, value) VALUES ('cancels', 0);

-- What a tenant may use; a tenant without a row has no limits of its own.
--   slots        most jobs in Redis or running at once, over all kinds; 0 is any number
--   window_rows  most jobs of one kind in Redis at once; 0 is the service's own
--   cancels      how many of its tasks were canceled: jobs pushed before ask first
CREATE TABLE limits (
    tenant      text   PRIMARY KEY,
    slots       bigint NOT NULL DEFAULT 0 CHECK (slots >= 0),
    window_rows bigint NOT NULL DEFAULT 0 CHECK (window_rows >= 0),
    cancels     bigint NOT NULL DEFAULT 0,
    changed_at  bigint NOT NULL DEFAULT 0
);

-- More failed and error rows than this, and the task is canceled; null is any number.
ALTER TABLE tasks ADD COLUMN max_failures bigint;

--   pushed        rows pushed so far, each once
--   room          rows that the push under way, or the last one in doubt, may have pushed
--   stale         rows that hold their slot for too long to count
--   stale_at      when they were counted last
--   cancel_from   -1, or of a task that is being canceled: rows above were never pushed
--   cancel_until  until when a process has the right to cancel rows
ALTER TABLE feeds ADD COLUMN pushed       bigint NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN room         bigint NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN stale        bigint NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN stale_at     bigint NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN cancel_from  bigint NOT NULL DEFAULT -1;
ALTER TABLE feeds ADD COLUMN cancel_until bigint NOT NULL DEFAULT 0;

-- How far a task was fed at a time: older jobs than that hold their slots since.
CREATE TABLE feed_marks (
    task_num bigint NOT NULL REFERENCES feeds (task_num) ON DELETE CASCADE,
    at       bigint NOT NULL,
    fed      bigint NOT NULL,
    PRIMARY KEY (task_num, at)
);

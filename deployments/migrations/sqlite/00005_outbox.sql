-- 00005_outbox: what is to be told when a task ends, to whom, and how it went.
--
-- Safe under the previous version: it neither reads nor writes these tables.

-- +goose Up
ALTER TABLE tasks ADD COLUMN callback_url text NOT NULL DEFAULT '';

-- One row per thing to be told, written in the transaction that made it true,
-- with the task as it stood then: it may have moved on when it is told.
--   detail  of jobs.exhausted: the seqs, as a JSON array
--   batch   who routed it; 0 while it waits
CREATE TABLE outbox (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    task_num    bigint  NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    tenant      text    NOT NULL,
    kind        text    NOT NULL,
    topic       text    NOT NULL,
    round       integer NOT NULL,
    detail      text    NOT NULL DEFAULT '',
    batch       bigint  NOT NULL DEFAULT 0,
    created_at  bigint  NOT NULL,
    status      text    NOT NULL,
    outcome     text    NOT NULL,
    total       bigint  NOT NULL,
    enqueue     bigint  NOT NULL,
    working     bigint  NOT NULL,
    finish      bigint  NOT NULL,
    failed      bigint  NOT NULL,
    error       bigint  NOT NULL,
    canceled    bigint  NOT NULL,
    retrying    bigint  NOT NULL,
    skipped     bigint  NOT NULL,
    started_at  bigint  NOT NULL,
    finished_at bigint  NOT NULL
);
-- Once per round of a task.
CREATE UNIQUE INDEX outbox_once_idx ON outbox (task_num, topic, round)
    WHERE topic IN ('task.finished', 'task.first_failure');
-- What waits to be routed: few rows, however many are kept.
CREATE INDEX outbox_waiting_idx ON outbox (id) WHERE batch = 0;
CREATE INDEX outbox_task_idx ON outbox (task_num);

CREATE TABLE webhooks (
    num         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          text    NOT NULL UNIQUE,
    tenant      text    NOT NULL,
    url         text    NOT NULL,
    topics      text    NOT NULL,
    secret      text    NOT NULL,
    enabled     boolean NOT NULL DEFAULT TRUE,
    created_at  bigint  NOT NULL,
    disabled_at bigint  NOT NULL DEFAULT 0
);
CREATE INDEX webhooks_tenant_idx ON webhooks (tenant, num DESC);

-- What deliveries to callback URLs are signed with.
CREATE TABLE callback_secrets (
    tenant     text   PRIMARY KEY,
    secret     text   NOT NULL,
    created_at bigint NOT NULL
);

-- One row per thing told and listener.
--   lane         how it is told: webhook, callback_url or callback (Go)
--   endpoint     what shares a fate: deliveries to one endpoint hold up no other
--   attempts     one JSON object a line, the newest last
CREATE TABLE deliveries (
    num         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          text    NOT NULL UNIQUE,
    notice      bigint  NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    webhook     text    REFERENCES webhooks (id) ON DELETE CASCADE,
    tenant      text    NOT NULL,
    lane        text    NOT NULL CHECK (lane IN ('webhook', 'callback_url', 'callback')),
    endpoint    text    NOT NULL,
    state       text    NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
    tries       integer NOT NULL DEFAULT 0,
    next_at     bigint  NOT NULL,
    claim       bigint  NOT NULL DEFAULT 0,
    claim_until bigint  NOT NULL DEFAULT 0,
    attempts    text    NOT NULL DEFAULT '',
    created_at  bigint  NOT NULL,
    settled_at  bigint  NOT NULL DEFAULT 0
);
CREATE INDEX deliveries_due_idx ON deliveries (next_at, num) WHERE state = 'waiting';
CREATE INDEX deliveries_webhook_idx ON deliveries (webhook, num DESC);
CREATE INDEX deliveries_notice_idx ON deliveries (notice);

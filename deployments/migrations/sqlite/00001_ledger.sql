-- 00001_ledger: tasks, their events, and what feeding and splitting need.
--
-- Times are unix milliseconds, 0 or NULL where not reached: the same numbers
-- in Go, SQLite and Postgres, free of time zones. JSON is kept as text: it is
-- read back whole and never searched into.

-- +goose Up
CREATE TABLE ledger (
    name  text   PRIMARY KEY,
    value bigint NOT NULL,
    note  text   NOT NULL DEFAULT ''
);
-- epoch: the last fencing token given to a shard lease; never goes back.
-- redis: the mark that the Redis in use must carry; another means wiped.
INSERT INTO ledger (name, value) VALUES ('epoch', 0), ('redis', 0);

CREATE TABLE tasks (
    num            INTEGER PRIMARY KEY AUTOINCREMENT CHECK (num < 2147483648),
    id             text    NOT NULL UNIQUE,
    tenant         text    NOT NULL,
    kind           text    NOT NULL,
    type           text    NOT NULL CHECK (type IN ('import', 'export', 'batch')),
    name           text    NOT NULL DEFAULT '',
    status         text    NOT NULL CHECK (status IN ('open', 'splitting', 'running', 'paused', 'canceling',
                                                      'finished', 'finished_with_failures', 'failed', 'canceled')),
    outcome        text    NOT NULL DEFAULT '',
    priority       integer NOT NULL DEFAULT 0,
    created_by     text    NOT NULL DEFAULT '',
    labels         text    NOT NULL DEFAULT '{}',
    options        text    NOT NULL DEFAULT '{}',
    problem        text,
    file_id        text    NOT NULL DEFAULT '',
    file_name      text    NOT NULL DEFAULT '',
    file_sheet     text    NOT NULL DEFAULT '',
    file_size      bigint  NOT NULL DEFAULT 0,
    file_format    text    NOT NULL DEFAULT '',
    file_sha256    text    NOT NULL DEFAULT '',
    header_row     integer NOT NULL DEFAULT 0,
    columns        text    NOT NULL DEFAULT '[]',
    total          bigint  NOT NULL DEFAULT 0,
    total_is_final boolean NOT NULL DEFAULT FALSE,
    enqueue        bigint  NOT NULL DEFAULT 0 CHECK (enqueue >= 0),
    working        bigint  NOT NULL DEFAULT 0 CHECK (working >= 0),
    finish         bigint  NOT NULL DEFAULT 0 CHECK (finish >= 0),
    failed         bigint  NOT NULL DEFAULT 0 CHECK (failed >= 0),
    error          bigint  NOT NULL DEFAULT 0 CHECK (error >= 0),
    canceled       bigint  NOT NULL DEFAULT 0 CHECK (canceled >= 0),
    retrying       bigint  NOT NULL DEFAULT 0 CHECK (retrying >= 0),
    skipped        bigint  NOT NULL DEFAULT 0 CHECK (skipped >= 0),
    round          integer NOT NULL DEFAULT 1,
    version        bigint  NOT NULL DEFAULT 1,
    created_at     bigint  NOT NULL,
    started_at     bigint  NOT NULL DEFAULT 0,
    moved_at       bigint  NOT NULL DEFAULT 0,
    finished_at    bigint  NOT NULL DEFAULT 0,
    expires_at     bigint  NOT NULL DEFAULT 0,
    split_claim    bigint  NOT NULL DEFAULT 0,
    split_until    bigint  NOT NULL DEFAULT 0,
    CONSTRAINT counts_sum_to_total CHECK (total = enqueue + working + finish + failed + error + canceled)
);

-- The list of one tenant, newest first.
CREATE INDEX tasks_tenant_idx ON tasks (tenant, num DESC);
-- What splitters look for: few rows, however many tasks are kept.
CREATE INDEX tasks_unsplit_idx ON tasks (num) WHERE NOT total_is_final;

-- One row per task that is not done: what the feeder still has to push.
--   fed          the last seq it has pushed
--   unfed        rows above it that wait
--   again_to     up to here rows were pushed to a Redis that was wiped
--   again_from   and up to here they have been pushed again
--   claim_until  0 once a feeder has noted its push: else, it died before
CREATE TABLE feeds (
    task_num    bigint  PRIMARY KEY REFERENCES tasks (num) ON DELETE CASCADE,
    fed         bigint  NOT NULL DEFAULT 0,
    unfed       bigint  NOT NULL DEFAULT 0 CHECK (unfed >= 0),
    again_from  bigint  NOT NULL DEFAULT 0,
    again_to    bigint  NOT NULL DEFAULT 0,
    claim       bigint  NOT NULL DEFAULT 0,
    claim_until bigint  NOT NULL DEFAULT 0
);

CREATE TABLE events (
    id          INTEGER  PRIMARY KEY,
    row         integer  NOT NULL,
    key         text     NOT NULL,
    status      text     NOT NULL,
    attempt     smallint NOT NULL DEFAULT 0,
    params      text     NOT NULL,
    code        text,
    col         text,
    value       text,
    message     text,
    hint        text,
    fields      text,
    result      text,
    messages    text,
    queued_at   bigint,
    started_at  bigint,
    finished_at bigint,
    next_run_at bigint,
    version     integer  NOT NULL DEFAULT 1,
    CONSTRAINT status_known CHECK (status IN ('enqueue', 'working', 'finish', 'failed', 'error', 'canceled'))
);
-- The rows a person or an operator must look at, in file order.
CREATE INDEX events_bad_idx ON events (id) WHERE status IN ('failed', 'error');

CREATE TABLE error_groups (
    task_num  bigint  NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    status    text    NOT NULL,
    code      text    NOT NULL,
    col       text    NOT NULL,
    count     bigint  NOT NULL,
    first_row integer NOT NULL,
    PRIMARY KEY (task_num, status, code, col)
);

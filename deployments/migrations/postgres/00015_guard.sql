-- 00015_guard: requests that are answered once, quotas of tenants, the
-- service's own secrets.
--
-- Safe under the previous version: it knows neither the tables nor the columns,
-- and each column has a default that changes nothing.

-- +goose Up

-- Requests with an Idempotency-Key, owned by package idempotency.
--   target      what is asked for: method, path and query, in short
--   ref         a name for what the request makes, the same for all who try it
--   owner       who answers it, a random number; counts until, in unix ms
--   print       fingerprint of the request, once it is known; hex
--   mark        what its effect left, written in the transaction of the effect
--   status      of the answer; 0: there is none yet
--   head, body  the answer; the body is packed
CREATE TABLE idempotency (
    tenant     text    NOT NULL,
    key        text    NOT NULL,
    target     text    NOT NULL,
    ref        text    NOT NULL,
    owner      bigint  NOT NULL,
    until      bigint  NOT NULL,
    print      text    NOT NULL DEFAULT '',
    mark       text    NOT NULL DEFAULT '',
    status     integer NOT NULL DEFAULT 0,
    head       text    NOT NULL DEFAULT '',
    body       bytea,
    expires_at bigint  NOT NULL,
    PRIMARY KEY (tenant, key)
);
-- What is to be swept.
CREATE INDEX idempotency_expiry_idx ON idempotency (expires_at);

-- Secrets that all processes share, made by whoever asks first; hex.
CREATE TABLE secrets (
    name   text PRIMARY KEY,
    secret text NOT NULL
);

--   rate   most requests of one credential in a minute; 0 is the service's own
--   tasks  most tasks that are not done; 0 is any number, here and below
--   jobs   most rows that are not at rest
--   bytes  most bytes of stored files
ALTER TABLE limits ADD COLUMN rate  bigint NOT NULL DEFAULT 0 CHECK (rate >= 0);
ALTER TABLE limits ADD COLUMN tasks bigint NOT NULL DEFAULT 0 CHECK (tasks >= 0);
ALTER TABLE limits ADD COLUMN jobs  bigint NOT NULL DEFAULT 0 CHECK (jobs >= 0);
ALTER TABLE limits ADD COLUMN bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0);

-- What quotas count: tasks that are not done, and files that are there.
CREATE INDEX tasks_unfinished_idx ON tasks (tenant) WHERE finished_at = 0;
CREATE INDEX tasks_stored_idx ON tasks (tenant) WHERE file_id <> '' AND file_purged_at = 0;

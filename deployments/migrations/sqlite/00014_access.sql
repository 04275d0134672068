-- 00014_access: API keys, owned by package access.
--
-- Safe under the previous version: it neither reads nor writes these tables.

-- +goose Up

-- A key stays here when it is revoked, so that what it did keeps a name.
CREATE TABLE api_keys (
    num          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           text    NOT NULL UNIQUE,
    prefix       text    NOT NULL,
    tenant       text    NOT NULL,
    name         text    NOT NULL,
    role         text    NOT NULL CHECK (role IN ('viewer', 'reviewer', 'operator', 'admin')),
    created_by   text    NOT NULL,
    created_at   bigint  NOT NULL,
    expires_at   bigint  NOT NULL DEFAULT 0,
    revoked_at   bigint  NOT NULL DEFAULT 0,
    last_used_at bigint  NOT NULL DEFAULT 0
);
CREATE INDEX api_keys_tenant_idx ON api_keys (tenant, num DESC);

-- What opens a key: its secrets, several after a rotation, and sessions.
--   prefix  begins with rcl_ (secret) or rcs_ (session)
--   digest  SHA-256 in hex
--   until   unix ms; 0: as long as the key
CREATE TABLE api_secrets (
    prefix     text   PRIMARY KEY,
    key_id     text   NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    digest     text   NOT NULL,
    created_at bigint NOT NULL,
    until      bigint NOT NULL DEFAULT 0
);
CREATE INDEX api_secrets_key_idx ON api_secrets (key_id);
CREATE INDEX api_secrets_until_idx ON api_secrets (until) WHERE until > 0;

-- Who changed which key, written in the transaction that did.
CREATE TABLE api_key_changes (
    num          INTEGER PRIMARY KEY AUTOINCREMENT,
    at           bigint  NOT NULL,
    tenant       text    NOT NULL,
    key          text    NOT NULL,
    actor        text    NOT NULL,
    act          text    NOT NULL,
    detail       text    NOT NULL DEFAULT ''
);
CREATE INDEX api_key_changes_key_idx ON api_key_changes (key, num DESC);

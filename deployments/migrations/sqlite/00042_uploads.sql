-- 00042_uploads: files that arrive in parts, and which heading was imported as which column.
--
-- Forward only. Safe while the previous version runs, which reads neither table.

-- +goose Up
-- A file without a task yet. Owned by package uploads.
--   received    bytes from the begin that are stored; grows with each part
--   task_id     id of the task that it becomes, the same for each attempt
--   options     how it is read, in JSON
--   file_id     the whole file in the blob store; empty while it is in parts
--   started_at  unix ms at which it became a task; 0: it waits
CREATE TABLE uploads (
    id         text   PRIMARY KEY,
    tenant     text   NOT NULL,
    made_by    text   NOT NULL,
    name       text   NOT NULL,
    size       bigint NOT NULL CHECK (size >= 0),
    received   bigint NOT NULL CHECK (received BETWEEN 0 AND size),
    kind       text   NOT NULL,
    task_name  text   NOT NULL,
    task_id    text   NOT NULL,
    options    text   NOT NULL,
    file_id    text   NOT NULL,
    sha256     text   NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    started_at bigint NOT NULL DEFAULT 0
);
CREATE INDEX uploads_tenant_idx ON uploads (tenant, expires_at);
CREATE INDEX uploads_expiry_idx ON uploads (expires_at);

-- The stored parts of an upload. Owned by package uploads.
CREATE TABLE upload_parts (
    upload   text   NOT NULL,
    position bigint NOT NULL,
    size     bigint NOT NULL,
    file_id  text   NOT NULL,
    sha256   text   NOT NULL,
    PRIMARY KEY (upload, position)
);

-- What the headings of a file were imported as. Owned by package mappings.
--   print      hash of the headings, in any order and case
--   fields     heading to field, in JSON
--   confirmed  the task has ended with rows that succeeded
CREATE TABLE mappings (
    id        text    PRIMARY KEY,
    tenant    text    NOT NULL,
    kind      text    NOT NULL,
    print     text    NOT NULL,
    name      text    NOT NULL,
    headings  text    NOT NULL,
    fields    text    NOT NULL,
    made_by   text    NOT NULL,
    task_id   text    NOT NULL,
    confirmed boolean NOT NULL,
    used_at   bigint  NOT NULL
);
CREATE INDEX mappings_print_idx ON mappings (tenant, kind, print, id);
CREATE INDEX mappings_open_idx ON mappings (tenant) WHERE NOT confirmed;
CREATE INDEX mappings_use_idx ON mappings (used_at);

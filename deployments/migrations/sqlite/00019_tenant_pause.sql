-- 00019_tenant_pause: whether a tenant is paused, owned by package tasks.
--
-- Forward only. Safe while the previous version runs: it does not know the column
-- and goes on feeding; a tenant is paused once every process is of this version.

-- +goose Up
-- paused: nothing more of the tenant is handed to Redis.
ALTER TABLE limits ADD COLUMN paused boolean NOT NULL DEFAULT FALSE;

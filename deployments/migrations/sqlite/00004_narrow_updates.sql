-- 00004_narrow_updates: the column by which Postgres finds bad rows, so that
-- the same queries run here; the index stays as it is.

-- +goose Up
ALTER TABLE events ADD COLUMN bad boolean NOT NULL
    GENERATED ALWAYS AS (status IN ('failed', 'error')) VIRTUAL;

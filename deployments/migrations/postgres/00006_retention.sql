-- 00006_retention: events in partitions, and what retention has to know.
--
-- Safe while the previous version runs: it knows only the name events, which
-- becomes the parent of what was the table and of later partitions; no row is
-- copied, and the one scan, which proves that all rows lie below the first
-- boundary, locks nobody out. Each step may be repeated after a crash.

-- +goose NO TRANSACTION
-- +goose Up

-- keep       ms for which a task is kept once it is done
-- purged_at  when it was purged: the row that is left tells only that it was
-- file_purged_at  when its uploaded file was deleted
ALTER TABLE tasks ADD COLUMN IF NOT EXISTS keep bigint NOT NULL DEFAULT 7776000000;
ALTER TABLE tasks ADD COLUMN IF NOT EXISTS purged_at bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN IF NOT EXISTS file_purged_at bigint NOT NULL DEFAULT 0;

-- What is to be purged next, however many tasks are kept.
CREATE INDEX IF NOT EXISTS tasks_expiry_idx ON tasks (expires_at)
    WHERE finished_at > 0 AND purged_at = 0;
-- Whose file is to be deleted next.
CREATE INDEX IF NOT EXISTS tasks_file_expiry_idx ON tasks (finished_at)
    WHERE finished_at > 0 AND file_id <> '' AND file_purged_at = 0;
-- Whose file it is.
CREATE INDEX IF NOT EXISTS tasks_file_idx ON tasks (file_id) WHERE file_id <> '';

-- keeper, sweeper: unix ms until which the process in note does that work.
-- rotation: when, in unix ms, numbers of tasks last went on to the next block.
-- partition: the first block that has a partition of its own.
INSERT INTO ledger (name, value)
VALUES ('keeper', 0), ('sweeper', 0), ('rotation', 0), ('partition', 0)
ON CONFLICT (name) DO NOTHING;

-- A block is 65,536 numbers of tasks: a number shifted right by 16. There are
-- at least as many numbers left below the first boundary.
-- +goose StatementBegin
DO $$
DECLARE
    first bigint;
BEGIN
    IF to_regclass('events_b0') IS NOT NULL OR EXISTS (
        SELECT FROM pg_constraint WHERE conrelid = 'events'::regclass AND conname = 'events_bound')
    THEN
        RETURN;
    END IF;
    SELECT (coalesce(max(num), 0) >> 16) + 2 INTO first FROM tasks;
    UPDATE ledger SET value = first WHERE name = 'partition';
    EXECUTE format('ALTER TABLE events ADD CONSTRAINT events_bound CHECK (id < %s) NOT VALID', first << 48);
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    IF to_regclass('events_b0') IS NULL THEN
        ALTER TABLE events VALIDATE CONSTRAINT events_bound;
    END IF;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE
    bound bigint;
BEGIN
    IF to_regclass('events_b0') IS NOT NULL THEN
        RETURN;
    END IF;
    SELECT value << 48 INTO bound FROM ledger WHERE name = 'partition';
    ALTER TABLE events RENAME TO events_b0;
    ALTER TABLE events_b0 RENAME CONSTRAINT events_pkey TO events_b0_pkey;
    ALTER INDEX events_bad_idx RENAME TO events_b0_bad_idx;
    CREATE TABLE events (LIKE events_b0 INCLUDING ALL) PARTITION BY RANGE (id);
    ALTER TABLE events DROP CONSTRAINT events_bound;
    IF to_regclass('events_id_idx') IS NOT NULL THEN
        ALTER INDEX events_id_idx RENAME TO events_bad_idx;
    END IF;
    EXECUTE format('ALTER TABLE events ATTACH PARTITION events_b0 FOR VALUES FROM (MINVALUE) TO (%s)', bound);
    ALTER TABLE events_b0 DROP CONSTRAINT events_bound;
END $$;
-- +goose StatementEnd

-- events_room makes the partition of a block, unless it is there or the first
-- one, events_b0, holds it. It tells whether it made one. A partition stores
-- as the one before does (fillfactor and the like are not inherited).
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION events_room(block bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    name text := 'events_b' || block;
    upto text := CASE WHEN block >= 32767 THEN 'MAXVALUE' ELSE ((block + 1) << 48)::text END;
    how  text;
BEGIN
    IF block < (SELECT value FROM ledger l WHERE l.name = 'partition') OR to_regclass(name) IS NOT NULL THEN
        RETURN FALSE;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('events_room', 0));
    IF to_regclass(name) IS NOT NULL THEN
        RETURN FALSE;
    END IF;
    SELECT array_to_string(c.reloptions, ', ') INTO how
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass AND NOT i.inhdetachpending
    ORDER BY c.oid DESC LIMIT 1;
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING ALL)%s', name, coalesce(' WITH (' || how || ')', ''));
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', name, block << 48, upto);
    RETURN TRUE;
END $$;
-- +goose StatementEnd

SELECT events_room(value) FROM ledger WHERE name = 'partition';

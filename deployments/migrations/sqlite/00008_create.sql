-- 00008_create: what keeps work from being there twice, families of tasks, and
-- tasks that start later.
--
-- Forward only. Safe while the previous version runs: it does not know the
-- columns, and its tasks have neither parent nor key.
--
--   dedup_key      what must not be there twice; given up when it counts no more
--   parent         number of the parent, 0 if none; parent_id is what it is called
--   depth          how many ancestors there are
--   children       tasks that have this one as their parent,
--   children_done  and those of them that are done
--   run_at         nothing is fed before, unix ms; 0 means at once

-- +goose Up
ALTER TABLE tasks ADD COLUMN dedup_key text;
ALTER TABLE tasks ADD COLUMN parent bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN parent_id text NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN depth integer NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN children bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN children_done bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN run_at bigint NOT NULL DEFAULT 0;

-- Of two that create the same at once, one wins.
CREATE UNIQUE INDEX tasks_dedup_idx ON tasks (dedup_key) WHERE dedup_key IS NOT NULL;
-- The children of a task, for canceling them with it.
CREATE INDEX tasks_parent_idx ON tasks (parent) WHERE parent > 0;

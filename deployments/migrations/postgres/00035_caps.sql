-- 00035_caps: limits of tenants that the owner of the service sets, owned by package tasks.
--
-- Forward only. Safe while the previous version runs: it does not know the columns, and sets
-- limits without them. The limits that are there become those of the owner.

-- +goose Up

--   priority   the highest priority of new tasks; 0 is that of the service
--   schedules  the most schedules; 0 is the number of the service
--   most_...   what the owner allows of each limit; 0 is any number. A limit is never above it.
--   stopped    the owner has paused the tenant, so that its operators cannot resume it
ALTER TABLE limits ADD COLUMN priority         bigint  NOT NULL DEFAULT 0 CHECK (priority >= 0);
ALTER TABLE limits ADD COLUMN schedules        bigint  NOT NULL DEFAULT 0 CHECK (schedules >= 0);
ALTER TABLE limits ADD COLUMN most_slots       bigint  NOT NULL DEFAULT 0;
ALTER TABLE limits ADD COLUMN most_window_rows bigint  NOT NULL DEFAULT 0;
ALTER TABLE limits ADD COLUMN most_rate        bigint  NOT NULL DEFAULT 0;
ALTER TABLE limits ADD COLUMN most_tasks       bigint  NOT NULL DEFAULT 0;
ALTER TABLE limits ADD COLUMN most_jobs        bigint  NOT NULL DEFAULT 0;
ALTER TABLE limits ADD COLUMN most_bytes       bigint  NOT NULL DEFAULT 0;
ALTER TABLE limits ADD COLUMN most_priority    bigint  NOT NULL DEFAULT 0;
ALTER TABLE limits ADD COLUMN most_schedules   bigint  NOT NULL DEFAULT 0;
ALTER TABLE limits ADD COLUMN stopped          boolean NOT NULL DEFAULT FALSE;
UPDATE limits SET most_slots = slots, most_window_rows = window_rows, most_rate = rate, most_tasks = tasks,
    most_jobs = jobs, most_bytes = bytes;

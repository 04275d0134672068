-- 00018_schedules: tasks that are made again and again, owned by package tasks.
--
-- Forward only. Safe while the previous version runs: it knows neither the table
-- nor the columns, whose defaults say that nobody has scheduled the task.

-- +goose Up
-- Times are unix ms, 0 if there is none.
--   cron, time_zone  when: five fields, and a zone of the IANA
--   catch_up         what becomes of runs whose time passed while nobody was there
--   request          the JSON that POST /tasks would get
--   version          of what people can change
--   next_run_at      the time that the next run is planned for
--   due_at           when to start it: then, or later after a failure
--   last_run_at, last_task_id   the last run that was started, by plan or by hand
--   problem, failures   why the next run could not be started, JSON, and how often
CREATE TABLE schedules (
    num          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           text    NOT NULL UNIQUE,
    tenant       text    NOT NULL,
    name         text    NOT NULL,
    cron         text    NOT NULL,
    time_zone    text    NOT NULL,
    catch_up     text    NOT NULL CHECK (catch_up IN ('skip', 'once', 'all')),
    request      text    NOT NULL,
    paused       boolean NOT NULL DEFAULT FALSE,
    created_by   text    NOT NULL,
    created_at   bigint  NOT NULL,
    updated_at   bigint  NOT NULL,
    version      bigint  NOT NULL,
    next_run_at  bigint  NOT NULL,
    due_at       bigint  NOT NULL,
    last_run_at  bigint  NOT NULL DEFAULT 0,
    last_task_id text    NOT NULL DEFAULT '',
    problem      text,
    failures     integer NOT NULL DEFAULT 0
);
CREATE INDEX schedules_tenant_idx ON schedules (tenant, num DESC);
-- What is to be started.
CREATE INDEX schedules_due_idx ON schedules (due_at) WHERE NOT paused;

-- Which schedule made a task, and for what time; 0: somebody did not want to
-- wait. A time of a schedule has one task, whoever makes it.
ALTER TABLE tasks ADD COLUMN schedule_id text NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN planned_at bigint NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX tasks_planned_idx ON tasks (schedule_id, planned_at) WHERE planned_at > 0;
-- The tasks of one schedule, newest first.
CREATE INDEX tasks_schedule_idx ON tasks (schedule_id, num DESC) WHERE schedule_id <> '';

-- 00001_ledger.sql: the tables of Rollcall on SQLite.
--
-- Contract: package internal/ledger applies this file in one transaction, as one statement: goose takes a
-- buffer of 4 MiB for each line in which it looks for the end of a statement. Names carry no schema: a
-- SQLite file has one. postgres/00001_ledger.sql creates the same tables and describes their columns;
-- both files change together.

-- +goose Up
-- +goose StatementBegin

-- ---------------------------------------------------------------- package ledger

CREATE TABLE ledger (
    name  text   PRIMARY KEY,
    value bigint NOT NULL,
    note  text   NOT NULL DEFAULT ''
);
INSERT INTO ledger (name, value) VALUES
    ('epoch', 0), ('redis', 0), ('cancels', 0), ('retention', 0), ('sweeper', 0), ('oldest', 1), ('after', 0);

-- Secrets that all processes share, in hex. The first process that needs a secret creates it.
CREATE TABLE secrets (
    name   text PRIMARY KEY,
    secret text NOT NULL
);

-- ---------------------------------------------------------------- package tasks

-- Tasks. num orders them by creation; id is the public name.
CREATE TABLE tasks (
    num              INTEGER PRIMARY KEY AUTOINCREMENT CHECK (num < 2147483648),
    id               text     NOT NULL UNIQUE,
    tenant           text     NOT NULL,
    kind             text     NOT NULL,
    type             text     NOT NULL CHECK (type IN ('import', 'export', 'batch')),
    name             text     NOT NULL DEFAULT '',
    status           text     NOT NULL CHECK (status IN ('open', 'splitting', 'running', 'paused', 'canceling',
                                                         'finished', 'finished_with_failures', 'failed', 'canceled')),
    outcome          text     NOT NULL DEFAULT '',
    priority         integer  NOT NULL DEFAULT 0,
    created_by       text     NOT NULL DEFAULT '',
    labels           text     NOT NULL DEFAULT '{}',
    options          text     NOT NULL DEFAULT '{}',
    problem          text,
    hold             text     NOT NULL DEFAULT '',
    work             smallint NOT NULL DEFAULT 0,
    rerun            boolean  NOT NULL DEFAULT FALSE,
    late             smallint NOT NULL DEFAULT 0 CHECK (late IN (0, 1, 2)),
    late_at          bigint   NOT NULL DEFAULT 0,
    sweep            smallint NOT NULL DEFAULT 0,
    file_id          text     NOT NULL DEFAULT '',
    file_name        text     NOT NULL DEFAULT '',
    file_sheet       text     NOT NULL DEFAULT '',
    file_size        bigint   NOT NULL DEFAULT 0,
    file_format      text     NOT NULL DEFAULT '',
    file_sha256      text     NOT NULL DEFAULT '',
    file_encoding    text     NOT NULL DEFAULT '',
    file_delimiter   text     NOT NULL DEFAULT '',
    header_row       integer  NOT NULL DEFAULT 0,
    columns          text     NOT NULL DEFAULT '[]',
    param_names      text,
    warnings         text     NOT NULL DEFAULT '[]',
    total            bigint   NOT NULL DEFAULT 0,
    total_is_final   boolean  NOT NULL DEFAULT FALSE,
    enqueue          bigint   NOT NULL DEFAULT 0 CHECK (enqueue >= 0),
    working          bigint   NOT NULL DEFAULT 0 CHECK (working >= 0),
    finish           bigint   NOT NULL DEFAULT 0 CHECK (finish >= 0),
    failed           bigint   NOT NULL DEFAULT 0 CHECK (failed >= 0),
    error            bigint   NOT NULL DEFAULT 0 CHECK (error >= 0),
    canceled         bigint   NOT NULL DEFAULT 0 CHECK (canceled >= 0),
    retrying         bigint   NOT NULL DEFAULT 0 CHECK (retrying >= 0),
    skipped          bigint   NOT NULL DEFAULT 0 CHECK (skipped >= 0),
    superseded       bigint   NOT NULL DEFAULT 0 CHECK (superseded >= 0),
    max_failures     bigint,
    progress_done    bigint   NOT NULL DEFAULT 0,
    progress_total   bigint   NOT NULL DEFAULT 0,
    progress_text    text     NOT NULL DEFAULT '',
    round            integer  NOT NULL DEFAULT 1,
    ran_ms           bigint   NOT NULL DEFAULT 0,
    round_at         bigint   NOT NULL DEFAULT 0,
    version          bigint   NOT NULL DEFAULT 1,
    created_at       bigint   NOT NULL,
    run_at           bigint   NOT NULL DEFAULT 0,
    started_at       bigint   NOT NULL DEFAULT 0,
    moved_at         bigint   NOT NULL DEFAULT 0,
    finished_at      bigint   NOT NULL DEFAULT 0,
    expires_at       bigint   NOT NULL DEFAULT 0,
    keep             bigint   NOT NULL DEFAULT 7776000000,
    purged_at        bigint   NOT NULL DEFAULT 0,
    file_purged_at   bigint   NOT NULL DEFAULT 0,
    split_claim      bigint   NOT NULL DEFAULT 0,
    split_until      bigint   NOT NULL DEFAULT 0,
    callback_url     text     NOT NULL DEFAULT '',
    dedup_key        text,
    parent           bigint   NOT NULL DEFAULT 0,
    parent_id        text     NOT NULL DEFAULT '',
    depth            integer  NOT NULL DEFAULT 0,
    children         bigint   NOT NULL DEFAULT 0,
    children_done    bigint   NOT NULL DEFAULT 0,
    after_ids        text     NOT NULL DEFAULT '[]',
    after_well       boolean  NOT NULL DEFAULT FALSE,
    awaits           bigint   NOT NULL DEFAULT 0 CHECK (awaits >= 0),
    followers        bigint   NOT NULL DEFAULT 0,
    schedule_id      text     NOT NULL DEFAULT '',
    planned_at       bigint   NOT NULL DEFAULT 0,
    unmerged         boolean  NOT NULL DEFAULT FALSE,
    result_id        text     NOT NULL DEFAULT '',
    result_name      text     NOT NULL DEFAULT '',
    result_size      bigint   NOT NULL DEFAULT 0,
    result_sha256    text     NOT NULL DEFAULT '',
    result_rows      bigint   NOT NULL DEFAULT 0,
    result_purged_at bigint   NOT NULL DEFAULT 0,
    CONSTRAINT counts_sum_to_total CHECK (total = enqueue + working + finish + failed + error + canceled)
);

-- Lists of a tenant, newest first: all tasks, by author, by age.
CREATE INDEX tasks_tenant_idx ON tasks (tenant, num DESC);
CREATE INDEX tasks_author_idx ON tasks (tenant, created_by, num DESC) WHERE created_by <> '';
CREATE INDEX tasks_age_idx ON tasks (tenant, created_at, num);
-- The page of imports: imports of a tenant by status, and those with rows whose retries are exhausted,
-- newest first. Imports are tasks with columns; tasks of Go programs have none and write no entry.
CREATE INDEX tasks_imports_idx ON tasks (tenant, status, num DESC)
    WHERE type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0;
CREATE INDEX tasks_errors_idx ON tasks (tenant, num DESC)
    WHERE error > 0 AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0;
-- The tasks of a schedule, newest first, and one task for each planned time.
CREATE INDEX tasks_schedule_idx ON tasks (schedule_id, num DESC) WHERE schedule_id <> '';
CREATE UNIQUE INDEX tasks_planned_idx ON tasks (schedule_id, planned_at) WHERE planned_at > 0;
-- The next task of each tenant and kind at each stage of work, found without reading later tasks.
CREATE INDEX tasks_work_idx ON tasks (work, tenant, kind, priority DESC, num) WHERE work > 0;
-- Of two processes that create the same task at once, one succeeds.
CREATE UNIQUE INDEX tasks_dedup_idx ON tasks (dedup_key) WHERE dedup_key IS NOT NULL;
-- The children of a task, which are canceled with it.
CREATE INDEX tasks_parent_idx ON tasks (parent) WHERE parent > 0;
-- Quotas count tasks that are not done, and stored files.
CREATE INDEX tasks_unfinished_idx ON tasks (tenant) WHERE finished_at = 0;
CREATE INDEX tasks_stored_idx ON tasks (tenant) WHERE file_id <> '' AND file_purged_at = 0;
CREATE INDEX tasks_results_idx ON tasks (tenant) WHERE result_id <> '' AND result_purged_at = 0;
-- The task of an upload, and the task of a result.
CREATE INDEX tasks_file_idx ON tasks (file_id) WHERE file_id <> '';
CREATE UNIQUE INDEX tasks_result_idx ON tasks (result_id) WHERE result_id <> '';
CREATE INDEX tasks_files_idx ON tasks (tenant, kind, num) WHERE file_sha256 <> '';
-- Retention: the next task and the next file to delete, and the oldest task that is kept. The
-- second condition of the last index keeps planners from reading it for other queries.
CREATE INDEX tasks_expiry_idx ON tasks (expires_at) WHERE finished_at > 0 AND purged_at = 0;
CREATE INDEX tasks_file_expiry_idx ON tasks (finished_at)
    WHERE finished_at > 0 AND file_id <> '' AND file_purged_at = 0;
CREATE INDEX tasks_sweep_idx ON tasks (num) WHERE sweep > 0;
CREATE INDEX tasks_kept_idx ON tasks (created_at) WHERE purged_at = 0 AND created_at > 0;

-- task_work returns the work that a task waits for.
CREATE VIEW task_work AS SELECT num, CASE
    WHEN finished_at > 0 OR status NOT IN ('open', 'splitting', 'running', 'paused') THEN 0
    WHEN NOT total_is_final AND file_id <> '' THEN 1
    WHEN NOT total_is_final AND type = 'export' THEN CASE WHEN awaits > 0 THEN 0 ELSE 2 END
    WHEN NOT total_is_final AND split_claim <> 0 THEN 4
    WHEN unmerged AND total_is_final AND finish = total AND problem IS NULL THEN 3
    ELSE 0 END AS work
FROM tasks;

CREATE TRIGGER tasks_work_made AFTER INSERT ON tasks
BEGIN
    UPDATE tasks SET work = (SELECT w.work FROM task_work w WHERE w.num = NEW.num)
    WHERE num = NEW.num AND work <> (SELECT w.work FROM task_work w WHERE w.num = NEW.num);
END;

CREATE TRIGGER tasks_work_changed
AFTER UPDATE OF status, total_is_final, split_claim, finish, total, unmerged, problem, finished_at, awaits ON tasks
BEGIN
    UPDATE tasks SET work = (SELECT w.work FROM task_work w WHERE w.num = NEW.num)
    WHERE num = NEW.num AND work <> (SELECT w.work FROM task_work w WHERE w.num = NEW.num);
END;

-- The tasks that a task starts after. met: that task has ended in the way that this task requires.
CREATE TABLE task_after (
    task_num  bigint  NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    after_num bigint  NOT NULL,
    met       boolean NOT NULL,
    PRIMARY KEY (task_num, after_num)
) WITHOUT ROWID;
CREATE INDEX task_after_open_idx ON task_after (after_num) WHERE NOT met;

-- The labels of tasks that are not purged, one a row. Lists by label read the key, newest first.
CREATE TABLE task_labels (
    tenant   text   NOT NULL,
    name     text   NOT NULL,
    value    text   NOT NULL,
    task_num bigint NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    PRIMARY KEY (tenant, name, value, task_num)
) WITHOUT ROWID;
CREATE INDEX task_labels_task_idx ON task_labels (task_num);

CREATE TRIGGER tasks_labels_made AFTER INSERT ON tasks WHEN NEW.labels LIKE '{"%'
BEGIN
    INSERT OR IGNORE INTO task_labels (tenant, name, value, task_num)
    SELECT NEW.tenant, key, value, NEW.num FROM json_each(NEW.labels);
END;

CREATE TRIGGER tasks_labels_changed AFTER UPDATE OF labels ON tasks WHEN OLD.labels <> NEW.labels
BEGIN
    DELETE FROM task_labels WHERE task_num = NEW.num;
    INSERT OR IGNORE INTO task_labels (tenant, name, value, task_num)
    SELECT NEW.tenant, key, value, NEW.num FROM json_each(NEW.labels) WHERE NEW.labels LIKE '{"%';
END;

-- Limits of tenants. A tenant without a row has the limits of the service. 0: no limit.
CREATE TABLE limits (
    tenant           text    PRIMARY KEY,
    slots            bigint  NOT NULL DEFAULT 0 CHECK (slots >= 0),
    window_rows      bigint  NOT NULL DEFAULT 0 CHECK (window_rows >= 0),
    cancels          bigint  NOT NULL DEFAULT 0,
    changed_at       bigint  NOT NULL DEFAULT 0,
    rate             bigint  NOT NULL DEFAULT 0 CHECK (rate >= 0),
    tasks            bigint  NOT NULL DEFAULT 0 CHECK (tasks >= 0),
    jobs             bigint  NOT NULL DEFAULT 0 CHECK (jobs >= 0),
    bytes            bigint  NOT NULL DEFAULT 0 CHECK (bytes >= 0),
    paused           boolean NOT NULL DEFAULT FALSE,
    weight           bigint  NOT NULL DEFAULT 1,
    priority         bigint  NOT NULL DEFAULT 0 CHECK (priority >= 0),
    schedules        bigint  NOT NULL DEFAULT 0 CHECK (schedules >= 0),
    most_slots       bigint  NOT NULL DEFAULT 0,
    most_window_rows bigint  NOT NULL DEFAULT 0,
    most_rate        bigint  NOT NULL DEFAULT 0,
    most_tasks       bigint  NOT NULL DEFAULT 0,
    most_jobs        bigint  NOT NULL DEFAULT 0,
    most_bytes       bigint  NOT NULL DEFAULT 0,
    most_priority    bigint  NOT NULL DEFAULT 0,
    most_schedules   bigint  NOT NULL DEFAULT 0,
    stopped          boolean NOT NULL DEFAULT FALSE,
    run_hours        text    NOT NULL DEFAULT ''
);

-- ---------------------------------------------------------------- feeding

-- Lanes. The rows of one tenant and kind share a window and are fed in one order.
CREATE TABLE lanes (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant      text    NOT NULL,
    kind        text    NOT NULL,
    pushed      bigint  NOT NULL DEFAULT 0,
    claim       bigint  NOT NULL DEFAULT 0,
    claim_until bigint  NOT NULL DEFAULT 0,
    claimed     text    NOT NULL DEFAULT '',
    room        bigint  NOT NULL DEFAULT 0,
    reach       bigint  NOT NULL DEFAULT 0,
    place       bigint  NOT NULL DEFAULT 0,
    doubted     boolean NOT NULL DEFAULT FALSE,
    stir_at     bigint  NOT NULL DEFAULT 0,
    UNIQUE (tenant, kind)
);

-- Feeds: what the feeder still has to push, one row for each task that is not done.
CREATE TABLE feeds (
    task_num     bigint  PRIMARY KEY REFERENCES tasks (num) ON DELETE CASCADE,
    fed          bigint  NOT NULL DEFAULT 0,
    unfed        bigint  NOT NULL DEFAULT 0 CHECK (unfed >= 0),
    back         bigint  NOT NULL DEFAULT 0,
    held         bigint  NOT NULL DEFAULT 0,
    again_from   bigint  NOT NULL DEFAULT 0,
    again_to     bigint  NOT NULL DEFAULT 0,
    claim        bigint  NOT NULL DEFAULT 0,
    claim_until  bigint  NOT NULL DEFAULT 0,
    pushed       bigint  NOT NULL DEFAULT 0,
    room         bigint  NOT NULL DEFAULT 0,
    reach        bigint  NOT NULL DEFAULT 0,
    stale        bigint  NOT NULL DEFAULT 0,
    stale_at     bigint  NOT NULL DEFAULT 0,
    cancel_from  bigint  NOT NULL DEFAULT -1,
    cancel_until bigint  NOT NULL DEFAULT 0,
    lane         bigint  NOT NULL DEFAULT 0,
    rank         bigint  NOT NULL DEFAULT 0,
    due_at       bigint  NOT NULL DEFAULT 0,
    reading      boolean NOT NULL DEFAULT FALSE
);
-- The next tasks of a lane: new or resubmitted rows, and rows that are pushed again.
CREATE INDEX feeds_next_idx ON feeds (lane, rank, task_num)
    WHERE due_at = 0 AND (unfed > 0 OR back > 0 OR reading);
CREATE INDEX feeds_again_idx ON feeds (lane, rank, task_num) WHERE again_from < again_to;
-- Tasks that may have rows in Redis, tasks that start later, and tasks that are being canceled.
CREATE INDEX feeds_out_idx ON feeds (lane, task_num) WHERE fed > 0 OR claim_until > 0;
CREATE INDEX feeds_due_idx ON feeds (due_at) WHERE due_at > 0;
CREATE INDEX feeds_cancel_idx ON feeds (task_num) WHERE cancel_from <> -1;

-- How far a task had been fed at a time. The jobs up to there have held their slots since then, or longer.
CREATE TABLE feed_marks (
    task_num bigint NOT NULL REFERENCES feeds (task_num) ON DELETE CASCADE,
    at       bigint NOT NULL,
    fed      bigint NOT NULL,
    PRIMARY KEY (task_num, at)
);

-- Resubmitted rows of a feed: they are fed apart from the others, whatever the position of the feed.
CREATE TABLE refeed (
    task_num bigint   NOT NULL REFERENCES feeds (task_num) ON DELETE CASCADE,
    seq      bigint   NOT NULL,
    attempt  smallint NOT NULL,
    waits    boolean  NOT NULL,
    anyway   boolean  NOT NULL DEFAULT FALSE,
    PRIMARY KEY (task_num, seq)
);
CREATE INDEX refeed_waiting_idx ON refeed (task_num, seq) WHERE waits;

-- Held rows: groups of rows of one key and one task that are below the position of their task and
-- not in Redis, because Redis has enough of the key. The groups of a key are pushed by place, then
-- first.
CREATE TABLE held (
    lane  bigint NOT NULL,
    key   text   NOT NULL,
    place bigint NOT NULL,
    first bigint NOT NULL,
    last  bigint NOT NULL,
    rows  bigint NOT NULL,
    seqs  text   NOT NULL,
    PRIMARY KEY (lane, key, place, first)
);
-- The groups of a task.
CREATE INDEX held_first_idx ON held (first);

-- The keys that have held rows.
CREATE TABLE held_keys (
    lane   bigint NOT NULL,
    key    text   NOT NULL,
    most   bigint NOT NULL,
    due_at bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (lane, key)
);
CREATE INDEX held_keys_due_idx ON held_keys (lane, due_at) WHERE due_at > 0;
CREATE INDEX held_keys_page_idx ON held_keys (lane, key) WHERE due_at = 0;

-- ---------------------------------------------------------------- package events

-- Events: the rows of tasks. The id is the number of the task << 32 | the number of the row.
CREATE TABLE events (
    id              INTEGER  PRIMARY KEY,
    row             integer  NOT NULL,
    key             text     NOT NULL,
    status          text     NOT NULL,
    attempt         smallint NOT NULL DEFAULT 0,
    params          text     NOT NULL,
    code            text,
    col             text,
    value           text,
    message         text,
    hint            text,
    fields          text,
    result          text,
    messages        text,
    queued_at       bigint,
    started_at      bigint,
    finished_at     bigint,
    next_run_at     bigint,
    version         integer  NOT NULL DEFAULT 1,
    spared          smallint NOT NULL DEFAULT 0,
    resolution      text,
    resolved_by     text,
    resolved_at     bigint,
    resolution_note text,
    key_hash        bigint   NOT NULL DEFAULT 0,
    score           bigint,
    finished_score  bigint,
    ran_by          integer,
    print           text,
    CONSTRAINT status_known CHECK (status IN ('enqueue', 'working', 'finish', 'failed', 'error', 'canceled'))
);
-- Bad rows in file order.
CREATE INDEX events_bad_idx ON events (id) WHERE status IN ('failed', 'error');
-- The rows of a key, oldest first.
CREATE INDEX events_key_idx ON events (key_hash, id) WHERE key_hash <> 0;
-- The finished rows of a key by their versions. Waiting rows are not in it.
CREATE INDEX events_finished_score_idx ON events (key_hash, finished_score) WHERE finished_score IS NOT NULL;

-- Processes that run rows.
CREATE TABLE runners (
    num     integer PRIMARY KEY,
    worker  text    NOT NULL,
    build   text    NOT NULL,
    seen_at bigint  NOT NULL,
    UNIQUE (worker, build)
);
CREATE INDEX runners_build_idx ON runners (build);

-- Bad rows of a task, counted by cause.
CREATE TABLE error_groups (
    task_num  bigint  NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    status    text    NOT NULL,
    code      text    NOT NULL,
    col       text    NOT NULL,
    print     text    NOT NULL DEFAULT '',
    fault     text    NOT NULL DEFAULT '',
    count     bigint  NOT NULL,
    first_row integer NOT NULL,
    fixed     bigint  NOT NULL DEFAULT 0,
    skipped   bigint  NOT NULL DEFAULT 0,
    PRIMARY KEY (task_num, status, code, col, print)
);

-- Where a job continues after a crash. A row is deleted when its job ends, at the latest when its task
-- is done.
CREATE TABLE checkpoints (
    event_id INTEGER PRIMARY KEY,
    token    bigint NOT NULL,
    seq      bigint NOT NULL,
    data     text
);

-- Acts of users that have changed rows and can be undone.
CREATE TABLE review_acts (
    num       INTEGER PRIMARY KEY AUTOINCREMENT,
    id        text   NOT NULL UNIQUE,
    task_num  bigint NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    at        bigint NOT NULL,
    actor     text   NOT NULL,
    act       text   NOT NULL,
    undoes    text   NOT NULL DEFAULT '',
    rows      bigint NOT NULL DEFAULT 0,
    undone    bigint NOT NULL DEFAULT 0,
    undone_by text   NOT NULL DEFAULT '',
    undone_at bigint NOT NULL DEFAULT 0,
    run_at    bigint NOT NULL DEFAULT 0,
    fix       text   NOT NULL DEFAULT '',
    lane      text   NOT NULL DEFAULT ''
);
-- The acts of one user on a task, newest last.
CREATE INDEX review_acts_actor_idx ON review_acts (task_num, actor, num);
-- Acts whose rows run again by themselves, and corrections of values.
CREATE INDEX review_acts_due_idx ON review_acts (run_at) WHERE run_at > 0;
CREATE INDEX review_acts_fix_idx ON review_acts (lane, num) WHERE fix <> '';

-- The rows of each act, with their state before it.
CREATE TABLE review_rows (
    act      bigint  NOT NULL REFERENCES review_acts (num) ON DELETE CASCADE,
    event_id bigint  NOT NULL,
    version  integer NOT NULL,
    was      text    NOT NULL,
    undone   boolean NOT NULL DEFAULT FALSE,
    PRIMARY KEY (act, event_id)
);
-- The acts on one row.
CREATE INDEX review_rows_event_idx ON review_rows (event_id, act);

-- ---------------------------------------------------------------- package exporters

-- Files of parts in the blob store, of all runs.
CREATE TABLE export_parts (
    file_id  text   PRIMARY KEY,
    task_num bigint NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    seq      bigint NOT NULL,
    token    bigint NOT NULL,
    run      bigint NOT NULL,
    rows     bigint NOT NULL
);
CREATE INDEX export_parts_task_idx ON export_parts (task_num, seq);

-- ---------------------------------------------------------------- package notify

-- Notices about tasks for listeners. Each row is written in the transaction that causes the notice,
-- with the state of the task.
CREATE TABLE outbox (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    task_num    bigint  NOT NULL REFERENCES tasks (num) ON DELETE CASCADE,
    tenant      text    NOT NULL,
    kind        text    NOT NULL,
    topic       text    NOT NULL,
    round       integer NOT NULL,
    detail      text    NOT NULL DEFAULT '',
    batch       bigint  NOT NULL DEFAULT 0,
    created_at  bigint  NOT NULL,
    status      text    NOT NULL,
    outcome     text    NOT NULL,
    total       bigint  NOT NULL,
    enqueue     bigint  NOT NULL,
    working     bigint  NOT NULL,
    finish      bigint  NOT NULL,
    failed      bigint  NOT NULL,
    error       bigint  NOT NULL,
    canceled    bigint  NOT NULL,
    retrying    bigint  NOT NULL,
    skipped     bigint  NOT NULL,
    started_at  bigint  NOT NULL,
    finished_at bigint  NOT NULL,
    superseded  bigint  NOT NULL DEFAULT 0
);
-- These topics are written once per round of a task.
CREATE UNIQUE INDEX outbox_once_idx ON outbox (task_num, topic, round)
    WHERE topic IN ('task.finished', 'task.first_failure');
-- The next row of each tenant and kind, found without reading later rows.
CREATE INDEX outbox_next_idx ON outbox (tenant, kind, id) WHERE batch = 0;
CREATE INDEX outbox_task_idx ON outbox (task_num);

-- Webhooks.
CREATE TABLE webhooks (
    num         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          text    NOT NULL UNIQUE,
    tenant      text    NOT NULL,
    url         text    NOT NULL,
    topics      text    NOT NULL,
    secret      text    NOT NULL,
    enabled     boolean NOT NULL DEFAULT TRUE,
    created_at  bigint  NOT NULL,
    disabled_at bigint  NOT NULL DEFAULT 0,
    maker       text    NOT NULL DEFAULT ''
);
CREATE INDEX webhooks_tenant_idx ON webhooks (tenant, num DESC);

-- Secrets that sign deliveries to callback URLs.
CREATE TABLE callback_secrets (
    tenant     text   PRIMARY KEY,
    secret     text   NOT NULL,
    created_at bigint NOT NULL
);

-- Deliveries, one row for each row of the outbox and listener.
CREATE TABLE deliveries (
    num         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          text    NOT NULL UNIQUE,
    notice      bigint  NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    webhook     text    REFERENCES webhooks (id) ON DELETE CASCADE,
    tenant      text    NOT NULL,
    channel     text    NOT NULL CHECK (channel IN ('webhook', 'callback_url', 'callback')),
    endpoint    text    NOT NULL,
    state       text    NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
    tries       integer NOT NULL DEFAULT 0,
    next_at     bigint  NOT NULL,
    claim       bigint  NOT NULL DEFAULT 0,
    claim_until bigint  NOT NULL DEFAULT 0,
    attempts    text    NOT NULL DEFAULT '',
    created_at  bigint  NOT NULL,
    settled_at  bigint  NOT NULL DEFAULT 0
);
-- The next delivery to each listener of each tenant, found without reading later deliveries.
CREATE INDEX deliveries_next_idx ON deliveries (tenant, endpoint, next_at, num) WHERE state = 'waiting';
CREATE INDEX deliveries_webhook_idx ON deliveries (webhook, num DESC);
CREATE INDEX deliveries_notice_idx ON deliveries (notice);

-- ---------------------------------------------------------------- package schedules

-- Schedules: tasks that are created at planned times.
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
    failures     integer NOT NULL DEFAULT 0,
    maker        text    NOT NULL DEFAULT ''
);
CREATE INDEX schedules_tenant_idx ON schedules (tenant, num DESC);
-- The next runs.
CREATE INDEX schedules_due_idx ON schedules (due_at) WHERE NOT paused;

-- ---------------------------------------------------------------- package internal/access

-- API keys and users. A revoked key stays, so that the audit log still has its name.
CREATE TABLE api_keys (
    num          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           text   NOT NULL UNIQUE,
    prefix       text   NOT NULL,
    tenant       text   NOT NULL,
    name         text   NOT NULL,
    role         text   NOT NULL CHECK (role IN ('viewer', 'reviewer', 'operator', 'admin')),
    created_by   text   NOT NULL,
    created_at   bigint NOT NULL,
    expires_at   bigint NOT NULL DEFAULT 0,
    revoked_at   bigint NOT NULL DEFAULT 0,
    last_used_at bigint NOT NULL DEFAULT 0,
    vouched_at   bigint NOT NULL DEFAULT 0,
    maker        text   NOT NULL DEFAULT ''
);
CREATE INDEX api_keys_tenant_idx ON api_keys (tenant, num DESC);

-- Secrets and sessions of keys; several after a rotation.
CREATE TABLE api_secrets (
    prefix     text   PRIMARY KEY,
    key_id     text   NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    digest     text   NOT NULL,
    created_at bigint NOT NULL,
    until      bigint NOT NULL DEFAULT 0
);
CREATE INDEX api_secrets_key_idx ON api_secrets (key_id);
CREATE INDEX api_secrets_until_idx ON api_secrets (until) WHERE until > 0;

-- ---------------------------------------------------------------- package internal/audit

-- The audit log. Each entry is written in the transaction of the act.
CREATE TABLE audit_log (
    num     INTEGER PRIMARY KEY AUTOINCREMENT,
    subject text   NOT NULL,
    at      bigint NOT NULL,
    actor   text   NOT NULL,
    act     text   NOT NULL,
    target  text   NOT NULL DEFAULT '',
    seq     bigint NOT NULL DEFAULT 0,
    touched bigint NOT NULL DEFAULT 0,
    detail  text   NOT NULL DEFAULT ''
);
CREATE INDEX audit_log_subject_idx ON audit_log (subject, num);
-- The acts on one row, newest first.
CREATE INDEX audit_log_row_idx ON audit_log (subject, seq, num) WHERE seq > 0;
-- Entries that retention deletes. Entries of tasks are deleted with their tasks.
CREATE INDEX audit_log_at_idx ON audit_log (at) WHERE substr(subject, 1, 5) <> 'task:';

-- ---------------------------------------------------------------- package internal/idempotency

-- Requests with an Idempotency-Key.
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
    body       blob,
    expires_at bigint  NOT NULL,
    task       text    NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, key)
);
CREATE INDEX idempotency_expiry_idx ON idempotency (expires_at);

-- ---------------------------------------------------------------- package internal/uploads, internal/mappings

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

CREATE TABLE upload_parts (
    upload   text   NOT NULL,
    position bigint NOT NULL,
    size     bigint NOT NULL,
    file_id  text   NOT NULL,
    sha256   text   NOT NULL,
    PRIMARY KEY (upload, position)
);

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
-- +goose StatementEnd

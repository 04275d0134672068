-- 00001_ledger.sql: the tables of Rollcall on Postgres, in the schema rollcall.
--
-- Contract: package internal/ledger applies this file in one transaction, after it has created the
-- schema. It replaces the qualifier rollcall by the schema of the setting DATABASE_SCHEMA, so each
-- name carries the qualifier, also in the bodies of functions. A search_path has no effect.
-- sqlite/00001_ledger.sql creates the same tables, and says why the file is one statement; both files
-- change together.
--
-- Times are unix milliseconds; 0 or null means that the time was not reached. JSON is stored as
-- text: it is read as a whole and never searched.

-- +goose Up
-- +goose StatementBegin

-- ---------------------------------------------------------------- package ledger

-- State of the service, one row per name.
--   epoch      the last fencing token of a shard lease; it never decreases
--   redis      the mark that the Redis in use must carry; another mark means that it was emptied
--   cancels    rises with each cancel; a change means that limits.cancels has changed
--   retention, sweeper  unix ms until which the process in note has that role
--   rotation   when the numbers of tasks last moved to the next block, in unix ms
--   partition  the first block that has a partition of its own
--   oldest     the version of this schema that a program must know to use it
--   after      locked while a transaction adds a task with a parent and with tasks to start after
CREATE TABLE rollcall.ledger (
    name  text   PRIMARY KEY,
    value bigint NOT NULL,
    note  text   NOT NULL DEFAULT ''
);
INSERT INTO rollcall.ledger (name, value) VALUES
    ('epoch', 0), ('redis', 0), ('cancels', 0), ('retention', 0), ('sweeper', 0), ('rotation', 0), ('partition', 2), ('oldest', 1), ('after', 0);

-- Secrets that all processes share, in hex. The first process that needs a secret creates it.
CREATE TABLE rollcall.secrets (
    name   text PRIMARY KEY,
    secret text NOT NULL
);

-- ---------------------------------------------------------------- package tasks

-- Tasks. num orders them by creation; id is the public name.
--
-- State:
--   hold          why rows wait: block until all are found valid or a user resumes the task,
--                 all_or_nothing until all are found valid, refused until they are canceled; empty:
--                 they do not wait
--   work          what the task waits for: 0 nothing, 1 its file is read, 2 its parts are planned,
--                 3 its parts are merged, 4 a program adds rows under a claim; set by a trigger
--   rerun         the task was done, and some of its rows run again
--   late          newer rows of a key may have finished before older ones of this task: 0 no;
--                 1 yes, and such an older row does not run; 2 yes, and it runs
--   late_at       when a user resumed the task last: only rows that had finished by then fall under late = 2
--   sweep         what is left of a purged task: 0 nothing, 1 records such as audit and undo,
--                 2 also rows: the task was deleted, and no query returns it
-- The file:
--   columns       the columns of the file and of the kind, JSON
--   param_names   names of the members of events.params, a JSON array; params that are a list have
--                 one value for each name
--   warnings      decisions about the file that the reader made without the user, a JSON array of texts
--   file_encoding, file_delimiter   how a text file is read; empty for workbooks
-- Counts: total = enqueue + working + finish + failed + error + canceled, at every instant.
--   retrying      rows of enqueue that have run before
--   skipped       rows that a user has skipped
--   superseded    rows of failed that did not run because another row of their key replaces them
--   max_failures  if more rows than this are failed or in error, without superseded rows, the service cancels
--                 the task; null: no limit
-- Progress of the job of a task of one job: progress_done of progress_total, and a text.
-- Times:
--   run_at        before this time nothing is fed; 0: at once
--   moved_at      when a row last changed its status
--   ran_ms        how long earlier rounds ran, in ms; the end of a round adds to it
--   round_at      when the round began; 0: the first one, which began at started_at
--   keep          how long the task is kept after its end, in ms
--   purged_at     when its contents were deleted; file_purged_at: its uploaded file;
--                 result_purged_at: its result
-- Relations:
--   parent        number of the parent; 0: none. parent_id is the id of the parent
--   depth         how many ancestors there are
--   children      tasks with this parent; children_done: how many of them are done
--   after_ids     ids of the tasks that it starts after, a JSON array; after_well: these must succeed
--   awaits        how many of these it still waits for; above 0, it is not fed, and an export not planned
--   followers     how many tasks start after this one
--   dedup_key     at most one task has the key; null: none, or given up
--   schedule_id, planned_at   the schedule that created the task, and the time that the run was
--                 planned for; 0: a user started it
-- The result of an export: result_…; unmerged: it is not stored yet; result_rows: without
-- headings.
-- split_claim, split_until: the claim of the process that works on the task, and when it expires.
CREATE TABLE rollcall.tasks (
    num              bigint   GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY CHECK (num < 2147483648),
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
) WITH (fillfactor = 50);

-- Lists of a tenant, newest first: all tasks, by author, by age.
CREATE INDEX tasks_tenant_idx ON rollcall.tasks (tenant, num DESC);
CREATE INDEX tasks_author_idx ON rollcall.tasks (tenant, created_by, num DESC) WHERE created_by <> '';
CREATE INDEX tasks_age_idx ON rollcall.tasks (tenant, created_at, num);
-- The page of imports: imports of a tenant by status, and those with rows whose retries are exhausted,
-- newest first. Imports are tasks with columns; tasks of Go programs have none and write no entry.
CREATE INDEX tasks_imports_idx ON rollcall.tasks (tenant, status, num DESC)
    WHERE type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0;
CREATE INDEX tasks_errors_idx ON rollcall.tasks (tenant, num DESC)
    WHERE error > 0 AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0;
-- The tasks of a schedule, newest first, and one task for each planned time.
CREATE INDEX tasks_schedule_idx ON rollcall.tasks (schedule_id, num DESC) WHERE schedule_id <> '';
CREATE UNIQUE INDEX tasks_planned_idx ON rollcall.tasks (schedule_id, planned_at) WHERE planned_at > 0;
-- The next task of each tenant and kind at each stage of work, found without reading later tasks.
CREATE INDEX tasks_work_idx ON rollcall.tasks (work, tenant, kind, priority DESC, num) WHERE work > 0;
-- Of two processes that create the same task at once, one succeeds.
CREATE UNIQUE INDEX tasks_dedup_idx ON rollcall.tasks (dedup_key) WHERE dedup_key IS NOT NULL;
-- The children of a task, which are canceled with it.
CREATE INDEX tasks_parent_idx ON rollcall.tasks (parent) WHERE parent > 0;
-- Quotas count tasks that are not done, and stored files.
CREATE INDEX tasks_unfinished_idx ON rollcall.tasks (tenant) WHERE finished_at = 0;
CREATE INDEX tasks_stored_idx ON rollcall.tasks (tenant) WHERE file_id <> '' AND file_purged_at = 0;
CREATE INDEX tasks_results_idx ON rollcall.tasks (tenant) WHERE result_id <> '' AND result_purged_at = 0;
-- The task of an upload, and the task of a result.
CREATE INDEX tasks_file_idx ON rollcall.tasks (file_id) WHERE file_id <> '';
CREATE UNIQUE INDEX tasks_result_idx ON rollcall.tasks (result_id) WHERE result_id <> '';
-- The later tasks of a tenant and kind with a file: see tasks/sql/release_key.sql.
CREATE INDEX tasks_files_idx ON rollcall.tasks (tenant, kind, num) WHERE file_sha256 <> '';
-- Retention: the next task and the next file to delete, and the oldest task that is kept. The
-- second condition of the last index keeps planners from reading it for other queries.
CREATE INDEX tasks_expiry_idx ON rollcall.tasks (expires_at) WHERE finished_at > 0 AND purged_at = 0;
CREATE INDEX tasks_file_expiry_idx ON rollcall.tasks (finished_at)
    WHERE finished_at > 0 AND file_id <> '' AND file_purged_at = 0;
CREATE INDEX tasks_sweep_idx ON rollcall.tasks (num) WHERE sweep > 0;
CREATE INDEX tasks_kept_idx ON rollcall.tasks (created_at) WHERE purged_at = 0 AND created_at > 0;

-- task_work returns the work that a task waits for. The result depends only on the row.
CREATE FUNCTION rollcall.task_work(t rollcall.tasks) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT cast(CASE
        WHEN t.finished_at > 0 OR t.status NOT IN ('open', 'splitting', 'running', 'paused') THEN 0
        WHEN NOT t.total_is_final AND t.file_id <> '' THEN 1
        WHEN NOT t.total_is_final AND t.type = 'export' THEN CASE WHEN t.awaits > 0 THEN 0 ELSE 2 END
        WHEN NOT t.total_is_final AND t.split_claim <> 0 THEN 4
        WHEN t.unmerged AND t.total_is_final AND t.finish = t.total AND t.problem IS NULL THEN 3
        ELSE 0 END AS smallint)
$$;

CREATE FUNCTION rollcall.follow_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.work := rollcall.task_work(NEW);
        RETURN NEW;
    END IF;
    UPDATE rollcall.tasks SET work = rollcall.task_work(NEW) WHERE num = NEW.num;
    RETURN NULL;
END $$;

CREATE TRIGGER tasks_work_made BEFORE INSERT ON rollcall.tasks
    FOR EACH ROW EXECUTE FUNCTION rollcall.follow_work();
-- After the update: a trigger before it would lock the row once more.
CREATE TRIGGER tasks_work_changed
    AFTER UPDATE OF status, total_is_final, split_claim, finish, total, unmerged, problem, finished_at, awaits ON rollcall.tasks
    FOR EACH ROW WHEN (NEW.work <> rollcall.task_work(NEW)) EXECUTE FUNCTION rollcall.follow_work();

-- The tasks that a task starts after. met: that task has ended in the way that this task requires.
CREATE TABLE rollcall.task_after (
    task_num  bigint  NOT NULL REFERENCES rollcall.tasks (num) ON DELETE CASCADE,
    after_num bigint  NOT NULL,
    met       boolean NOT NULL,
    PRIMARY KEY (task_num, after_num)
);
CREATE INDEX task_after_open_idx ON rollcall.task_after (after_num) WHERE NOT met;

-- The labels of tasks that are not purged, one a row. Lists by label read the key, newest first.
CREATE TABLE rollcall.task_labels (
    tenant   text   NOT NULL,
    name     text   NOT NULL,
    value    text   NOT NULL,
    task_num bigint NOT NULL REFERENCES rollcall.tasks (num) ON DELETE CASCADE,
    PRIMARY KEY (tenant, name, value, task_num)
);
CREATE INDEX task_labels_task_idx ON rollcall.task_labels (task_num);

CREATE FUNCTION rollcall.follow_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM rollcall.task_labels WHERE task_num = NEW.num;
    END IF;
    IF NEW.labels LIKE '{"%' THEN
        INSERT INTO rollcall.task_labels (tenant, name, value, task_num)
        SELECT NEW.tenant, key, value, NEW.num FROM json_each_text(NEW.labels::json)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER tasks_labels_made AFTER INSERT ON rollcall.tasks
    FOR EACH ROW WHEN (NEW.labels LIKE '{"%') EXECUTE FUNCTION rollcall.follow_labels();
CREATE TRIGGER tasks_labels_changed AFTER UPDATE OF labels ON rollcall.tasks
    FOR EACH ROW WHEN (OLD.labels <> NEW.labels) EXECUTE FUNCTION rollcall.follow_labels();

-- Limits of tenants. A tenant without a row has the limits of the service. 0: no limit.
--   slots        the most jobs in Redis or running at once, over all kinds
--   window_rows  the most jobs of one kind in Redis at once; 0: the number of the service
--   cancels      rises with each cancel of a task, and with each cancel of rows; the state of a job
--                that was pushed before the last cancel is read before the job runs
--   rate         the most requests of the tenant in a minute; 0: the number of the service
--   tasks        the most tasks that are not done
--   jobs         the most rows that have not ended
--   bytes        the most bytes of stored files
--   paused       the feeder pushes nothing of the tenant to Redis
--   weight       the share of the tenant while other tenants wait
--   priority     the highest priority of new tasks; 0: that of the service
--   schedules    the most schedules; 0: the number of the service
--   most_…       what the owner of the service allows of each limit; a limit is never above it
--   stopped      the owner has paused the tenant, so its operators cannot resume it
--   run_hours    the part of the day in which rows are pushed, as 22:00-06:00 UTC; '': the whole day
CREATE TABLE rollcall.limits (
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
--   pushed       rows that were pushed so far and recorded
--   claim_until  0 once a feeder has recorded its push
--   claimed      numbers of the tasks of the claim, as ",7,8,"
--   room         how many rows of these tasks the claim may have pushed
--   reach        the rows of the claim are among this many next rows of each task
--   place        the last place that was given to a run of table held
--   doubted      a push that was not recorded may have brought some held rows to Redis
--   stir_at      when a feeder next reports all keys of table held to Redis, in unix ms; 0: at once
CREATE TABLE rollcall.lanes (
    id          bigint  GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
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
--   fed           the last seq that was pushed
--   unfed         rows above it that wait
--   back          resubmitted rows that wait
--   held          rows of the task in table held
--   again_to      up to here, rows were pushed to a Redis that was emptied
--   again_from    up to here, they have been pushed again
--   claim_until   0 once a feeder has recorded its push; a feeder that dies before leaves it set
--   pushed        rows pushed so far, each counted once
--   room          rows that the push under way, or the last one in doubt, may have pushed
--   reach         the rows of a push that was not recorded are among this many next rows
--   stale         rows that have held their slots for so long that these count as free; stale_at: when
--                 the rows were counted
--   cancel_from   of a task that is being canceled: no row above this seq was pushed; -2: the task
--                 is being canceled, and its feed must be stopped first; -1: it is not being canceled
--   cancel_until  until when a process may cancel rows
--   lane          0: the feeder assigns one
--   rank          the task with the lowest rank of its lane is fed first
--   due_at        unix ms; 0: it may be fed; the highest number: it is held, paused or canceling
--   reading       rows will come, and later tasks of the lane wait for them
CREATE TABLE rollcall.feeds (
    task_num     bigint  PRIMARY KEY REFERENCES rollcall.tasks (num) ON DELETE CASCADE,
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
CREATE INDEX feeds_next_idx ON rollcall.feeds (lane, rank, task_num)
    WHERE due_at = 0 AND (unfed > 0 OR back > 0 OR reading);
CREATE INDEX feeds_again_idx ON rollcall.feeds (lane, rank, task_num) WHERE again_from < again_to;
-- Tasks that may have rows in Redis, tasks that start later, and tasks that are being canceled.
CREATE INDEX feeds_out_idx ON rollcall.feeds (lane, task_num) WHERE fed > 0 OR claim_until > 0;
CREATE INDEX feeds_due_idx ON rollcall.feeds (due_at) WHERE due_at > 0;
CREATE INDEX feeds_cancel_idx ON rollcall.feeds (task_num) WHERE cancel_from <> -1;

-- How far a task had been fed at a time. The jobs up to there have held their slots since then, or longer.
CREATE TABLE rollcall.feed_marks (
    task_num bigint NOT NULL REFERENCES rollcall.feeds (task_num) ON DELETE CASCADE,
    at       bigint NOT NULL,
    fed      bigint NOT NULL,
    PRIMARY KEY (task_num, at)
);

-- Resubmitted rows of a feed: they are fed apart from the others, whatever the position of the feed.
--   attempt  of the event at its last resubmission
--   waits    it is still to be fed
--   anyway   a user has decided that the row runs although a newer row of its key has finished
CREATE TABLE rollcall.refeed (
    task_num bigint   NOT NULL REFERENCES rollcall.feeds (task_num) ON DELETE CASCADE,
    seq      bigint   NOT NULL,
    attempt  smallint NOT NULL,
    waits    boolean  NOT NULL,
    anyway   boolean  NOT NULL DEFAULT FALSE,
    PRIMARY KEY (task_num, seq)
);
CREATE INDEX refeed_waiting_idx ON rollcall.refeed (task_num, seq) WHERE waits;

-- Held rows: groups of rows of one key and one task that are below the position of their task and
-- not in Redis, because Redis has enough of the key. The groups of a key are pushed by place, then
-- first.
--   place  a number of the lane that rises with each step of a feeder
--   first, last   ids of the first and the last row
--   rows   how many rows
--   seqs   their numbers in the task, each as the difference from the one before
CREATE TABLE rollcall.held (
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
CREATE INDEX held_first_idx ON rollcall.held (first);

-- The keys that have held rows.
--   most    the most rows of the key that wait in Redis
--   due_at  unix ms; 0: its first row may be pushed; else that row waits for its own time
CREATE TABLE rollcall.held_keys (
    lane   bigint NOT NULL,
    key    text   NOT NULL,
    most   bigint NOT NULL,
    due_at bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (lane, key)
);
CREATE INDEX held_keys_due_idx ON rollcall.held_keys (lane, due_at) WHERE due_at > 0;
CREATE INDEX held_keys_page_idx ON rollcall.held_keys (lane, key) WHERE due_at = 0;

-- ---------------------------------------------------------------- package events

-- Events: the rows of tasks. The id is the number of the task << 32 | the number of the row.
--   row         number of the line in the file
--   params      the cells of the row, JSON: an object, or a list by tasks.param_names
--   code, col, value, message, hint, fields   the fault; a bad row always has a code
--   messages    log of retries, faults, notes and repairs, JSON
--   spared      attempts before the last resubmission, which do not count as retries
--   resolution  fixed, skipped, accepted, resubmitted or superseded; null: none. A bad row with the
--               resolution resubmitted has failed again, and is open
--   resolved_by, resolved_at, resolution_note   the user, the time, and the reason
--   key_hash    64-bit hash of tenant, kind and key; 0: no key; see Lane.Hash in package events
--   score       version of the row; the finished row of a key with the greatest version counts; null: none
--   finished_score  score of a row that has finished; null before
--   ran_by      the runner of the last attempt; null: none, or unknown
--   print       fingerprint of the system fault that has ended the row; null: none
CREATE TABLE rollcall.events (
    id              bigint   PRIMARY KEY,
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
    CONSTRAINT status_known CHECK (
        status IN ('enqueue', 'working', 'finish', 'canceled') OR status IN ('failed', 'error') AND code IS NOT NULL)
) PARTITION BY RANGE (id);
-- Bad rows in file order. A row that is good from the start never has a code: unless it has a score, its
-- updates change no indexed column, and stay on its page.
CREATE INDEX events_bad_idx ON rollcall.events (id) WHERE code IS NOT NULL;
-- The rows of a key, oldest first.
CREATE INDEX events_key_idx ON rollcall.events (key_hash, id) WHERE key_hash <> 0;
-- The finished rows of a key by their versions. Waiting rows are not in it.
CREATE INDEX events_finished_score_idx ON rollcall.events (key_hash, finished_score) WHERE finished_score IS NOT NULL;

-- A partition holds the rows of a block of 65,536 tasks. The number of the block is the number of the
-- task, shifted right by 16. The first partition holds two blocks. Pages are filled to 45 %, so that the
-- three updates of a row find room on its page.
CREATE TABLE rollcall.events_b0 PARTITION OF rollcall.events
    FOR VALUES FROM (MINVALUE) TO (562949953421312) WITH (fillfactor = 45);

-- events_room creates the partition of a block, unless it exists or the first one holds the block.
-- It returns whether it created one. A partition takes storage parameters, which are not
-- inherited, from the newest one.
CREATE FUNCTION rollcall.events_room(block bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    name text := 'events_b' || block;
    upto text := CASE WHEN block >= 32767 THEN 'MAXVALUE' ELSE ((block + 1) << 48)::text END;
    how  text;
BEGIN
    IF block < (SELECT value FROM rollcall.ledger l WHERE l.name = 'partition')
        OR to_regclass('rollcall.events_b' || block) IS NOT NULL THEN
        RETURN FALSE;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('rollcall.events_room', 0));
    IF to_regclass('rollcall.events_b' || block) IS NOT NULL THEN
        RETURN FALSE;
    END IF;
    SELECT array_to_string(c.reloptions, ', ') INTO how
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'rollcall.events'::regclass AND NOT i.inhdetachpending
    ORDER BY c.oid DESC LIMIT 1;
    EXECUTE format('CREATE TABLE rollcall.%I (LIKE rollcall.events INCLUDING ALL)%s',
                   name, coalesce(' WITH (' || how || ')', ''));
    EXECUTE format('ALTER TABLE rollcall.events ATTACH PARTITION rollcall.%I FOR VALUES FROM (%s) TO (%s)',
                   name, block << 48, upto);
    RETURN TRUE;
END $$;

SELECT rollcall.events_room(value) FROM rollcall.ledger WHERE name = 'partition';

-- Processes that run rows.
--   build    version of the program; empty: unknown
--   seen_at  when a process last reported itself, in unix ms
CREATE TABLE rollcall.runners (
    num     integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    worker  text    NOT NULL,
    build   text    NOT NULL,
    seen_at bigint  NOT NULL,
    UNIQUE (worker, build)
);
CREATE INDEX runners_build_idx ON rollcall.runners (build);

-- Bad rows of a task, counted by cause.
--   print  fingerprint of the fault; empty for a business failure
--   fault  type and text of the first such fault, for operators
--   fixed, skipped   how many of the rows a user has fixed or skipped
CREATE TABLE rollcall.error_groups (
    task_num  bigint  NOT NULL REFERENCES rollcall.tasks (num) ON DELETE CASCADE,
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
--   token, seq  of the run that owns it; an older run changes nothing
--   data        JSON; null: nothing saved yet
CREATE TABLE rollcall.checkpoints (
    event_id bigint PRIMARY KEY,
    token    bigint NOT NULL,
    seq      bigint NOT NULL,
    data     text
);

-- Acts of users that have changed rows and can be undone.
--   id         names the act in the audit log and in the API
--   act        repair, skip, accept, open, resubmit, correct or undo; patch: of a single row; group: of rows that
--              a client changes one by one
--   undoes     id of the act that this one undoes; empty: none
--   rows       how many rows it has changed; undone: how many of them an undo has restored
--   undone_by  id of the act that undoes this one; empty: none
--   undone_at  when that undo ended, in unix ms; 0: it has not
--   run_at     when the rows of the act run again, in unix ms; 0: they do not by themselves
--   fix        the column and the replaced values, as JSON; empty: the act replaces no values
--   lane       tenant and kind of the task of an act with fix: '<tenant>/<kind>'; else empty
CREATE TABLE rollcall.review_acts (
    num       bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    id        text   NOT NULL UNIQUE,
    task_num  bigint NOT NULL REFERENCES rollcall.tasks (num) ON DELETE CASCADE,
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
CREATE INDEX review_acts_actor_idx ON rollcall.review_acts (task_num, actor, num);
-- Acts whose rows run again by themselves, and corrections of values.
CREATE INDEX review_acts_due_idx ON rollcall.review_acts (run_at) WHERE run_at > 0;
CREATE INDEX review_acts_fix_idx ON rollcall.review_acts (lane, num) WHERE fix <> '';

-- The rows of each act, with their state before it.
--   version  of the row after the act
--   was      resolution, cause, key and cells before it, as JSON
--   undone   an undo has restored the row
CREATE TABLE rollcall.review_rows (
    act      bigint  NOT NULL REFERENCES rollcall.review_acts (num) ON DELETE CASCADE,
    event_id bigint  NOT NULL,
    version  integer NOT NULL,
    was      text    NOT NULL,
    undone   boolean NOT NULL DEFAULT FALSE,
    PRIMARY KEY (act, event_id)
);
-- The acts on one row.
CREATE INDEX review_rows_event_idx ON rollcall.review_rows (event_id, act);

-- ---------------------------------------------------------------- package exporters

-- Files of parts in the blob store, of all runs.
--   token, run  the fence of the run that wrote it; the greatest pair counts
--   rows        how many it has; 0 after a later run of its part has begun and does not continue it
CREATE TABLE rollcall.export_parts (
    file_id  text   PRIMARY KEY,
    task_num bigint NOT NULL REFERENCES rollcall.tasks (num) ON DELETE CASCADE,
    seq      bigint NOT NULL,
    token    bigint NOT NULL,
    run      bigint NOT NULL,
    rows     bigint NOT NULL
);
CREATE INDEX export_parts_task_idx ON rollcall.export_parts (task_num, seq);

-- ---------------------------------------------------------------- package notify

-- Notices about tasks for listeners. Each row is written in the transaction that causes the notice,
-- with the state of the task.
--   detail  of jobs.exhausted: the seqs, as a JSON array
--   batch   the process that has routed it; 0 while it waits
CREATE TABLE rollcall.outbox (
    id          bigint  GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    task_num    bigint  NOT NULL REFERENCES rollcall.tasks (num) ON DELETE CASCADE,
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
CREATE UNIQUE INDEX outbox_once_idx ON rollcall.outbox (task_num, topic, round)
    WHERE topic IN ('task.finished', 'task.first_failure');
-- The next row of each tenant and kind, found without reading later rows.
CREATE INDEX outbox_next_idx ON rollcall.outbox (tenant, kind, id) WHERE batch = 0;
CREATE INDEX outbox_task_idx ON rollcall.outbox (task_num);

-- Webhooks.
--   maker  id of the key or user that made it; empty: unknown, or a command
CREATE TABLE rollcall.webhooks (
    num         bigint  GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
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
CREATE INDEX webhooks_tenant_idx ON rollcall.webhooks (tenant, num DESC);

-- Secrets that sign deliveries to callback URLs.
CREATE TABLE rollcall.callback_secrets (
    tenant     text   PRIMARY KEY,
    secret     text   NOT NULL,
    created_at bigint NOT NULL
);

-- Deliveries, one row for each row of the outbox and listener.
--   channel      webhook, callback_url or callback (Go)
--   endpoint     deliveries to one endpoint delay no delivery to another
--   attempts     one JSON object a line, the newest last
CREATE TABLE rollcall.deliveries (
    num         bigint  GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    id          text    NOT NULL UNIQUE,
    notice      bigint  NOT NULL REFERENCES rollcall.outbox (id) ON DELETE CASCADE,
    webhook     text    REFERENCES rollcall.webhooks (id) ON DELETE CASCADE,
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
CREATE INDEX deliveries_next_idx ON rollcall.deliveries (tenant, endpoint, next_at, num) WHERE state = 'waiting';
CREATE INDEX deliveries_webhook_idx ON rollcall.deliveries (webhook, num DESC);
CREATE INDEX deliveries_notice_idx ON rollcall.deliveries (notice);

-- ---------------------------------------------------------------- package schedules

-- Schedules: tasks that are created at planned times.
--   cron, time_zone  five fields, and a zone of the IANA
--   catch_up         what happens to runs whose time passed while no process ran
--   request          the JSON that POST /tasks would get
--   version          of what users can change
--   next_run_at      the time that the next run is planned for
--   due_at           when to start it: then, or later after a failure
--   last_run_at, last_task_id   the last run that was started, by plan or by hand
--   problem, failures   why the next run could not be started, JSON, and how often
--   maker            id of the key or user that made it; empty: unknown, or a command
CREATE TABLE rollcall.schedules (
    num          bigint  GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
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
CREATE INDEX schedules_tenant_idx ON rollcall.schedules (tenant, num DESC);
-- The next runs.
CREATE INDEX schedules_due_idx ON rollcall.schedules (due_at) WHERE NOT paused;

-- ---------------------------------------------------------------- package internal/access

-- API keys and users. A revoked key stays, so that the audit log still has its name.
--   vouched_at  when the newest token or sign-in of a user was issued, in unix ms; 0: unknown, or a
--               key
--   maker       id of the key or user that made it; empty: unknown, or a command
CREATE TABLE rollcall.api_keys (
    num          bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
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
CREATE INDEX api_keys_tenant_idx ON rollcall.api_keys (tenant, num DESC);

-- Secrets and sessions of keys; several after a rotation.
--   prefix  begins with rcl_ (secret) or rcs_ (session)
--   digest  SHA-256 in hex
--   until   unix ms; 0: as long as the key
CREATE TABLE rollcall.api_secrets (
    prefix     text   PRIMARY KEY,
    key_id     text   NOT NULL REFERENCES rollcall.api_keys (id) ON DELETE CASCADE,
    digest     text   NOT NULL,
    created_at bigint NOT NULL,
    until      bigint NOT NULL DEFAULT 0
);
CREATE INDEX api_secrets_key_idx ON rollcall.api_secrets (key_id);
CREATE INDEX api_secrets_until_idx ON rollcall.api_secrets (until) WHERE until > 0;

-- ---------------------------------------------------------------- package internal/audit

-- The audit log. Each entry is written in the transaction of the act.
--   subject  task:NUM, key:ID or ops:TENANT; entries are listed by subject
--   target   a queue, a node, a tenant or a key that an operator acted on; may be empty
--   seq      the row; 0: several rows, or none
--   touched  how many rows or keys; -1: the act was begun, and its end was not recorded
--   detail   JSON; empty: nothing to add
CREATE TABLE rollcall.audit_log (
    num     bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    subject text   NOT NULL,
    at      bigint NOT NULL,
    actor   text   NOT NULL,
    act     text   NOT NULL,
    target  text   NOT NULL DEFAULT '',
    seq     bigint NOT NULL DEFAULT 0,
    touched bigint NOT NULL DEFAULT 0,
    detail  text   NOT NULL DEFAULT ''
);
CREATE INDEX audit_log_subject_idx ON rollcall.audit_log (subject, num);
-- The acts on one row, newest first.
CREATE INDEX audit_log_row_idx ON rollcall.audit_log (subject, seq, num) WHERE seq > 0;
-- Entries that retention deletes. Entries of tasks are deleted with their tasks.
CREATE INDEX audit_log_at_idx ON rollcall.audit_log (at) WHERE substr(subject, 1, 5) <> 'task:';

-- ---------------------------------------------------------------- package internal/idempotency

-- Requests with an Idempotency-Key.
--   target      method, path and query of the request, shortened
--   ref         a name for what the request makes, the same for each attempt
--   owner       the process that answers the request, a random number; until is when its claim expires, in unix ms
--   print       fingerprint of the request, in hex, once it is known
--   mark        what its effect left, written in the transaction of the effect
--   status      of the answer; 0: there is none yet
--   head, body  the answer; the body is packed
--   task        id of the task that the path of the request names; empty: none
CREATE TABLE rollcall.idempotency (
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
    task       text    NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, key)
);
CREATE INDEX idempotency_expiry_idx ON rollcall.idempotency (expires_at);

-- ---------------------------------------------------------------- package internal/uploads, internal/mappings

-- A file without a task yet. Owned by package uploads.
--   received    bytes from the start that are stored; grows with each part
--   task_id     id of the task that it becomes, the same for each attempt
--   options     how it is read, in JSON
--   file_id     the whole file in the blob store; empty while it is in parts
--   started_at  unix ms at which it became a task; 0: it waits
CREATE TABLE rollcall.uploads (
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
CREATE INDEX uploads_tenant_idx ON rollcall.uploads (tenant, expires_at);
CREATE INDEX uploads_expiry_idx ON rollcall.uploads (expires_at);

-- The stored parts of an upload. Owned by package uploads.
CREATE TABLE rollcall.upload_parts (
    upload   text   NOT NULL,
    position bigint NOT NULL,
    size     bigint NOT NULL,
    file_id  text   NOT NULL,
    sha256   text   NOT NULL,
    PRIMARY KEY (upload, position)
);

-- The fields to which the headings of a file were mapped. Owned by package mappings.
--   print      hash of the headings, in any order and case
--   fields     heading to field, in JSON
--   confirmed  the task has ended with rows that succeeded
CREATE TABLE rollcall.mappings (
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
CREATE INDEX mappings_print_idx ON rollcall.mappings (tenant, kind, print, id);
CREATE INDEX mappings_open_idx ON rollcall.mappings (tenant) WHERE NOT confirmed;
CREATE INDEX mappings_use_idx ON rollcall.mappings (used_at);
-- +goose StatementEnd

-- shape_narrow.sql: create a table of rows that never change, and a table of their outcomes. Columns of
-- faults are left out, because the rows finish without faults.
CREATE TABLE shape (id bigint PRIMARY KEY, row integer NOT NULL, key text NOT NULL, params text NOT NULL, key_hash bigint NOT NULL);
CREATE INDEX ON shape (key_hash, id) WHERE key_hash <> 0;
CREATE TABLE shape_states (
    id bigint PRIMARY KEY, queued_at bigint, started_at bigint, finished_at bigint, ran_by integer,
    version integer NOT NULL, status smallint NOT NULL, attempt smallint NOT NULL
);
CREATE INDEX ON shape_states (id) WHERE status IN (3, 4);

-- once_table.sql: effects done for jobs, in the database of the handler.
--
-- One row per effect, for Postgres and SQLite. Rows may be deleted after the retention of the jobs.
CREATE TABLE IF NOT EXISTS rollcall_once (
    effect text      NOT NULL PRIMARY KEY,
    at     timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP
)

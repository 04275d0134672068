-- once_table.sql: what was done for a job, in the database of the handler.
--
-- One row per effect, for Postgres and SQLite. Rows older than the jobs are
-- kept may be deleted.
CREATE TABLE IF NOT EXISTS rollcall_once (
    effect text      NOT NULL PRIMARY KEY,
    at     timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP
)

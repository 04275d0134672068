-- 00004_narrow_updates: a change of status that is not for the worse rewrites
-- the row on its own page and touches no index.
--
-- Postgres does that only if no column that an index names has changed, in its
-- condition either, and if the page has room: so the index of the bad rows
-- asks a column that changes only when a row becomes bad, and pages are filled
-- to four fifths.
--
-- Forward only. The previous version runs on: it does not name the column. The
-- table is rewritten once, under a lock.

-- +goose Up
ALTER TABLE events ADD COLUMN bad boolean NOT NULL
    GENERATED ALWAYS AS (status IN ('failed', 'error')) STORED;
ALTER TABLE events SET (fillfactor = 80);
DROP INDEX events_bad_idx;
-- The rows a person or an operator must look at, in file order.
CREATE INDEX events_bad_idx ON events (id) WHERE bad;

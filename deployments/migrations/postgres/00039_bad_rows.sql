-- 00039_bad_rows: bad rows are found by their code. Owned by package events.
--
-- Postgres computed the column bad for each row that was added or ended, a twelfth of the work.
-- A bad row always has a code and hardly any other row has one, so an index of rows with a code
-- serves as well. The end of a good row leaves the code as it is, so its update writes no index.
--
-- Forward only. The previous version reads the column: stop its processes first.

-- +goose Up
UPDATE events SET code = 'UNKNOWN' WHERE bad AND code IS NULL;
DROP INDEX events_bad_idx;
ALTER TABLE events DROP CONSTRAINT status_known;
ALTER TABLE events DROP COLUMN bad;
ALTER TABLE events ADD CONSTRAINT status_known CHECK (
    status IN ('enqueue', 'working', 'finish', 'canceled') OR status IN ('failed', 'error') AND code IS NOT NULL);
CREATE INDEX events_bad_idx ON events (id) WHERE code IS NOT NULL;

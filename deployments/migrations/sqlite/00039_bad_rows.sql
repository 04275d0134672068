-- 00039_bad_rows: no statement reads the column bad any more. The index of bad rows stays as it is.

-- +goose Up
UPDATE events SET code = 'UNKNOWN' WHERE status IN ('failed', 'error') AND code IS NULL;
ALTER TABLE events DROP COLUMN bad;

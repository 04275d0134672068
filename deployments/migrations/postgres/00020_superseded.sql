-- 00020_superseded: rows by their key, and rows that a newer row of their key
-- has superseded.
--
-- Forward only. Safe while the previous version runs: each column has a default
-- that changes nothing. Rows that exist already have no hash and supersede
-- nothing. Building the index reads every partition of events once; writers of
-- events wait for that, about a second for each GB.

-- +goose Up
--   key_hash  64-bit hash of tenant, kind and key; 0 for a row without a key:
--             see Lane.Hash in package events
ALTER TABLE events ADD COLUMN key_hash bigint NOT NULL DEFAULT 0;
CREATE INDEX events_key_idx ON events (key_hash, id) WHERE key_hash <> 0;

--   late        whether newer rows of a key may have finished before older ones of this
--               task: 0 no; 1 yes, and such an older row does not run; 2 yes, and it runs
--   superseded  rows that did not run for that reason; part of failed
ALTER TABLE tasks ADD COLUMN late smallint NOT NULL DEFAULT 0 CHECK (late IN (0, 1, 2));
ALTER TABLE tasks ADD COLUMN superseded bigint NOT NULL DEFAULT 0 CHECK (superseded >= 0);
ALTER TABLE outbox ADD COLUMN superseded bigint NOT NULL DEFAULT 0;

--   anyway  a person has decided that the row runs although a newer one has finished
ALTER TABLE refeed ADD COLUMN anyway boolean NOT NULL DEFAULT FALSE;

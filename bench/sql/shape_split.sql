-- shape_split.sql: create a table of the columns that never change, and a table of the other columns
-- of the shape "today".
CREATE TABLE shape (id bigint PRIMARY KEY, row integer NOT NULL, key text NOT NULL, params text NOT NULL, key_hash bigint NOT NULL);
CREATE INDEX ON shape (key_hash, id) WHERE key_hash <> 0;
CREATE TABLE shape_states (LIKE rollcall.events INCLUDING ALL) WITH (fillfactor = 45);
ALTER TABLE shape_states DROP COLUMN row, DROP COLUMN key, DROP COLUMN params, DROP COLUMN key_hash;

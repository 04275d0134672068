-- 00031_room: a row of events has room for its end on its own page.
--
-- A page of events is filled to a half. A group of ends moves rows of many pages, so at
-- four fifths only half of the moves stayed on their page; the others wrote to all
-- indexes. New pages only: the rows that are there stay where they are. events_room gives
-- later partitions the same.
--
-- Forward only. Safe while the previous version runs. Processes read and write the
-- tables meanwhile.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE
    part regclass;
BEGIN
    FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'events'::regclass LOOP
        EXECUTE format('ALTER TABLE %s SET (fillfactor = 50)', part);
    END LOOP;
END $$;
-- +goose StatementEnd

-- 00038_room: a row of events has room for its end on its own page, also if it is short.
--
-- A page of events is filled to 45 %. The end of a row adds three times to it: a half of a page
-- had no room for the ends of one in six rows of 100 bytes. New pages only: the rows that are there
-- stay where they are. events_room gives later partitions the same.
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
        EXECUTE format('ALTER TABLE %s SET (fillfactor = 45)', part);
    END LOOP;
END $$;
-- +goose StatementEnd

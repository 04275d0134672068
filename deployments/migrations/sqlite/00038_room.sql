-- 00038_room: pages of events are Postgres' only; SQLite moves rows in place.

-- +goose Up
SELECT 1;

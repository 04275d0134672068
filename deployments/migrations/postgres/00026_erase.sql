-- 00026_erase: which task a stored answer is about, so that it goes with the task. Owned
-- by package internal/idempotency.
--
-- Forward only. Safe while the previous version runs: the column has a default. Answers
-- that such a version stores are found by ref only, and go when their time is over.

-- +goose Up
--   task  id of the task that the path of the request names; empty: none
ALTER TABLE idempotency ADD COLUMN task text NOT NULL DEFAULT '';

-- 00043_fix: corrections that run by themselves after a while, what they replaced, and how long a
-- task ran without the time that people took. review_acts is owned by package events, tasks by
-- package tasks.
--
-- Forward only. Safe while the previous version runs: it runs no such rows and adds no run time.

-- +goose Up

--   run_at  when the rows of the act run again, in unix ms; 0: they do not by themselves
--   fix     the column and the replaced values, as JSON; empty: the act is no correction of values
--   lane    tenant and kind of the task of an act with fix: '<tenant>/<kind>'; else empty
ALTER TABLE review_acts ADD COLUMN run_at bigint NOT NULL DEFAULT 0;
ALTER TABLE review_acts ADD COLUMN fix text NOT NULL DEFAULT '';
ALTER TABLE review_acts ADD COLUMN lane text NOT NULL DEFAULT '';
CREATE INDEX review_acts_due_idx ON review_acts (run_at) WHERE run_at > 0;
CREATE INDEX review_acts_fix_idx ON review_acts (lane, num) WHERE fix <> '';

--   ran_ms    how long earlier rounds ran, in ms; the end of a round adds to it
--   round_at  when the round began, in unix ms; 0: the first one, which began at started_at
ALTER TABLE tasks ADD COLUMN ran_ms bigint NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN round_at bigint NOT NULL DEFAULT 0;

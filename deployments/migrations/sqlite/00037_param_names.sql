-- 00037_param_names: rows of a task are stored without the names of their columns. Owned by
-- package events.
--
-- Forward only. The previous version does not read rows that this version adds: stop its
-- processes first.

-- +goose Up
--   param_names  names of the members of events.params, a JSON array. Params of the task's rows
--                that are a list have one value for each, none between two commas
ALTER TABLE tasks ADD COLUMN param_names text;

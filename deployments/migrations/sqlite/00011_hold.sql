-- 00011_hold: tasks of which nothing runs before their file is read to its end.
--
-- Forward only. The previous version does not know the columns, and feeds what
-- is held: let all workers be of this version before the options on_invalid
-- and mode are used.
--
--   hold      why rows wait: 'block' and 'all_or_nothing' until the file is read,
--             'block' also until a person has looked, 'refused' until the task
--             has ended; empty: they do not
--   warnings  what was decided about the file without asking: JSON, texts

-- +goose Up
ALTER TABLE tasks ADD COLUMN hold text NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN warnings text NOT NULL DEFAULT '[]';

-- 00012_dialect: how the text of an upload is read, so that it is read once
-- more exactly as it was when it was accepted.
--
-- Forward only. Safe while the previous version runs: it does not know the
-- columns, and finds the same by the content.
--
--   file_encoding   the character set by its WHATWG name, such as utf-8
--   file_delimiter  what separates the cells, one character
--
-- Both are empty for workbooks, and for tasks of the previous version.

-- +goose Up
ALTER TABLE tasks ADD COLUMN file_encoding text NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN file_delimiter text NOT NULL DEFAULT '';

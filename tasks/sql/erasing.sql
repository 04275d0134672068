-- erasing.sql: record that the files of a task have to be deleted, because they contain a row that
-- was deleted.
INSERT INTO rollcall.ledger (name, value, note) VALUES (@name, @num, '')
ON CONFLICT (name) DO NOTHING

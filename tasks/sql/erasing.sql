-- erasing.sql: note that the files of a task have to be deleted, because a row that they
-- hold was deleted.
INSERT INTO rollcall.ledger (name, value, note) VALUES (@name, @num, '')
ON CONFLICT (name) DO NOTHING

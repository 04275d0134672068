-- note_keyed.sql: record for any.sql that there are keys, before some are deleted.
INSERT INTO rollcall.ledger (name, value) SELECT 'keyed', 1 WHERE EXISTS (SELECT 1 FROM rollcall.api_keys)
ON CONFLICT (name) DO NOTHING

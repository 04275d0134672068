-- note_forwarder.sql: remember the last peer that forwards requests and is not a trusted
-- proxy. value is when, in unix ms; note is its address.
INSERT INTO rollcall.ledger (name, value, note) VALUES ('forwarder', @now, @peer)
ON CONFLICT (name) DO UPDATE SET value = excluded.value, note = excluded.note

-- note_forwarder.sql: record the last peer that forwarded a request without being a trusted
-- proxy. value is the time, in unix ms, and note is the address of the peer.
INSERT INTO rollcall.ledger (name, value, note) VALUES ('forwarder', @now, @peer)
ON CONFLICT (name) DO UPDATE SET value = excluded.value, note = excluded.note

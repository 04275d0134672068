-- hold_mark.sql: lock the mark that Redis must carry, so that no feeder changes it until the
-- transaction ends. No row: it is another mark by now.
UPDATE rollcall.ledger SET note = note WHERE name = 'redis' AND note = @redis

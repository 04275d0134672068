-- hold_mark.sql: lock the generation mark that Redis must carry, so that no feeder changes it until the
-- transaction ends. It updates no row if the mark has changed.
UPDATE rollcall.ledger SET note = note WHERE name = 'redis' AND note = @redis

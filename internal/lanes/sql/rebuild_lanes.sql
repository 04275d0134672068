-- rebuild_lanes.sql: end all claims of lanes, so a push under way is not noted. claim_until 1
-- is a claim that ran out: the next claim notes that its rows may be in Redis. The keys of
-- held rows are reported to the new Redis: stir_at gets another value that is due.
UPDATE rollcall.lanes SET claim = 0, claim_until = CASE WHEN claim_until > 0 THEN 1 ELSE 0 END,
    stir_at = CASE WHEN stir_at <= 0 THEN stir_at - 1 WHEN stir_at < 1000000 THEN stir_at + 1 ELSE 1 END
WHERE claim_until > 0 OR stir_at > 0 OR EXISTS (SELECT 1 FROM rollcall.held_keys k WHERE k.lane = lanes.id)

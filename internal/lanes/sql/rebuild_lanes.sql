-- rebuild_lanes.sql: end all claims of lanes, so that no running push is recorded. claim_until 1
-- is an expired claim: the next claim records that its rows may be in Redis. stir_at gets another
-- value that is due, so that the keys of held rows are reported to the new Redis.
UPDATE rollcall.lanes SET claim = 0, claim_until = CASE WHEN claim_until > 0 THEN 1 ELSE 0 END,
    stir_at = CASE WHEN stir_at <= 0 THEN stir_at - 1 WHEN stir_at < 1000000 THEN stir_at + 1 ELSE 1 END
WHERE claim_until > 0 OR stir_at > 0 OR EXISTS (SELECT 1 FROM rollcall.held_keys k WHERE k.lane = lanes.id)

-- rebuild_lanes.sql: end all claims of lanes, so a push under way is not noted. claim_until 1
-- is a claim that ran out: the next claim notes that its rows may be in Redis. The keys of
-- held rows are reported to the new Redis.
UPDATE lanes SET claim = 0, claim_until = CASE WHEN claim_until > 0 THEN 1 ELSE 0 END, stir_at = 1
WHERE claim_until > 0 OR stir_at > 1

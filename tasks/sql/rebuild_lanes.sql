-- rebuild_lanes.sql: end all claims of lanes, so a push under way is not noted. claim_until 1
-- is a claim that ran out: the next claim notes that its rows may be in Redis.
UPDATE lanes SET claim = 0, claim_until = 1 WHERE claim_until > 0

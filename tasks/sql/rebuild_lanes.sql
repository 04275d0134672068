-- rebuild_lanes.sql: take all lanes away from their feeders. A push under way cannot be
-- noted any more. Its rows may be in Redis or not: the claim's time stays, as a trace of that.
UPDATE lanes SET claim = 0, claim_until = 1 WHERE claim_until > 0

-- rebuild.sql: push everything again that was pushed and is not at rest.
--
-- A push under way cannot be noted any more. Its rows may be in Redis or not:
-- the claim's time stays, as a trace of that.
UPDATE feeds
SET again_from = 0, again_to = fed, claim = 0,
    claim_until = CASE WHEN claim_until > 0 THEN 1 ELSE 0 END

-- record_attempt.sql: store the result of an attempt and release its claim.
UPDATE rollcall.deliveries
SET state = @state, tries = @tries, next_at = @next, attempts = @attempts, settled_at = @settled,
    claim = 0, claim_until = 0
WHERE num = @num AND claim = @claim

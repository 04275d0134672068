-- record_attempt.sql: store the result of an attempt and release its claim.
--
-- A delivery that ended during the attempt, with its webhook, is not attempted again.
UPDATE rollcall.deliveries
SET state = CASE @state WHEN 'waiting' THEN state ELSE @state END, tries = @tries, next_at = @next, attempts = @attempts,
    settled_at = CASE @state WHEN 'waiting' THEN settled_at ELSE @settled END, claim = 0, claim_until = 0
WHERE num = @num AND claim = @claim

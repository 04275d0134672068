-- claim_delivery.sql: claim a delivery, if it is still due.
UPDATE rollcall.deliveries SET claim = @claim, claim_until = @until
WHERE num = @num AND state = 'waiting' AND next_at <= @now AND claim_until < @now

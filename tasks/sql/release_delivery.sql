-- release_delivery.sql: give the claim of a delivery back without a try.
UPDATE deliveries SET claim = 0, claim_until = 0 WHERE num = @num AND claim = @claim

-- release_delivery.sql: release the claim of a delivery without an attempt.
UPDATE rollcall.deliveries SET claim = 0, claim_until = 0 WHERE num = @num AND claim = @claim

-- return_lane.sql: release the claim of a lane, and add the pushed rows to its count.
UPDATE rollcall.lanes SET claim = 0, claim_until = 0, claimed = '', room = 0, reach = 0, pushed = pushed + @pushed
WHERE id = @lane AND claim = @claim

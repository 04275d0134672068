-- return_lane.sql: give the claim of a lane back, of which rows were pushed.
UPDATE rollcall.lanes SET claim = 0, claim_until = 0, claimed = '', room = 0, reach = 0, pushed = pushed + @pushed
WHERE id = @lane AND claim = @claim

-- claim_lane.sql: claim a lane, and lock it. It returns no row if another feeder has the lane.
-- Otherwise it returns what an expired claim may have pushed, whether Redis may have held rows,
-- and whether the lane has any.
UPDATE rollcall.lanes SET claim = @claim, claim_until = @until
WHERE id = @lane AND claim_until < @now
RETURNING claimed, room, CASE WHEN reach > room THEN reach ELSE room END, doubted,
          EXISTS (SELECT 1 FROM rollcall.held_keys k WHERE k.lane = lanes.id)

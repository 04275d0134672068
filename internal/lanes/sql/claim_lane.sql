-- claim_lane.sql: take the right to push rows of a lane, and lock the lane. No row: another
-- feeder has it. It returns what a claim that ran out may have pushed, whether Redis may have
-- held rows, and whether there are any.
UPDATE rollcall.lanes SET claim = @claim, claim_until = @until
WHERE id = @lane AND claim_until < @now
RETURNING claimed, room, CASE WHEN reach > room THEN reach ELSE room END, doubted,
          EXISTS (SELECT 1 FROM rollcall.held_keys k WHERE k.lane = lanes.id)

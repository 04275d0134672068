-- claim_lane.sql: take the right to push rows of a lane, and lock the lane. No row: another
-- feeder has it. What a claim may have pushed that ran out is returned.
UPDATE lanes SET claim = @claim, claim_until = @until
WHERE id = @lane AND claim_until < @now
RETURNING claimed, room

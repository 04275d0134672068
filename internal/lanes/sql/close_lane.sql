-- close_lane.sql: mark a lane whose keys must be reported to Redis when its run hours begin, as
-- after a resume. A lane is marked once between two periods of run hours.
UPDATE rollcall.lanes SET stir_at = -cast(@now AS bigint) WHERE id = @lane AND stir_at = @was

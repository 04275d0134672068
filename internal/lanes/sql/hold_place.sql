-- hold_place.sql: reserve @places places behind all groups of a lane, and record whether an
-- unrecorded push may have brought held rows to Redis. All keys with held rows of the lane are
-- reported to Redis at @soon at the latest: the feeder may end before it reports the changed keys.
UPDATE rollcall.lanes SET place = place + @places, stir_at = CASE WHEN stir_at > @soon THEN @soon ELSE stir_at END,
       doubted = (doubted OR @doubted) AND EXISTS (SELECT 1 FROM rollcall.held_keys k WHERE k.lane = lanes.id)
WHERE id = @lane

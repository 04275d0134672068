-- hold_place.sql: give runs places behind all others of the lane, and note whether a push
-- that was not noted may have brought held rows to Redis. The feeder may end before it reports
-- their keys, so all keys are reported at @soon.
UPDATE rollcall.lanes SET place = place + @places, stir_at = CASE WHEN stir_at > @soon THEN @soon ELSE stir_at END,
       doubted = (doubted OR @doubted) AND EXISTS (SELECT 1 FROM rollcall.held_keys k WHERE k.lane = lanes.id)
WHERE id = @lane

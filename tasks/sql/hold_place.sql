-- hold_place.sql: give runs places behind all others of the lane, and note whether a push
-- that was not noted may have brought held rows to Redis.
UPDATE lanes SET place = place + @places,
       doubted = (doubted OR @doubted) AND EXISTS (SELECT 1 FROM held_keys k WHERE k.lane = lanes.id)
WHERE id = @lane

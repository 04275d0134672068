-- note_lane.sql: note which tasks a claim of a lane is about, and how many rows.
UPDATE lanes SET claimed = @nums, room = @room WHERE id = @lane

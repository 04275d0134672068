-- note_lane.sql: note which tasks a claim of a lane is about, how many rows it may push, and
-- among how many of the next rows of each task these are.
UPDATE rollcall.lanes SET claimed = @nums, room = @room, reach = @reach WHERE id = @lane

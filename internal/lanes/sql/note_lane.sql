-- note_lane.sql: record the tasks and the number of rows of a claim. These rows are among the
-- next @reach rows of each task.
UPDATE rollcall.lanes SET claimed = @nums, room = @room, reach = @reach WHERE id = @lane

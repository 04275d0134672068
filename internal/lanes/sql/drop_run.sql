-- drop_run.sql: remove a run.
DELETE FROM rollcall.held WHERE lane = @lane AND key = @key AND place = @place AND first = @first

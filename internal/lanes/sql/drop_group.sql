-- drop_group.sql: remove a group.
DELETE FROM rollcall.held WHERE lane = @lane AND key = @key AND place = @place AND first = @first

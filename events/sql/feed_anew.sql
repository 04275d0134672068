-- feed_anew.sql: give a feed to a done task that runs again. All its rows were fed once. Held rows
-- that ended meanwhile stay until the feeder reads them.
INSERT INTO rollcall.feeds (task_num, fed, held)
SELECT @num, @total, coalesce((SELECT cast(sum(h.rows) AS bigint) FROM rollcall.held h
                               WHERE h.first BETWEEN cast(@num AS bigint) << 32 AND ((cast(@num AS bigint) + 1) << 32) - 1), 0)

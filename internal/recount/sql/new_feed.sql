-- new_feed.sql: give a task a feed that it has lost. What was fed is not known:
-- all that is not at rest is fed again, and asks the ledger before it runs.
INSERT INTO rollcall.feeds (task_num, fed, again_to) VALUES (@num, @last, @last)
ON CONFLICT (task_num) DO NOTHING

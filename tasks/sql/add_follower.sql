-- add_follower.sql: count one more task that starts after each of some tasks.
UPDATE rollcall.tasks SET followers = followers + 1 WHERE num = ANY (cast(@nums AS bigint[]))

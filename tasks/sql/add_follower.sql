-- add_follower.sql: count one more follower of each of some tasks: a task that starts after them.
UPDATE rollcall.tasks SET followers = followers + 1 WHERE num = ANY (cast(@nums AS bigint[]))

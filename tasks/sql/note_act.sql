-- note_act.sql: note who did what to a task.
INSERT INTO audit (task_num, at, actor, act) VALUES (@num, @now, @by, @act)

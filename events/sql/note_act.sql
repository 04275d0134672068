-- note_act.sql: note who did what to rows of a task.
INSERT INTO audit (task_num, at, actor, act, seq, rows, detail)
VALUES (@num, @now, @by, @act, @seq, @rows, @detail)

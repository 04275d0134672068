-- note_edit_sqlite.sql: note one edit of one row; Postgres copies them.
INSERT INTO audit (task_num, at, actor, act, seq, rows, detail)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)

-- row_act.sql: return the last act on a row, and the version in which it left the row.
SELECT a.num, a.id, a.at, a.actor, a.act, a.undoes, a.rows, a.undone, a.undone_by, a.undone_at, a.run_at, a.fix, r.version
FROM rollcall.review_rows r
JOIN rollcall.review_acts a ON a.num = r.act
WHERE r.event_id = @id
ORDER BY r.version DESC
LIMIT 1

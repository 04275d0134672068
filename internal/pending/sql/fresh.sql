-- fresh.sql: those of some rows that have not begun to run since they were resubmitted.
SELECT id FROM rollcall.events WHERE id IN @ids AND status = 'enqueue' AND attempt = spared

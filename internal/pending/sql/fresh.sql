-- fresh.sql: return the rows among @ids that have not started since they were resubmitted.
SELECT id FROM rollcall.events WHERE id IN @ids AND status = 'enqueue' AND attempt = spared

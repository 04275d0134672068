-- rebuild_back.sql: schedule all resubmitted rows to be fed again. back_all.sql counts them.
UPDATE rollcall.refeed SET waits = TRUE WHERE NOT waits

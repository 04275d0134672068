-- rebuild_back.sql: feed every resubmitted row again; back_all.sql counts them.
UPDATE rollcall.refeed SET waits = TRUE WHERE NOT waits

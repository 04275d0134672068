-- reruns.sql: return those of some tasks whose re-run is being canceled. An export is
-- canceled as a whole, for it has no file then.
SELECT num FROM rollcall.tasks
WHERE num = ANY (cast(@nums AS bigint[])) AND status = 'canceling' AND rerun AND NOT unmerged

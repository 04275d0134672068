-- reruns.sql: return the tasks, among the given ones, whose re-run is being canceled. It omits
-- exports without a merged file: they are canceled as a whole.
SELECT num FROM rollcall.tasks
WHERE num = ANY (cast(@nums AS bigint[])) AND status = 'canceling' AND rerun AND NOT unmerged

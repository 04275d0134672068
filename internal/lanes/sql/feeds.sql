-- feeds.sql: return feeds of tasks that are not done. {which} is one of the conditions in
-- feed.go.
--
-- The first computed count is of the rows that were pushed and are not at rest. The second counts
-- the part that waits for a worker, without resubmitted rows that have run: they count as
-- retries. Held rows are in neither.
SELECT t.num, t.id, t.tenant, t.kind, t.status, f.lane, f.rank, f.reading, t.total, t.total_is_final,
       f.fed, f.unfed, f.back,
       CASE WHEN f.back > 0 THEN coalesce((SELECT min(r.seq) FROM rollcall.refeed r
                                           WHERE r.task_num = f.task_num AND r.waits), 0)
            ELSE 0 END,
       f.again_from, f.again_to, CASE WHEN f.claim_until = 0 THEN 0 WHEN f.reach > f.room THEN f.reach ELSE f.room END,
       t.enqueue + t.working - f.unfed - f.back - f.held, t.enqueue - t.retrying - f.unfed - f.back - f.held, f.held,
       f.pushed, CASE WHEN t.moved_at > t.created_at THEN t.moved_at ELSE t.created_at END, f.stale, coalesce(l.slots, 0), coalesce(l.window_rows, 0), coalesce(l.paused, FALSE),
       coalesce(l.run_hours, ''), t.late = 1
FROM rollcall.feeds f
JOIN rollcall.tasks t ON t.num = f.task_num
LEFT JOIN rollcall.limits l ON l.tenant = t.tenant
{which}

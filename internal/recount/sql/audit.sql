-- audit.sql: return the stored counts of a task and the counts of its events, at one moment.
--
-- @low and @high bound the ids of the events, both excluded. Without a feed, its columns are 0.
-- Resubmitted rows that wait to be fed are counted apart from the unfed rows.
SELECT t.id, t.tenant, t.kind, t.status = 'canceling', t.total_is_final, t.finished_at > 0, t.children = t.children_done
         AND NOT (t.unmerged AND t.finish = t.total AND t.problem IS NULL AND t.status <> 'canceling'),
       f.task_num IS NOT NULL, coalesce(f.claim_until, 0) > 0, coalesce(f.fed, 0), coalesce(f.unfed, 0), coalesce(f.back, 0), coalesce(f.held, 0),
       coalesce((SELECT cast(sum(h.rows) AS bigint) FROM rollcall.held h WHERE h.first > @low AND h.first < @high), 0),
       t.total, t.enqueue, t.working, t.finish, t.failed, t.error, t.canceled, t.retrying, t.skipped,
       t.superseded,
       coalesce(max(e.id), @low) - @low, count(e.id),
       count(CASE e.status WHEN 'enqueue' THEN 1 END), count(CASE e.status WHEN 'working' THEN 1 END),
       count(CASE e.status WHEN 'finish' THEN 1 END), count(CASE e.status WHEN 'failed' THEN 1 END),
       count(CASE e.status WHEN 'error' THEN 1 END), count(CASE e.status WHEN 'canceled' THEN 1 END),
       count(CASE WHEN e.status = 'enqueue' AND e.attempt > 0 THEN 1 END),
       count(CASE WHEN e.status IN ('enqueue', 'working') AND e.id > @low + coalesce(f.fed, 0)
                       AND r.seq IS NULL THEN 1 END),
       count(CASE WHEN r.waits THEN 1 END),
       count(CASE WHEN e.status IN ('failed', 'error') AND e.resolution IN ('skipped', 'accepted') THEN 1 END),
       count(CASE WHEN e.status IN ('failed', 'error') AND e.resolution = 'superseded' THEN 1 END)
FROM rollcall.tasks t
LEFT JOIN rollcall.feeds f ON f.task_num = t.num
LEFT JOIN rollcall.events e ON e.id > @low AND e.id < @high
LEFT JOIN rollcall.refeed r ON r.task_num = t.num AND r.seq = e.id - @low
WHERE t.num = @num AND t.purged_at = 0
GROUP BY t.num, f.task_num

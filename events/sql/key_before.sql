-- key_before.sql: return the last rows of a lane with a key and an id below @id, newest first, with
-- their tasks. @hash is the hash of lane and key. The index of hashes and ids has this order.
SELECT e.id, t.id, t.name, e.row, e.status, e.attempt, coalesce(e.finished_at, 0)
FROM rollcall.events e
JOIN rollcall.tasks t ON t.num = e.id >> 32
WHERE e.key_hash = @hash AND e.key_hash <> 0 AND (e.key_hash, e.id) < (@hash, @id) AND e.key = @key
ORDER BY e.key_hash DESC, e.id DESC
LIMIT @most

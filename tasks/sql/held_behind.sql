-- held_behind.sql: count the held rows of some keys of a tenant and kind. It reads at most @most
-- records of each key, by the primary key. For a key with more records, the count is too low.
SELECT k.key, coalesce((
    SELECT sum(r.rows) FROM (
        SELECT h.rows FROM rollcall.held h WHERE h.lane = n.id AND h.key = k.key
        ORDER BY h.place, h.first LIMIT @most) r), 0)
FROM rollcall.lanes n
JOIN rollcall.held_keys k ON k.lane = n.id
WHERE n.tenant = @tenant AND n.kind = @kind AND k.key = ANY (cast(@keys AS text[]))

-- groups_of_keys.sql: return all groups of some keys, in the order of feeding within a key.
SELECT h.key, h.place, h.first, h.seqs
FROM rollcall.held h
WHERE h.lane = @lane AND h.key = ANY (cast(@keys AS text[]))
ORDER BY h.key, h.place, h.first

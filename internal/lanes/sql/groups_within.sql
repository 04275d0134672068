-- groups_within.sql: return the groups of some keys that overlap the range between two ids. Such a group
-- may have no row in this range.
SELECT h.key, h.place, h.first, h.seqs
FROM rollcall.held h
WHERE h.lane = @lane AND h.key = ANY (cast(@keys AS text[])) AND h.first <= @high AND h.last >= @low

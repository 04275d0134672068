-- act_first.sql: return the first rows of an act, and its last row, also if an undo has restored them. The last
-- row may be among the first: it is then returned twice.
SELECT event_id, version, was
FROM (SELECT event_id, version, was FROM rollcall.review_rows WHERE act = @act ORDER BY event_id LIMIT @most) first
UNION ALL
SELECT event_id, version, was
FROM (SELECT event_id, version, was FROM rollcall.review_rows WHERE act = @act ORDER BY event_id DESC LIMIT 1) last

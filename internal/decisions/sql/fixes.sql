-- fixes.sql: return what users replaced lately in rows of a lane, newest first.
SELECT at, fix
FROM rollcall.review_acts
WHERE lane = @lane AND fix <> '' AND undone_by = ''
ORDER BY num DESC
LIMIT @most

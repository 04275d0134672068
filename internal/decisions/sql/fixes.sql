-- fixes.sql: return the last values that users replaced in rows of a lane, newest first.
SELECT at, fix
FROM rollcall.review_acts
WHERE lane = @lane AND fix <> '' AND undone_by = ''
ORDER BY num DESC
LIMIT @most

-- last_press.sql: the newest edit that an actor made as one of many at once, among
-- the last acts on the subject. Its detail has a text that names the press.
SELECT num, detail
FROM (SELECT num, actor, act, detail
      FROM audit_log
      WHERE subject = @subject
      ORDER BY num DESC
      LIMIT @most) AS late
WHERE actor = @actor AND act = 'patch' AND replace(detail, cast(@press AS text), '') <> detail
ORDER BY num DESC
LIMIT 1

-- last_press.sql: the newest edit that somebody made as one of many at once, among
-- the last acts on the task. Its detail has a text that names the press.
SELECT num, act, detail
FROM (SELECT num, actor, act, detail
      FROM audit
      WHERE task_num = @num
      ORDER BY num DESC
      LIMIT @most) AS late
WHERE actor = @by AND act = 'patch' AND replace(detail, cast(@press AS text), '') <> detail
ORDER BY num DESC
LIMIT 1

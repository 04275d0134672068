-- due.sql: deliveries that may be tried now, the most overdue first.
--
-- @kinds and @busy are endpoints, as ",a,,b,".
SELECT num, endpoint, lane
FROM deliveries
WHERE state = 'waiting' AND next_at <= @now AND claim_until < @now
  AND (lane <> 'callback' OR replace(@kinds, ',' || endpoint || ',', '') <> @kinds)
  AND replace(@busy, ',' || endpoint || ',', '') = @busy
ORDER BY next_at, num
LIMIT @most

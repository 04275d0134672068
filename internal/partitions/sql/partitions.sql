-- partitions.sql: the tables named as partitions of events are, oldest first;
-- Postgres only.
--
-- block is the number in the name. attached is false for what a keeper that
-- died has left between detaching and dropping, pending while detaching goes
-- on or was broken off. kept tells whether some task of its numbers is not
-- purged; next is the first number that the partition behind it holds.
SELECT p.block, p.attached, p.pending, p.next,
       EXISTS (SELECT FROM rollcall.tasks t WHERE t.num >= p.low AND t.num < p.next AND t.purged_at = 0)
FROM (
    SELECT c.block, c.attached, c.pending,
           CASE c.block WHEN 0 THEN 0 ELSE c.block << 16 END AS low,
           CASE c.block WHEN 0 THEN first.value ELSE c.block + 1 END << 16 AS next
    FROM (
        SELECT cast(substr(r.relname, 9) AS bigint) AS block, i.inhrelid IS NOT NULL AS attached,
               coalesce(i.inhdetachpending, FALSE) AS pending
        FROM pg_class r
        LEFT JOIN pg_inherits i ON i.inhrelid = r.oid AND i.inhparent = cast('rollcall.events' AS regclass)
        WHERE r.relkind = 'r' AND r.relname ~ '^events_b[0-9]+$'
          AND r.relnamespace = (SELECT relnamespace FROM pg_class
                                WHERE oid = cast('rollcall.events' AS regclass))
    ) c, rollcall.ledger first
    WHERE first.name = 'partition'
) p
ORDER BY p.block

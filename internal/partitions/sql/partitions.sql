-- partitions.sql: return the tables that are named like partitions of events, oldest first;
-- Postgres only.
--
-- block is the number in the name. attached is false if a process died after it had detached the
-- partition and before it dropped the table. pending is true while the partition is being
-- detached, also if that was interrupted. The fourth column is the first task number after the
-- partition. The last reports whether a task of the partition is not purged.
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

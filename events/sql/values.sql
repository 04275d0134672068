-- values.sql: count the texts at fault in the open rows of each cause, among the first bad rows of
-- a task, and return the most frequent ones.
SELECT code, col, value, count, first_row, texts, seen
FROM (
    SELECT code, col, value, count, first_row,
           count(*) OVER (PARTITION BY code, col) AS texts,
           cast(sum(count) OVER (PARTITION BY code, col) AS bigint) AS seen,
           row_number() OVER (PARTITION BY code, col ORDER BY count DESC, first_row) AS place
    FROM (
        SELECT code, col, value, count(*) AS count, min(row) AS first_row
        FROM (
            SELECT code, coalesce(col, '') AS col, coalesce(value, '') AS value, row, status, resolution
            FROM rollcall.events
            WHERE id > @low AND id < @high AND code IS NOT NULL AND status IN ('failed', 'error')
            ORDER BY id
            LIMIT @rows
        ) bad
        WHERE status = 'failed' AND (resolution IS NULL OR resolution = 'resubmitted')
        GROUP BY code, col, value
    ) counted
) ranked
WHERE place <= @most
ORDER BY code, col, place

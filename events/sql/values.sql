-- values.sql: count the texts at fault in the open rows of each cause, among the first bad rows of
-- a task, and return the most frequent ones. others counts the rows that have a fault in another column, too: in
-- the JSON of their faults, the name of the column is not the only one.
SELECT code, col, value, count, others, first_row, texts, seen
FROM (
    SELECT code, col, value, count, others, first_row,
           count(*) OVER (PARTITION BY code, col) AS texts,
           cast(sum(count) OVER (PARTITION BY code, col) AS bigint) AS seen,
           row_number() OVER (PARTITION BY code, col ORDER BY count DESC, first_row) AS place
    FROM (
        SELECT code, col, value, count(*) AS count, min(row) AS first_row,
               cast(sum(CASE WHEN names > 1 AND names > own THEN 1 ELSE 0 END) AS bigint) AS others
        FROM (
            SELECT code, col, value, row, status, resolution,
                   (length(fields) - length(replace(fields, '"column":"', ''))) / length('"column":"') AS names,
                   (length(fields) - length(replace(fields, '"column":"' || col || '"', ''))) / length('"column":"' || col || '"') AS own
            FROM (
                SELECT code, coalesce(col, '') AS col, coalesce(value, '') AS value, row, status, resolution, fields
                FROM rollcall.events
                WHERE id > @low AND id < @high AND code IS NOT NULL AND status IN ('failed', 'error')
                ORDER BY id
                LIMIT @rows
            ) first
        ) bad
        WHERE status = 'failed' AND (resolution IS NULL OR resolution = 'resubmitted')
        GROUP BY code, col, value
    ) counted
) ranked
WHERE place <= @most
ORDER BY code, col, place

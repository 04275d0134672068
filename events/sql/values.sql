-- values.sql: count the texts at fault in the open rows of each cause, among the first bad rows of
-- a task, and return the most frequent ones. others counts the rows that have a fault in another column, too.
-- overtaken counts the rows without such a fault that do not run after a correction: the parts in braces are in
-- package overtaken. It is 0 unless @ordered.
-- fields is a JSON list, and each fault in it begins with its column and value. The first fault is that of the row.
-- `head` is the beginning of the first fault, up to the end of its column. A row has a fault in another column
-- if the list has a fault after the first that does not begin with `head`. Go writes the JSON with quotes in texts
-- escaped, so texts do not contain the beginning of a fault.
WITH w AS MATERIALIZED (
    SELECT id, key, CASE WHEN @ordered THEN key_hash ELSE 0 END AS key_hash, score, id AS above, code, col, value, row,
           coalesce(replace(fields, ',' || head || '","value":"', ''), '') AS rest
    FROM (
        SELECT id, key, key_hash, score,
               code, coalesce(col, '') AS col, coalesce(value, '') AS value, row, status, resolution, fields,
               substr(substr(fields, 1, strpos(fields || '","value":"', '","value":"') - 1), 2) AS head
        FROM rollcall.events
        WHERE id > @low AND id < @high AND code IS NOT NULL AND status IN ('failed', 'error')
        ORDER BY id
        LIMIT @rows
    ) first
    WHERE status = 'failed' AND (resolution IS NULL OR resolution = 'resubmitted')),
{newest}
SELECT code, col, value, count, others, overtaken, first_row, texts, seen
FROM (
    SELECT code, col, value, count, others, overtaken, first_row,
           count(*) OVER (PARTITION BY code, col) AS texts,
           cast(sum(count) OVER (PARTITION BY code, col) AS bigint) AS seen,
           row_number() OVER (PARTITION BY code, col ORDER BY count DESC, first_row) AS place
    FROM (
        SELECT w.code, w.col, w.value, count(*) AS count, min(w.row) AS first_row,
               cast(sum(CASE WHEN replace(w.rest, ',{"column":"', '') <> w.rest THEN 1 ELSE 0 END) AS bigint) AS others,
               cast(sum(CASE WHEN replace(w.rest, ',{"column":"', '') = w.rest AND {overtaken} THEN 1 ELSE 0 END) AS bigint) AS overtaken
        FROM w LEFT JOIN newest m ON m.key_hash = w.key_hash AND m.key = w.key
        GROUP BY w.code, w.col, w.value
    ) counted
) ranked
WHERE place <= @most
ORDER BY code, col, place

-- corrected.sql: return the number of corrected rows that have not run of each task, and the number of its
-- rows in error that are corrected or skipped.
SELECT task_num, cast(sum(fixed) AS bigint),
    cast(sum(CASE status WHEN 'error' THEN fixed + skipped ELSE 0 END) AS bigint)
FROM rollcall.error_groups
WHERE task_num = ANY (cast(@nums AS bigint[])) AND count > 0
GROUP BY task_num

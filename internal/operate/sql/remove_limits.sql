-- remove_limits.sql: delete the limits of a tenant, if the owner of the service has set none.
DELETE FROM rollcall.limits
WHERE tenant = @tenant AND NOT stopped AND weight = 1 AND most_slots = 0 AND most_window_rows = 0 AND most_rate = 0
  AND most_tasks = 0 AND most_jobs = 0 AND most_bytes = 0 AND most_priority = 0 AND most_schedules = 0 AND run_hours = ''

-- seen.sql: record that a process that runs rows is alive.
UPDATE rollcall.runners SET seen_at = @now WHERE num = @num

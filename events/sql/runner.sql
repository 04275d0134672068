-- runner.sql: store a process that runs rows, and return its number.
INSERT INTO rollcall.runners (worker, build, seen_at)
VALUES (cast(@worker AS text), cast(@build AS text), cast(@now AS bigint))
ON CONFLICT (worker, build) DO UPDATE SET seen_at = excluded.seen_at
RETURNING num

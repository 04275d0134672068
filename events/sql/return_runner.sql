-- return_runner.sql: store a process again under the number that it had.
INSERT INTO rollcall.runners (num, worker, build, seen_at)
VALUES (@num, cast(@worker AS text), cast(@build AS text), cast(@now AS bigint))
ON CONFLICT DO NOTHING

-- deliver.sql: have a notice told to one listener, now.
INSERT INTO deliveries (id, notice, webhook, tenant, lane, endpoint, next_at, created_at)
VALUES (@id, @notice, @webhook, @tenant, @lane, @endpoint, @now, @now)

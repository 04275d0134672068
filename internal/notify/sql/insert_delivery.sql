-- insert_delivery.sql: add the delivery of a notification to one recipient, due now.
INSERT INTO rollcall.deliveries (id, notice, webhook, tenant, channel, endpoint, next_at, created_at)
VALUES (@id, @notice, @webhook, @tenant, @channel, @endpoint, @now, @now)

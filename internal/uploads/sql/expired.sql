-- expired.sql: return up to @most ids of uploads whose time is over, the oldest first.
SELECT id FROM rollcall.uploads WHERE expires_at <= @now ORDER BY expires_at LIMIT @most

-- expired.sql: return up to @most ids of expired uploads, the oldest first.
SELECT id FROM rollcall.uploads WHERE expires_at <= @now ORDER BY expires_at LIMIT @most

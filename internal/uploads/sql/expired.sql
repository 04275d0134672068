-- expired.sql: return up to @most uploads whose time is over, the oldest first: id and file.
SELECT id, file_id FROM rollcall.uploads WHERE expires_at <= @now ORDER BY expires_at LIMIT @most

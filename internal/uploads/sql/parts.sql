-- parts.sql: return the parts of an upload in order.
SELECT file_id, sha256, size FROM rollcall.upload_parts WHERE upload = @id ORDER BY position

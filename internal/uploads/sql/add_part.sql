-- add_part.sql: record a stored part of an upload; advance.sql came first in the same transaction.
INSERT INTO rollcall.upload_parts (upload, position, size, file_id, sha256) VALUES (@id, @at, @bytes, @file, @sha256)

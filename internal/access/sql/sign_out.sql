-- sign_out.sql: delete a session.
DELETE FROM rollcall.api_secrets WHERE prefix = @prefix AND digest = @digest

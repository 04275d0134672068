-- sign_out.sql: end a session.
DELETE FROM api_secrets WHERE prefix = @prefix AND digest = @digest

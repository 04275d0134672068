-- sign_in.sql: add a session if its secret is valid. The session ends with the secret at the latest.
INSERT INTO rollcall.api_secrets (prefix, key_id, digest, created_at, until)
SELECT @prefix, s.key_id, @digest, cast(@now AS bigint),
       CASE WHEN s.until > 0 AND s.until < cast(@until AS bigint) THEN s.until
            ELSE cast(@until AS bigint) END
FROM rollcall.api_secrets s
WHERE s.prefix = @by AND s.digest = @by_digest AND (s.until = 0 OR s.until > cast(@now AS bigint))

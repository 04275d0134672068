-- 00033_people: when an issuer vouched for a person last. Owned by package access.
--
-- Safe under the previous version: it neither reads nor writes the column.

-- +goose Up
-- Unix ms at which the newest token or sign-in of a person was issued; 0: not known, and of
-- a key.
ALTER TABLE api_keys ADD COLUMN vouched_at bigint NOT NULL DEFAULT 0;

-- 00034_made: which key or person made a key, a schedule or a webhook. Owned by packages
-- access and tasks.
--
-- Safe under the previous version: it neither reads nor writes the columns. What it makes
-- meanwhile has no maker.

-- +goose Up
-- The id of a key or a person: "key_…" or "usr_…"; empty: not known, or a command made it.
ALTER TABLE api_keys ADD COLUMN maker text NOT NULL DEFAULT '';
ALTER TABLE schedules ADD COLUMN maker text NOT NULL DEFAULT '';
ALTER TABLE webhooks ADD COLUMN maker text NOT NULL DEFAULT '';

UPDATE api_keys SET maker = created_by WHERE substr(created_by, 1, 4) = 'key_';
UPDATE schedules SET maker = created_by WHERE substr(created_by, 1, 4) = 'key_';

-- People are known there by their names, which count if one person of the tenant has the name.
UPDATE api_keys SET maker = (
    SELECT min(p.id) FROM api_keys p WHERE p.tenant = api_keys.tenant AND p.prefix = '' AND 'oidc:' || p.name = api_keys.created_by
)
WHERE substr(created_by, 1, 5) = 'oidc:' AND 1 = (
    SELECT count(*) FROM api_keys p WHERE p.tenant = api_keys.tenant AND p.prefix = '' AND 'oidc:' || p.name = api_keys.created_by
);
UPDATE schedules SET maker = (
    SELECT min(p.id) FROM api_keys p WHERE p.tenant = schedules.tenant AND p.prefix = '' AND 'oidc:' || p.name = schedules.created_by
)
WHERE substr(created_by, 1, 5) = 'oidc:' AND 1 = (
    SELECT count(*) FROM api_keys p WHERE p.tenant = schedules.tenant AND p.prefix = '' AND 'oidc:' || p.name = schedules.created_by
);

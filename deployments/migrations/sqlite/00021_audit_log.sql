-- 00021_audit_log: one log of who did what, instead of three. Owned by package
-- internal/audit.
--
-- Not safe beside an earlier version: it drops the tables that such a version
-- writes. No version before it was released.

-- +goose Up

-- Who did what, in the transaction that did it.
--   subject  task:NUM, key:ID or ops:TENANT; what is listed together
--   target   what an operator did it to: a queue, a node, a tenant, a key; may be empty
--   seq      the row; 0 if it is about several, or about none
--   touched  how many rows or keys; -1: it was begun, and its end was not noted
--   detail   JSON; empty: nothing to add
CREATE TABLE audit_log (
    num     INTEGER PRIMARY KEY AUTOINCREMENT,
    subject text   NOT NULL,
    at      bigint NOT NULL,
    actor   text   NOT NULL,
    act     text   NOT NULL,
    target  text   NOT NULL DEFAULT '',
    seq     bigint NOT NULL DEFAULT 0,
    touched bigint NOT NULL DEFAULT 0,
    detail  text   NOT NULL DEFAULT ''
);
CREATE INDEX audit_log_subject_idx ON audit_log (subject, num);

INSERT INTO audit_log (subject, at, actor, act, seq, touched, detail)
SELECT 'task:' || task_num, at, actor, act, seq, rows, detail FROM audit ORDER BY num;

INSERT INTO audit_log (subject, at, actor, act, target, touched, detail)
SELECT 'ops:' || tenant, at, actor, act, target, touched,
       CASE WHEN detail <> '' THEN '{"act":' || detail || '}' ELSE '' END
FROM ops_audit ORDER BY num;

INSERT INTO audit_log (subject, at, actor, act, target, touched, detail)
SELECT 'key:' || key, at, actor, act, key, 1,
       CASE WHEN detail <> '' THEN json_object('note', detail) ELSE '' END
FROM api_key_changes ORDER BY num;

DROP TABLE audit;
DROP TABLE ops_audit;
DROP TABLE api_key_changes;

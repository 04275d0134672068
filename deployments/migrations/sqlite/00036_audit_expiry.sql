-- 00036_audit_expiry: find old entries of the audit log. Owned by package internal/audit.
--
-- Safe under the previous version: it keeps all entries.

-- +goose Up
-- Entries of tasks are deleted with their tasks.
CREATE INDEX audit_log_at_idx ON audit_log (at) WHERE substr(subject, 1, 5) <> 'task:';

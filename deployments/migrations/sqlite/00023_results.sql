-- 00023_results: files that tasks have made count in the quota of bytes. Owned by package
-- tasks.
--
-- Forward only. Safe while the previous version runs: it adds an index only. Making it holds
-- up new tasks for as long as it takes: some seconds for a million.

-- +goose Up
CREATE INDEX tasks_results_idx ON tasks (tenant) WHERE result_id <> '' AND result_purged_at = 0;

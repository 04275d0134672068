-- set_weight.sql: change the share of a tenant while others wait.
INSERT INTO rollcall.limits (tenant, weight, changed_at) VALUES (@tenant, @weight, @now)
ON CONFLICT (tenant) DO UPDATE SET weight = excluded.weight, changed_at = excluded.changed_at

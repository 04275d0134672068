-- set_weight.sql: set the weight of a tenant: its share of the work while other tenants wait.
INSERT INTO rollcall.limits (tenant, weight, changed_at) VALUES (@tenant, @weight, @now)
ON CONFLICT (tenant) DO UPDATE SET weight = excluded.weight, changed_at = excluded.changed_at

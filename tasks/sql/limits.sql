-- limits.sql: what a tenant may use.
SELECT slots, window_rows FROM limits WHERE tenant = @tenant

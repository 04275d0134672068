-- upsert.sql: add a product to the catalogue, or replace the one with its SKU.
INSERT INTO catalogue (tenant, sku, name, price, stock, brand, start_on, job_id)
VALUES (@tenant, @sku, @name, cast(@price AS numeric), @stock, @brand, @start_on, @job_id)
ON CONFLICT (tenant, sku) DO UPDATE
SET name = excluded.name, price = excluded.price, stock = excluded.stock, brand = excluded.brand,
    start_on = excluded.start_on, job_id = excluded.job_id, writes = catalogue.writes + 1

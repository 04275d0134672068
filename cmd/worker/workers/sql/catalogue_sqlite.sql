-- catalogue_sqlite.sql: create the table of the products of tenants; SQLite only. The column "writes" is
-- the number of upserts, so that a test can detect a row that ran twice.
CREATE TABLE IF NOT EXISTS catalogue (
    tenant   text    NOT NULL,
    sku      text    NOT NULL,
    name     text    NOT NULL,
    price    text    NOT NULL,
    stock    bigint,
    brand    text    NOT NULL,
    start_on text,
    job_id   text    NOT NULL,
    writes   bigint  NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant, sku)
)

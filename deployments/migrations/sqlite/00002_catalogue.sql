-- 00002_catalogue: the table that the sample worker products.import writes to.
--
-- writes counts upserts, so that a test can tell a row that ran twice.

-- +goose Up
CREATE TABLE catalogue (
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
);

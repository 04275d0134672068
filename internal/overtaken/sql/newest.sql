-- newest.sql: for each key of the rows w without a version, return the newest finished row of the ledger, if its
-- id is above the least w.above of the key. Each such key is read once. A read for each row would take 10,000
-- times as long for 10,000 rows of one key.
--
-- The ids are compared together with the hash. Otherwise Postgres would expect few rows for "id > x",
-- and would read all newer rows instead of those of the key.
newest AS MATERIALIZED (
    SELECT k.key_hash, k.key, (
        SELECT n.id FROM rollcall.events n
        WHERE n.key_hash = k.key_hash AND n.key_hash <> 0 AND (n.key_hash, n.id) > (k.key_hash, k.above)
          AND n.status = 'finish' AND (n.code IS NULL AND n.key = k.key OR n.code = 'ERASED')
        ORDER BY n.id DESC LIMIT 1) AS id
    FROM (SELECT key_hash, key, min(above) AS above FROM w WHERE key_hash <> 0 AND score IS NULL GROUP BY key_hash, key) k)

-- redis_mark.sql: the mark that Redis must carry.
SELECT note FROM ledger WHERE name = 'redis'

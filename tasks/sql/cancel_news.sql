-- cancel_news.sql: tell every process that limits has news.
UPDATE rollcall.ledger SET value = value + 1 WHERE name = 'cancels'

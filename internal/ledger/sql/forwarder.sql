-- forwarder.sql: the last peer that forwards requests and is not a trusted proxy, and when
-- it sent one, in unix ms; no row if there was none.
SELECT note, value FROM rollcall.ledger WHERE name = 'forwarder'

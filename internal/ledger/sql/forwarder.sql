-- forwarder.sql: return the last peer that forwarded a request without being a trusted proxy, and
-- the time, in unix ms. There is no row if no peer was recorded.
SELECT note, value FROM rollcall.ledger WHERE name = 'forwarder'

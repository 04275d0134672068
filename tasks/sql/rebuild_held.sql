-- rebuild_held.sql: forget all held rows. The feeder reads them again with the others.
DELETE FROM held

-- lane_slots.sql: return the tenant of a lane and its number of slots; 0 means no limit.
SELECT n.tenant, coalesce(l.slots, 0) FROM rollcall.lanes n LEFT JOIN rollcall.limits l ON l.tenant = n.tenant WHERE n.id = @lane

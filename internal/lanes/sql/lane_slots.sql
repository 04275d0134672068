-- lane_slots.sql: the tenant of a lane and its slots, 0 = any number.
SELECT n.tenant, coalesce(l.slots, 0) FROM rollcall.lanes n LEFT JOIN rollcall.limits l ON l.tenant = n.tenant WHERE n.id = @lane

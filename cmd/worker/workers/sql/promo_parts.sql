-- promo_parts.sql: the SKUs at which the parts of an export begin and end, in order;
-- a part of one product does both with it.
--
-- @size is how many products a part has; @brand is empty for all brands.
SELECT sku, (place - 1) % @size = 0 AS begins, place % @size = 0 OR next IS NULL AS ends
FROM (SELECT sku, row_number() OVER w AS place, lead(sku) OVER w AS next
      FROM catalogue
      WHERE tenant = @tenant AND (@brand = '' OR brand = @brand)
      WINDOW w AS (ORDER BY sku)) p
WHERE (place - 1) % @size = 0 OR place % @size = 0 OR next IS NULL
ORDER BY place

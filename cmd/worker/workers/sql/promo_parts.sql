-- promo_parts.sql: the first and the last SKU of each part of an export, in order.
--
-- @size is how many products a part has; @brand is empty for all brands.
SELECT min(sku), max(sku)
FROM (SELECT sku, row_number() OVER (ORDER BY sku) AS place
      FROM catalogue
      WHERE tenant = @tenant AND (@brand = '' OR brand = @brand)) p
GROUP BY (place - 1) / @size
ORDER BY min(sku)

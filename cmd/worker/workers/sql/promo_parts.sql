-- promo_parts.sql: the first SKU of each part of an export, in order.
--
-- @size is how many products a part has; @brand is empty for all brands.
SELECT sku
FROM (SELECT sku, row_number() OVER (ORDER BY sku) AS place
      FROM catalogue
      WHERE tenant = @tenant AND (@brand = '' OR brand = @brand)) p
WHERE (place - 1) % @size = 0
ORDER BY sku

-- promo_rows.sql: return the next products of a part: those above @after, from @first to @last.
SELECT sku, name, brand, cast(price AS text), stock, coalesce(start_on, '')
FROM catalogue
WHERE tenant = @tenant AND sku >= @first AND sku > @after AND sku <= @last
  AND (@brand = '' OR brand = @brand)
ORDER BY sku
LIMIT @most

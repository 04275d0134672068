-- promo_rows.sql: the next products of a part, behind @after and from @low on, up to
-- @high without it; an empty @high is no bound.
SELECT sku, name, brand, cast(price AS text), stock, coalesce(start_on, '')
FROM catalogue
WHERE tenant = @tenant AND sku >= @low AND sku > @after AND (@high = '' OR sku < @high)
  AND (@brand = '' OR brand = @brand)
ORDER BY sku
LIMIT @most

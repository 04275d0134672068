-- promo_parts.sql: return the first and the last SKU of each part of an export, in order.
--
-- @size is how many products a part has; @brand is empty for all brands. The recursion goes from the last
-- SKU of a part to that of the next. So the query reads only the index if @brand is empty. The last part
-- may have fewer products, or none: then its SKUs are null.
WITH RECURSIVE part (behind, last) AS (
    SELECT '', (SELECT sku FROM catalogue
                WHERE tenant = @tenant AND (@brand = '' OR brand = @brand)
                ORDER BY sku LIMIT 1 OFFSET @size - 1)
    UNION ALL
    SELECT p.last, (SELECT sku FROM catalogue
                    WHERE tenant = @tenant AND sku > p.last AND (@brand = '' OR brand = @brand)
                    ORDER BY sku LIMIT 1 OFFSET @size - 1)
    FROM part p
    WHERE p.last IS NOT NULL
)
SELECT (SELECT min(sku) FROM catalogue
        WHERE tenant = @tenant AND sku > p.behind AND (@brand = '' OR brand = @brand)) AS first,
       coalesce(p.last, (SELECT max(sku) FROM catalogue
                         WHERE tenant = @tenant AND sku > p.behind AND (@brand = '' OR brand = @brand))) AS last
FROM part p
ORDER BY p.behind

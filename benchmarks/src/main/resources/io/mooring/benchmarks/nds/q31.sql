-- Counties where the web grew faster than the stores, from quarter to quarter, twice.
WITH in_stores AS (
  SELECT ca_county, d_qoy, d_year, sum(ss_ext_sales_price) AS sales
  FROM store_sales
  JOIN date_dim ON ss_sold_date_sk = d_date_sk
  JOIN customer_address ON ss_addr_sk = ca_address_sk
  GROUP BY ca_county, d_qoy, d_year),
on_web AS (
  SELECT ca_county, d_qoy, d_year, sum(ws_ext_sales_price) AS sales
  FROM web_sales
  JOIN date_dim ON ws_sold_date_sk = d_date_sk
  JOIN customer_address ON ws_bill_addr_sk = ca_address_sk
  GROUP BY ca_county, d_qoy, d_year)
SELECT s1.ca_county, s1.d_year,
  w2.sales / w1.sales AS web_first, s2.sales / s1.sales AS store_first,
  w3.sales / w2.sales AS web_second, s3.sales / s2.sales AS store_second
FROM in_stores s1
JOIN in_stores s2 ON s2.ca_county = s1.ca_county AND s2.d_qoy = 2 AND s2.d_year = 2000
JOIN in_stores s3 ON s3.ca_county = s1.ca_county AND s3.d_qoy = 3 AND s3.d_year = 2000
JOIN on_web w1 ON w1.ca_county = s1.ca_county AND w1.d_qoy = 1 AND w1.d_year = 2000
JOIN on_web w2 ON w2.ca_county = s1.ca_county AND w2.d_qoy = 2 AND w2.d_year = 2000
JOIN on_web w3 ON w3.ca_county = s1.ca_county AND w3.d_qoy = 3 AND w3.d_year = 2000
WHERE s1.d_qoy = 1 AND s1.d_year = 2000
  AND CASE WHEN w1.sales > 0 THEN w2.sales / w1.sales END
    > CASE WHEN s1.sales > 0 THEN s2.sales / s1.sales END
  AND CASE WHEN w2.sales > 0 THEN w3.sales / w2.sales END
    > CASE WHEN s2.sales > 0 THEN s3.sales / s2.sales END
ORDER BY s1.ca_county

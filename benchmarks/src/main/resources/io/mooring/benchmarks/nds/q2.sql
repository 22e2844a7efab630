-- Sums by day name of each week, of two channels, over those of the week a year later.
WITH sales AS (
  SELECT ws_sold_date_sk AS sold_date_sk, ws_ext_sales_price AS sales_price FROM web_sales
  UNION ALL
  SELECT cs_sold_date_sk, cs_ext_sales_price FROM catalog_sales),
weekly AS (
  SELECT d_week_seq,
    sum(CASE WHEN d_day_name = 'Sunday' THEN sales_price END) AS sun_sales,
    sum(CASE WHEN d_day_name = 'Monday' THEN sales_price END) AS mon_sales,
    sum(CASE WHEN d_day_name = 'Tuesday' THEN sales_price END) AS tue_sales,
    sum(CASE WHEN d_day_name = 'Wednesday' THEN sales_price END) AS wed_sales,
    sum(CASE WHEN d_day_name = 'Thursday' THEN sales_price END) AS thu_sales,
    sum(CASE WHEN d_day_name = 'Friday' THEN sales_price END) AS fri_sales,
    sum(CASE WHEN d_day_name = 'Saturday' THEN sales_price END) AS sat_sales
  FROM sales JOIN date_dim ON d_date_sk = sold_date_sk
  GROUP BY d_week_seq),
a AS (
  SELECT weekly.* FROM weekly JOIN date_dim ON date_dim.d_week_seq = weekly.d_week_seq
  WHERE d_year = 2000),
b AS (
  SELECT weekly.* FROM weekly JOIN date_dim ON date_dim.d_week_seq = weekly.d_week_seq
  WHERE d_year = 2001)
SELECT a.d_week_seq,
  round(a.sun_sales / b.sun_sales, 2) AS sun,
  round(a.mon_sales / b.mon_sales, 2) AS mon,
  round(a.tue_sales / b.tue_sales, 2) AS tue,
  round(a.wed_sales / b.wed_sales, 2) AS wed,
  round(a.thu_sales / b.thu_sales, 2) AS thu,
  round(a.fri_sales / b.fri_sales, 2) AS fri,
  round(a.sat_sales / b.sat_sales, 2) AS sat
FROM a JOIN b ON b.d_week_seq - 53 = a.d_week_seq
ORDER BY a.d_week_seq

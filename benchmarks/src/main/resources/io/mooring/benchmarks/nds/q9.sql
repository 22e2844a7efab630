-- A count of each band of quantities decides which of its two averages is shown.
SELECT
  CASE WHEN (SELECT count(*) FROM store_sales WHERE ss_quantity BETWEEN 1 AND 20) > 1000
  THEN (SELECT avg(ss_ext_discount_amt) FROM store_sales
    WHERE ss_quantity BETWEEN 1 AND 20)
  ELSE (SELECT avg(ss_net_paid) FROM store_sales
    WHERE ss_quantity BETWEEN 1 AND 20)
  END AS bucket1,
  CASE WHEN (SELECT count(*) FROM store_sales WHERE ss_quantity BETWEEN 21 AND 40) > 2000000000
  THEN (SELECT avg(ss_ext_discount_amt) FROM store_sales
    WHERE ss_quantity BETWEEN 21 AND 40)
  ELSE (SELECT avg(ss_net_paid) FROM store_sales
    WHERE ss_quantity BETWEEN 21 AND 40)
  END AS bucket2,
  CASE WHEN (SELECT count(*) FROM store_sales WHERE ss_quantity BETWEEN 41 AND 60) > 1500
  THEN (SELECT avg(ss_ext_discount_amt) FROM store_sales
    WHERE ss_quantity BETWEEN 41 AND 60)
  ELSE (SELECT avg(ss_net_paid) FROM store_sales
    WHERE ss_quantity BETWEEN 41 AND 60)
  END AS bucket3,
  CASE WHEN (SELECT count(*) FROM store_sales WHERE ss_quantity BETWEEN 61 AND 80) > 3000000000
  THEN (SELECT avg(ss_ext_discount_amt) FROM store_sales
    WHERE ss_quantity BETWEEN 61 AND 80)
  ELSE (SELECT avg(ss_net_paid) FROM store_sales
    WHERE ss_quantity BETWEEN 61 AND 80)
  END AS bucket4,
  CASE WHEN (SELECT count(*) FROM store_sales WHERE ss_quantity BETWEEN 81 AND 100) > 2500
  THEN (SELECT avg(ss_ext_discount_amt) FROM store_sales
    WHERE ss_quantity BETWEEN 81 AND 100)
  ELSE (SELECT avg(ss_net_paid) FROM store_sales
    WHERE ss_quantity BETWEEN 81 AND 100)
  END AS bucket5

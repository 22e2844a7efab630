-- Six bands of quantities, each with alternatives and a distinct count.
SELECT *
FROM (SELECT avg(ss_list_price) AS b1_avg, count(ss_list_price) AS b1_count,
    count(DISTINCT ss_list_price) AS b1_distinct
  FROM store_sales
  WHERE ss_quantity BETWEEN 0 AND 5
    AND (ss_list_price BETWEEN 12 AND 22
      OR ss_coupon_amt BETWEEN 300 AND 1300
      OR ss_wholesale_cost BETWEEN 31 AND 51)) AS b1
CROSS JOIN (SELECT avg(ss_list_price) AS b2_avg, count(ss_list_price) AS b2_count,
    count(DISTINCT ss_list_price) AS b2_distinct
  FROM store_sales
  WHERE ss_quantity BETWEEN 6 AND 10
    AND (ss_list_price BETWEEN 95 AND 105
      OR ss_coupon_amt BETWEEN 1400 AND 2400
      OR ss_wholesale_cost BETWEEN 66 AND 86)) AS b2
CROSS JOIN (SELECT avg(ss_list_price) AS b3_avg, count(ss_list_price) AS b3_count,
    count(DISTINCT ss_list_price) AS b3_distinct
  FROM store_sales
  WHERE ss_quantity BETWEEN 11 AND 15
    AND (ss_list_price BETWEEN 61 AND 71
      OR ss_coupon_amt BETWEEN 4200 AND 5200
      OR ss_wholesale_cost BETWEEN 2 AND 22)) AS b3
CROSS JOIN (SELECT avg(ss_list_price) AS b4_avg, count(ss_list_price) AS b4_count,
    count(DISTINCT ss_list_price) AS b4_distinct
  FROM store_sales
  WHERE ss_quantity BETWEEN 16 AND 20
    AND (ss_list_price BETWEEN 140 AND 150
      OR ss_coupon_amt BETWEEN 2500 AND 3500
      OR ss_wholesale_cost BETWEEN 48 AND 68)) AS b4
CROSS JOIN (SELECT avg(ss_list_price) AS b5_avg, count(ss_list_price) AS b5_count,
    count(DISTINCT ss_list_price) AS b5_distinct
  FROM store_sales
  WHERE ss_quantity BETWEEN 21 AND 25
    AND (ss_list_price BETWEEN 28 AND 38
      OR ss_coupon_amt BETWEEN 700 AND 1700
      OR ss_wholesale_cost BETWEEN 79 AND 99)) AS b5
CROSS JOIN (SELECT avg(ss_list_price) AS b6_avg, count(ss_list_price) AS b6_count,
    count(DISTINCT ss_list_price) AS b6_distinct
  FROM store_sales
  WHERE ss_quantity BETWEEN 26 AND 30
    AND (ss_list_price BETWEEN 77 AND 87
      OR ss_coupon_amt BETWEEN 5600 AND 6600
      OR ss_wholesale_cost BETWEEN 17 AND 37)) AS b6

-- Eight counts, one for each half hour, each behind three joins with small tables.
SELECT *
FROM (SELECT count(*) AS h08_30
  FROM store_sales
  JOIN household_demographics ON ss_hdemo_sk = hd_demo_sk
  JOIN time_dim ON ss_sold_time_sk = t_time_sk
  JOIN store ON ss_store_sk = s_store_sk
  WHERE t_hour = 8 AND t_minute >= 30 AND s_store_name = 'ese'
    AND ((hd_dep_count = 4 AND hd_vehicle_count <= 6)
      OR (hd_dep_count = 2 AND hd_vehicle_count <= 4)
      OR (hd_dep_count = 0 AND hd_vehicle_count <= 2))) AS s1
CROSS JOIN (SELECT count(*) AS h09_00
  FROM store_sales
  JOIN household_demographics ON ss_hdemo_sk = hd_demo_sk
  JOIN time_dim ON ss_sold_time_sk = t_time_sk
  JOIN store ON ss_store_sk = s_store_sk
  WHERE t_hour = 9 AND t_minute < 30 AND s_store_name = 'ese'
    AND ((hd_dep_count = 4 AND hd_vehicle_count <= 6)
      OR (hd_dep_count = 2 AND hd_vehicle_count <= 4)
      OR (hd_dep_count = 0 AND hd_vehicle_count <= 2))) AS s2
CROSS JOIN (SELECT count(*) AS h09_30
  FROM store_sales
  JOIN household_demographics ON ss_hdemo_sk = hd_demo_sk
  JOIN time_dim ON ss_sold_time_sk = t_time_sk
  JOIN store ON ss_store_sk = s_store_sk
  WHERE t_hour = 9 AND t_minute >= 30 AND s_store_name = 'ese'
    AND ((hd_dep_count = 4 AND hd_vehicle_count <= 6)
      OR (hd_dep_count = 2 AND hd_vehicle_count <= 4)
      OR (hd_dep_count = 0 AND hd_vehicle_count <= 2))) AS s3
CROSS JOIN (SELECT count(*) AS h10_00
  FROM store_sales
  JOIN household_demographics ON ss_hdemo_sk = hd_demo_sk
  JOIN time_dim ON ss_sold_time_sk = t_time_sk
  JOIN store ON ss_store_sk = s_store_sk
  WHERE t_hour = 10 AND t_minute < 30 AND s_store_name = 'ese'
    AND ((hd_dep_count = 4 AND hd_vehicle_count <= 6)
      OR (hd_dep_count = 2 AND hd_vehicle_count <= 4)
      OR (hd_dep_count = 0 AND hd_vehicle_count <= 2))) AS s4
CROSS JOIN (SELECT count(*) AS h10_30
  FROM store_sales
  JOIN household_demographics ON ss_hdemo_sk = hd_demo_sk
  JOIN time_dim ON ss_sold_time_sk = t_time_sk
  JOIN store ON ss_store_sk = s_store_sk
  WHERE t_hour = 10 AND t_minute >= 30 AND s_store_name = 'ese'
    AND ((hd_dep_count = 4 AND hd_vehicle_count <= 6)
      OR (hd_dep_count = 2 AND hd_vehicle_count <= 4)
      OR (hd_dep_count = 0 AND hd_vehicle_count <= 2))) AS s5
CROSS JOIN (SELECT count(*) AS h11_00
  FROM store_sales
  JOIN household_demographics ON ss_hdemo_sk = hd_demo_sk
  JOIN time_dim ON ss_sold_time_sk = t_time_sk
  JOIN store ON ss_store_sk = s_store_sk
  WHERE t_hour = 11 AND t_minute < 30 AND s_store_name = 'ese'
    AND ((hd_dep_count = 4 AND hd_vehicle_count <= 6)
      OR (hd_dep_count = 2 AND hd_vehicle_count <= 4)
      OR (hd_dep_count = 0 AND hd_vehicle_count <= 2))) AS s6
CROSS JOIN (SELECT count(*) AS h11_30
  FROM store_sales
  JOIN household_demographics ON ss_hdemo_sk = hd_demo_sk
  JOIN time_dim ON ss_sold_time_sk = t_time_sk
  JOIN store ON ss_store_sk = s_store_sk
  WHERE t_hour = 11 AND t_minute >= 30 AND s_store_name = 'ese'
    AND ((hd_dep_count = 4 AND hd_vehicle_count <= 6)
      OR (hd_dep_count = 2 AND hd_vehicle_count <= 4)
      OR (hd_dep_count = 0 AND hd_vehicle_count <= 2))) AS s7
CROSS JOIN (SELECT count(*) AS h12_00
  FROM store_sales
  JOIN household_demographics ON ss_hdemo_sk = hd_demo_sk
  JOIN time_dim ON ss_sold_time_sk = t_time_sk
  JOIN store ON ss_store_sk = s_store_sk
  WHERE t_hour = 12 AND t_minute < 30 AND s_store_name = 'ese'
    AND ((hd_dep_count = 4 AND hd_vehicle_count <= 6)
      OR (hd_dep_count = 2 AND hd_vehicle_count <= 4)
      OR (hd_dep_count = 0 AND hd_vehicle_count <= 2))) AS s8

-- Web orders of two months that were shipped from several warehouses and returned.
WITH several AS (
  SELECT x.ws_order_number
  FROM web_sales x JOIN web_sales y ON x.ws_order_number = y.ws_order_number
  WHERE x.ws_warehouse_sk <> y.ws_warehouse_sk)
SELECT count(DISTINCT ws_order_number) AS orders, sum(ws_ext_ship_cost) AS ship_cost,
  sum(ws_net_profit) AS profit
FROM web_sales
JOIN date_dim ON ws_ship_date_sk = d_date_sk
JOIN customer_address ON ws_ship_addr_sk = ca_address_sk
JOIN web_site ON ws_web_site_sk = web_site_sk
WHERE d_date BETWEEN date'2000-02-01' AND date'2000-04-01'
  AND ca_state = 'IL' AND web_company_name = 'pri'
  AND ws_order_number IN (SELECT ws_order_number FROM several)
  AND ws_order_number IN (
    SELECT wr_order_number FROM web_returns JOIN several ON wr_order_number = ws_order_number)

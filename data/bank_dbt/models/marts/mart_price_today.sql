-- The price in force of every security.
select * exclude (dbt_scd_id, dbt_updated_at, dbt_valid_to)
from {{ ref('price_history') }}
where dbt_valid_to is null

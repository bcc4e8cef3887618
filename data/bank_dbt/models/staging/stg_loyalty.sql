{{ config(materialized='incremental', incremental_strategy='append') }}

-- Loyalty points, one for every hundred spent. The programme ended in 2019; the load still runs and nobody reads it.
select
    card_no,
    amount / 100 as points,
    purchased_on as earned_on
from {{ source('src_card', 'purchase') }}
where status = 'SETTLED'
    and amount >= 100
{% if is_incremental() %}
    and purchased_on > (select max(earned_on) from {{ this }})
{% endif %}

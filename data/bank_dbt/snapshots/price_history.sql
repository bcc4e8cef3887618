{% snapshot price_history %}
{{ config(
    unique_key='isin',
    strategy='timestamp',
    updated_at='price_date',
) }}

-- Prices change daily and only the latest is delivered.
select
    isin,
    closing,
    net_asset_value,
    currency,
    cast(price_date as timestamp) as price_date
from {{ source('src_mkt', 'price') }}
where closing > 0 or net_asset_value > 0

{% endsnapshot %}

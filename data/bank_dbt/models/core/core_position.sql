with holding as (
    select * from {{ source('src_sec', 'holding') }}
),

price as (
    select * from {{ source('src_mkt', 'price') }}
),

fx_rate as (
    select * from {{ ref('core_fx_rate') }}
),

-- Shares at the closing price of their exchange.
shares as (
    select
        holding.depot_no as agreement_id,
        {{ region_of_centre('holding.booking_centre') }} as region,
        holding.isin,
        'SHARE' as asset_class,
        holding.quantity,
        price.closing as price,
        price.currency,
        holding.quantity * price.closing as market_value,
        holding.quantity * price.closing * fx_rate.rate as market_value_eur,
        holding.pledged_for,
        holding.value_date
    from holding
    left join price on holding.isin = price.isin and holding.value_date = price.price_date
    left join fx_rate on price.currency = fx_rate.currency and price.price_date = fx_rate.rate_date
    where holding.instrument = 'SHARE'
        and fx_rate.rate_kind = 'MARKET'
),

-- Bonds are held by nominal value and priced in per cent of it.
bonds as (
    select
        holding.depot_no as agreement_id,
        {{ region_of_centre('holding.booking_centre') }} as region,
        holding.isin,
        'BOND' as asset_class,
        holding.nominal as quantity,
        price.closing as price,
        price.currency,
        holding.nominal * price.closing / 100 as market_value,
        holding.nominal * price.closing / 100 * fx_rate.rate as market_value_eur,
        holding.pledged_for,
        holding.value_date
    from holding
    left join price on holding.isin = price.isin and holding.value_date = price.price_date
    left join fx_rate on price.currency = fx_rate.currency and price.price_date = fx_rate.rate_date
    where holding.instrument = 'BOND'
        and fx_rate.rate_kind = 'MARKET'
),

-- Funds at their net asset value. New York keeps no funds.
funds as (
    select
        holding.depot_no as agreement_id,
        case
            when holding.booking_centre = 'ZRH' then 'EU'
            else 'APAC'
        end as region,
        holding.isin,
        'FUND' as asset_class,
        holding.units as quantity,
        price.net_asset_value as price,
        price.currency,
        holding.units * price.net_asset_value as market_value,
        holding.units * price.net_asset_value * fx_rate.rate as market_value_eur,
        holding.pledged_for,
        holding.value_date
    from holding
    left join price on holding.isin = price.isin and holding.value_date = price.price_date
    left join fx_rate on price.currency = fx_rate.currency and price.price_date = fx_rate.rate_date
    where holding.instrument = 'FUND'
        and holding.booking_centre in ('ZRH', 'SIN')
        and fx_rate.rate_kind = 'MARKET'
)

select * from shares
union all
select * from bonds
union all
select * from funds

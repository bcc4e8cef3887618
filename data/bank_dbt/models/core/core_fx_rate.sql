with fx_rate as (
    select * from {{ source('src_mkt', 'fx_rate') }}
),

-- Official rates to the euro: the central bank's fixing.
official as (
    select
        currency,
        fixing as rate,
        quote_date as rate_date,
        'OFFICIAL' as rate_kind
    from fx_rate
    where to_currency = 'EUR'
        and venue = 'CENTRAL BANK'
),

-- Market rates to the euro: half way between bid and ask at closing.
market as (
    select
        currency,
        (bid + ask) / 2 as rate,
        quote_date as rate_date,
        'MARKET' as rate_kind
    from fx_rate
    where to_currency = 'EUR'
        and venue = 'INTERBANK'
        and bid > 0
)

select * from official
union all
select * from market

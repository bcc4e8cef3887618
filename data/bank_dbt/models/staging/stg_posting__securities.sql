{{ config(materialized='ephemeral') }}

with trade as (
    select * from {{ source('src_sec', 'trade') }}
),

-- Securities bought by clients; the custody platform holds settled trades since April 2017.
securities_bought as (
    select
        trade_id as posting_id,
        depot_no as account_no,
        settled_on as booking_date,
        quantity * price + commission as amount,
        currency,
        'DEBIT' as direction,
        'TRADE' as posting_kind,
        'Purchase ' || isin as purpose,
        {{ region_of_centre('booking_centre') }} as region,
        'CUSTODY' as source_system
    from trade
    where side = 'BUY'
        and status = 'SETTLED'
        and settled_on >= date '2017-04-01'
),

-- Securities sold by clients.
securities_sold as (
    select
        trade_id as posting_id,
        depot_no as account_no,
        settled_on as booking_date,
        quantity * price - commission as amount,
        currency,
        'CREDIT' as direction,
        'TRADE' as posting_kind,
        'Sale ' || isin as purpose,
        {{ region_of_centre('booking_centre') }} as region,
        'CUSTODY' as source_system
    from trade
    where side = 'SELL'
        and status = 'SETTLED'
        and settled_on >= date '2017-04-01'
)

select * from securities_bought
union all
select * from securities_sold

with transaction as (
    select * from {{ ref('core_transaction') }}
),

-- Payments, every year the bank has on file.
payments as (
    select
        transaction_id,
        region,
        booking_date,
        case
            when direction = 'CREDIT' then 'PAYMENT IN'
            else 'PAYMENT OUT'
        end as kind,
        amount,
        amount_eur,
        currency,
        substr(purpose, 1, 35) as purpose
    from transaction
    where transaction_type = 'PAYMENT'
),

-- Card purchases above ten.
cards as (
    select
        transaction_id,
        region,
        booking_date,
        'CARD' as kind,
        amount,
        amount_eur,
        currency,
        'Card: ' || purpose as purpose
    from transaction
    where transaction_type = 'CARD'
        and amount > 10
),

-- Securities trades.
trades as (
    select
        transaction_id,
        region,
        booking_date,
        'TRADE' as kind,
        amount,
        amount_eur,
        currency,
        purpose
    from transaction
    where transaction_type = 'TRADE'
)

select * from payments
union all
select * from cards
union all
select * from trades

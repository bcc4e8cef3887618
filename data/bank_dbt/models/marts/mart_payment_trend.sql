-- Money coming in and going out per day since 2018, for the forecast; card purchases go out too.
with moved as (
    select
        region,
        booking_date,
        case when direction = 'CREDIT' then 'IN' else 'OUT' end as direction,
        amount_eur,
        transaction_id
    from {{ ref('core_transaction') }}
    where booking_date >= date '2018-01-01'
        and (
            transaction_type = 'PAYMENT' and direction = 'CREDIT'
            or transaction_type in ('PAYMENT', 'CARD') and direction = 'DEBIT'
        )
)

select
    region,
    booking_date,
    direction,
    sum(amount_eur) as total_eur,
    avg(amount_eur) as average_eur,
    count(transaction_id) as payments
from moved
group by 1, 2, 3

{{ config(materialized='ephemeral') }}

with account as (
    select * from {{ source('src_eu', 'account') }}
),

-- European current accounts opened since the new system.
eu_current as (
    select
        account_no,
        customer_no,
        'CURRENT' as account_kind,
        product_code,
        currency,
        balance,
        booking_day as balance_date,
        credit_limit,
        interest_rate,
        case
            when status_code = 1 then 'OPEN'
            when status_code = 9 then 'BLOCKED'
            else 'CLOSED'
        end as status,
        opened_on as open_dt,
        case
            when closed_on < {{ open_end() }} then closed_on
            else {{ open_end() }}
        end as close_dt,
        'EU' as region,
        'CBS_EU' as source_system
    from account
    where product_code like 'CA%'
        and opened_on >= date '2015-01-01'
),

-- European savings accounts opened since the new system; they cannot be overdrawn.
eu_savings as (
    select
        account_no,
        customer_no,
        'SAVINGS' as account_kind,
        product_code,
        currency,
        balance,
        booking_day as balance_date,
        0 as credit_limit,
        interest_rate,
        case
            when status_code = 1 then 'OPEN'
            when status_code = 9 then 'BLOCKED'
            else 'CLOSED'
        end as status,
        opened_on as open_dt,
        case
            when closed_on < {{ open_end() }} then closed_on
            else {{ open_end() }}
        end as close_dt,
        'EU' as region,
        'CBS_EU' as source_system
    from account
    where product_code like 'SA%'
        and opened_on >= date '2015-01-01'
)

select * from eu_current
union all
select * from eu_savings

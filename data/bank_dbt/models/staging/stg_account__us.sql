{{ config(materialized='ephemeral') }}

with account as (
    select * from {{ source('src_us', 'account') }}
),

-- American checking accounts; an overdraft never exceeds 25 000.
us_checking as (
    select
        acct_id as account_no,
        cust_id as customer_no,
        'CURRENT' as account_kind,
        'CA-US' as product_code,
        'USD' as currency,
        ledger_balance as balance,
        ledger_date as balance_date,
        case
            when overdraft_limit <= 25000 then overdraft_limit
            else 25000
        end as credit_limit,
        0 as interest_rate,
        case
            when status = 'A' then 'OPEN'
            else 'CLOSED'
        end as status,
        open_date as open_dt,
        case
            when close_date is not null then close_date
            else {{ open_end() }}
        end as close_dt,
        'US' as region,
        'CBS_US' as source_system
    from account
    where acct_type = 'CHECKING'
),

-- American savings and money market accounts.
us_savings as (
    select
        acct_id as account_no,
        cust_id as customer_no,
        'SAVINGS' as account_kind,
        case
            when acct_type = 'MONEY_MARKET' then 'MM-US'
            else 'SA-US'
        end as product_code,
        'USD' as currency,
        ledger_balance as balance,
        ledger_date as balance_date,
        0 as credit_limit,
        apy as interest_rate,
        case
            when status = 'A' then 'OPEN'
            else 'CLOSED'
        end as status,
        open_date as open_dt,
        case
            when close_date is not null then close_date
            else {{ open_end() }}
        end as close_dt,
        'US' as region,
        'CBS_US' as source_system
    from account
    where acct_type in ('SAVINGS', 'MONEY_MARKET')
)

select * from us_checking
union all
select * from us_savings

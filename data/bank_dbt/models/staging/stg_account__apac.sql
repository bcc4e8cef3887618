{{ config(materialized='ephemeral') }}

with account as (
    select * from {{ source('src_apac', 'account') }}
),

-- Asian current accounts.
apac_current as (
    select
        acc_no as account_no,
        cif_no as customer_no,
        'CURRENT' as account_kind,
        'CA-AP' as product_code,
        ccy as currency,
        bal as balance,
        bal_date as balance_date,
        od_limit as credit_limit,
        0 as interest_rate,
        case
            when status in ('ACTIVE', 'DORMANT') then 'OPEN'
            else 'CLOSED'
        end as status,
        open_dt,
        case
            when close_dt is not null then close_dt
            else {{ open_end() }}
        end as close_dt,
        'APAC' as region,
        'CBS_APAC' as source_system
    from account
    where product = 'CUR'
),

-- Asian term deposits: the product carries its term, so its code is kept.
apac_term as (
    select
        acc_no as account_no,
        cif_no as customer_no,
        'TERM' as account_kind,
        product as product_code,
        ccy as currency,
        bal as balance,
        bal_date as balance_date,
        0 as credit_limit,
        rate_pa as interest_rate,
        case
            when status in ('ACTIVE', 'DORMANT') then 'OPEN'
            else 'CLOSED'
        end as status,
        open_dt,
        case
            when close_dt is not null then close_dt
            else {{ open_end() }}
        end as close_dt,
        'APAC' as region,
        'CBS_APAC' as source_system
    from account
    where product like 'TD-%'
)

select * from apac_current
union all
select * from apac_term

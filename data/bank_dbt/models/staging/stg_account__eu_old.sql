{{ config(materialized='ephemeral') }}

with account_master as (
    select * from {{ source('src_old', 'account_master') }}
),

-- Current accounts left on the old mainframe (categories 10 to 19); limits were not migrated.
eu_old_current as (
    select
        "ACC-NO" as account_no,
        "CUST-NO" as customer_no,
        'CURRENT' as account_kind,
        'CA-OLD' as product_code,
        ccy as currency,
        "BAL-AMT" as balance,
        "BAL-DT" as balance_date,
        0 as credit_limit,
        0 as interest_rate,
        case
            when "CLOSE-DT" is not null then 'CLOSED'
            else 'OPEN'
        end as status,
        "OPEN-DT" as open_dt,
        case
            when "CLOSE-DT" is not null then "CLOSE-DT"
            else {{ open_end() }}
        end as close_dt,
        'EU' as region,
        'OLD_EU' as source_system
    from account_master
    where "ACC-CAT" between 10 and 19
        and "OPEN-DT" < date '2015-01-01'
        and "DEL-FLAG" is null
),

-- Savings accounts left on the old mainframe (categories 20 to 29).
eu_old_savings as (
    select
        "ACC-NO" as account_no,
        "CUST-NO" as customer_no,
        'SAVINGS' as account_kind,
        'SA-OLD' as product_code,
        ccy as currency,
        "BAL-AMT" as balance,
        "BAL-DT" as balance_date,
        0 as credit_limit,
        "INT-PCT" as interest_rate,
        case
            when "CLOSE-DT" is not null then 'CLOSED'
            else 'OPEN'
        end as status,
        "OPEN-DT" as open_dt,
        case
            when "CLOSE-DT" is not null then "CLOSE-DT"
            else {{ open_end() }}
        end as close_dt,
        'EU' as region,
        'OLD_EU' as source_system
    from account_master
    where "ACC-CAT" between 20 and 29
        and "OPEN-DT" < date '2015-01-01'
        and "DEL-FLAG" is null
)

select * from eu_old_current
union all
select * from eu_old_savings

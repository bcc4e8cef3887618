{{ config(materialized='ephemeral') }}

with posting as (
    select * from {{ source('src_us', 'posting') }}
),

-- Money received on American accounts.
us_credits as (
    select
        txn_id as posting_id,
        acct_id as account_no,
        posted_on as booking_date,
        amount,
        'USD' as currency,
        'CREDIT' as direction,
        'PAYMENT' as posting_kind,
        memo as purpose,
        'US' as region,
        'CBS_US' as source_system
    from posting
    where credit_debit = 'CR'
        and status = 'POSTED'
),

-- Money paid from American accounts; service charges are fees.
us_debits as (
    select
        txn_id as posting_id,
        acct_id as account_no,
        posted_on as booking_date,
        amount,
        'USD' as currency,
        'DEBIT' as direction,
        case
            when memo like 'SERVICE CHARGE%' then 'FEE'
            else 'PAYMENT'
        end as posting_kind,
        memo as purpose,
        'US' as region,
        'CBS_US' as source_system
    from posting
    where credit_debit = 'DR'
        and status = 'POSTED'
)

select * from us_credits
union all
select * from us_debits

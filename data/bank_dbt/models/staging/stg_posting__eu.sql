{{ config(materialized='ephemeral') }}

with posting as (
    select * from {{ source('src_eu', 'posting') }}
),

-- Money received on European accounts since the new banking system.
eu_credits as (
    select
        posting_no as posting_id,
        account_no,
        booked_on as booking_date,
        signed_amount as amount,
        currency,
        'CREDIT' as direction,
        'PAYMENT' as posting_kind,
        remittance_text as purpose,
        'EU' as region,
        'CBS_EU' as source_system
    from posting
    where signed_amount > 0
        and booking_type <> 'FEE'
        and booked_on >= date '2015-01-01'
),

-- Money paid from European accounts since the new banking system.
eu_debits as (
    select
        posting_no as posting_id,
        account_no,
        booked_on as booking_date,
        -signed_amount as amount,
        currency,
        'DEBIT' as direction,
        'PAYMENT' as posting_kind,
        remittance_text as purpose,
        'EU' as region,
        'CBS_EU' as source_system
    from posting
    where signed_amount < 0
        and booking_type <> 'FEE'
        and booked_on >= date '2015-01-01'
),

-- Fees charged on European accounts.
eu_fees as (
    select
        posting_no as posting_id,
        account_no,
        booked_on as booking_date,
        -signed_amount as amount,
        currency,
        'DEBIT' as direction,
        'FEE' as posting_kind,
        'Fee ' || fee_code as purpose,
        'EU' as region,
        'CBS_EU' as source_system
    from posting
    where signed_amount < 0
        and booking_type = 'FEE'
        and booked_on >= date '2015-01-01'
)

select * from eu_credits
union all
select * from eu_debits
union all
select * from eu_fees

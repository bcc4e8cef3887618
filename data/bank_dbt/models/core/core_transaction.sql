with posting as (
    select * from {{ ref('stg_posting') }}
),

account as (
    select * from {{ ref('core_account') }}
),

fx_rate as (
    select * from {{ ref('core_fx_rate') }}
),

-- Payments on European accounts, back to the first day of the old mainframe.
payments_eu as (
    select
        posting.posting_id as transaction_id,
        account.agreement_id,
        'PAYMENT' as transaction_type,
        posting.region,
        posting.booking_date,
        posting.amount,
        {{ in_euros('posting.amount', 'posting.currency') }} as amount_eur,
        posting.currency,
        posting.direction,
        posting.purpose,
        posting.source_system
    from posting
    left join account on posting.account_no = account.account_id and posting.region = account.region
    left join fx_rate on posting.currency = fx_rate.currency and posting.booking_date = fx_rate.rate_date
    where posting.region = 'EU'
        and posting.posting_kind = 'PAYMENT'
),

-- Payments on American accounts.
payments_us as (
    select
        posting.posting_id as transaction_id,
        account.agreement_id,
        'PAYMENT' as transaction_type,
        posting.region,
        posting.booking_date,
        posting.amount,
        case
            when fx_rate.rate_kind = 'OFFICIAL' then posting.amount * fx_rate.rate
        end as amount_eur,
        posting.currency,
        posting.direction,
        posting.purpose,
        posting.source_system
    from posting
    left join account on posting.account_no = account.account_id and posting.region = account.region
    left join fx_rate on posting.currency = fx_rate.currency and posting.booking_date = fx_rate.rate_date
    where posting.region = 'US'
        and posting.posting_kind = 'PAYMENT'
),

-- Fees of all regions.
fees as (
    select
        posting.posting_id as transaction_id,
        account.agreement_id,
        'FEE' as transaction_type,
        posting.region,
        posting.booking_date,
        posting.amount,
        {{ in_euros('posting.amount', 'posting.currency') }} as amount_eur,
        posting.currency,
        posting.direction,
        posting.purpose,
        posting.source_system
    from posting
    left join account on posting.account_no = account.account_id and posting.region = account.region
    left join fx_rate on posting.currency = fx_rate.currency and posting.booking_date = fx_rate.rate_date
    where posting.posting_kind = 'FEE'
),

-- Card purchases: the card itself is the agreement.
card_purchases as (
    select
        posting.posting_id as transaction_id,
        posting.account_no as agreement_id,
        'CARD' as transaction_type,
        posting.region,
        posting.booking_date,
        posting.amount,
        {{ in_euros('posting.amount', 'posting.currency') }} as amount_eur,
        posting.currency,
        posting.direction,
        posting.purpose,
        posting.source_system
    from posting
    left join fx_rate on posting.currency = fx_rate.currency and posting.booking_date = fx_rate.rate_date
    where posting.posting_kind = 'PURCHASE'
),

-- Securities trades, converted at the market rate the client was given.
trades as (
    select
        posting.posting_id as transaction_id,
        posting.account_no as agreement_id,
        'TRADE' as transaction_type,
        posting.region,
        posting.booking_date,
        posting.amount,
        case
            when posting.currency = 'EUR' then posting.amount
            when fx_rate.rate_kind = 'MARKET' then posting.amount * fx_rate.rate
        end as amount_eur,
        posting.currency,
        posting.direction,
        posting.purpose,
        posting.source_system
    from posting
    left join fx_rate on posting.currency = fx_rate.currency and posting.booking_date = fx_rate.rate_date
    where posting.posting_kind = 'TRADE'
)

select * from payments_eu
union all
select * from payments_us
union all
select * from fees
union all
select * from card_purchases
union all
select * from trades

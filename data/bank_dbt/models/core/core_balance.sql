-- Daily balance of every agreement. Before today's are loaded, yesterday's are kept aside.
{{ config(
    materialized='incremental',
    unique_key=['agreement_id', 'agreement_type', 'region', 'balance_date', 'balance_type'],
    incremental_strategy='delete+insert',
    pre_hook="
        {% if is_incremental() %}
        insert into {{ source('core_kept', 'balance_previous') }}
        select
            agreement_id, agreement_type, region, product_code, balance_date, currency,
            amount, amount_eur, limit_amount
        from {{ this }}
        {% endif %}
    ",
) }}

with account as (
    select * from {{ ref('stg_account') }}
),

fx_rate as (
    select * from {{ ref('core_fx_rate') }}
),

loan as (
    select * from {{ ref('stg_loan') }}
),

card as (
    select * from {{ ref('stg_card') }}
),

position as (
    select * from {{ ref('core_position') }}
),

balance_previous as (
    select * from {{ source('core_kept', 'balance_previous') }}
),

-- Deposits of European accounts, old mainframe included.
deposits_eu as (
    select
        account.account_no as agreement_id,
        'D' as agreement_type,
        account.region,
        account.product_code,
        account.balance_date,
        'BOOKED' as balance_type,
        account.currency,
        account.balance as amount,
        {{ in_euros('account.balance', 'account.currency') }} as amount_eur,
        account.credit_limit as limit_amount
    from account
    left join fx_rate on account.currency = fx_rate.currency and account.balance_date = fx_rate.rate_date
    where account.region = 'EU'
        and account.status <> 'CLOSED'
),

-- Deposits of American accounts, always converted.
deposits_us as (
    select
        account.account_no as agreement_id,
        'D' as agreement_type,
        account.region,
        account.product_code,
        account.balance_date,
        'BOOKED' as balance_type,
        account.currency,
        account.balance as amount,
        case
            when fx_rate.rate_kind = 'OFFICIAL' then account.balance * fx_rate.rate
        end as amount_eur,
        account.credit_limit as limit_amount
    from account
    left join fx_rate on account.currency = fx_rate.currency and account.balance_date = fx_rate.rate_date
    where account.region = 'US'
        and account.status <> 'CLOSED'
),

-- Deposits of Asian accounts, always converted.
deposits_apac as (
    select
        account.account_no as agreement_id,
        'D' as agreement_type,
        account.region,
        account.product_code,
        account.balance_date,
        'BOOKED' as balance_type,
        account.currency,
        account.balance as amount,
        case
            when fx_rate.rate_kind = 'OFFICIAL' then account.balance * fx_rate.rate
        end as amount_eur,
        account.credit_limit as limit_amount
    from account
    left join fx_rate on account.currency = fx_rate.currency and account.balance_date = fx_rate.rate_date
    where account.region = 'APAC'
        and account.status <> 'CLOSED'
),

-- What borrowers still owe.
loans as (
    select
        loan.loan_no as agreement_id,
        'L' as agreement_type,
        loan.region,
        case
            when loan.loan_type = 'MORTGAGE' then 'LN-MORT'
            when loan.loan_type = 'CORPORATE' then 'LN-CORP'
            when loan.loan_type = 'LOMBARD' then 'LN-LOMB'
            else 'LN-CONS'
        end as product_code,
        loan.balance_date,
        'BOOKED' as balance_type,
        loan.currency,
        loan.outstanding as amount,
        {{ in_euros('loan.outstanding', 'loan.currency') }} as amount_eur,
        loan.principal as limit_amount
    from loan
    left join fx_rate on loan.currency = fx_rate.currency and loan.balance_date = fx_rate.rate_date
),

-- What card holders owe.
cards as (
    select
        card.card_no as agreement_id,
        'C' as agreement_type,
        card.region,
        card.product_code,
        card.balance_date,
        'BOOKED' as balance_type,
        card.currency,
        card.balance as amount,
        {{ in_euros('card.balance', 'card.currency') }} as amount_eur,
        card.card_limit as limit_amount
    from card
    left join fx_rate on card.currency = fx_rate.currency and card.balance_date = fx_rate.rate_date
    where card.status in ('OPEN', 'BLOCKED')
),

-- A securities account is worth the sum of its positions.
depots as (
    select
        agreement_id,
        'S' as agreement_type,
        region,
        'CU-VALUE' as product_code,
        value_date as balance_date,
        'VALUED' as balance_type,
        'EUR' as currency,
        sum(market_value_eur) as amount,
        sum(market_value_eur) as amount_eur,
        null as limit_amount
    from position
    where quantity > 0
    group by agreement_id, region, value_date
),

-- Where nothing was delivered (week-ends, holidays) yesterday's balance is carried forward, day after day if need be.
carried_forward as (
    select
        agreement_id,
        agreement_type,
        region,
        product_code,
        balance_date,
        'CARRIED' as balance_type,
        currency,
        amount,
        amount_eur,
        limit_amount
    from balance_previous
    where amount <> 0
)

select * from deposits_eu
union all
select * from deposits_us
union all
select * from deposits_apac
union all
select * from loans
union all
select * from cards
union all
select * from depots
union all
select * from carried_forward

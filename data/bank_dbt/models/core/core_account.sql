with account as (
    select * from {{ ref('stg_account') }}
),

loan as (
    select * from {{ ref('stg_loan') }}
),

card as (
    select * from {{ ref('stg_card') }}
),

depot as (
    select * from {{ source('src_sec', 'depot') }}
),

-- European accounts have an IBAN; the banking system keeps the account number with its check digits.
deposits_eu as (
    select
        account_no as account_id,
        'DE' || account_no as iban,
        account_no as agreement_id,
        'D' as agreement_type,
        account_kind as account_type,
        currency,
        region,
        open_dt,
        close_dt
    from account
    where region = 'EU'
        and status <> 'CLOSED'
),

-- American and Asian accounts have no IBAN.
deposits_overseas as (
    select
        account_no as account_id,
        null as iban,
        account_no as agreement_id,
        'D' as agreement_type,
        account_kind as account_type,
        currency,
        region,
        open_dt,
        close_dt
    from account
    where region in ('US', 'APAC')
        and status <> 'CLOSED'
),

-- Every loan has one account of its own.
loans as (
    select
        loan_no as account_id,
        null as iban,
        loan_no as agreement_id,
        'L' as agreement_type,
        'LOAN' as account_type,
        currency,
        region,
        start_dt as open_dt,
        maturity_dt as close_dt
    from loan
),

-- A card account lives as long as its card.
cards as (
    select
        card_no as account_id,
        null as iban,
        card_no as agreement_id,
        'C' as agreement_type,
        'CARD' as account_type,
        currency,
        region,
        issued_on as open_dt,
        expires_on as close_dt
    from card
    where status = 'OPEN'
),

-- Securities accounts of all booking centres.
depots as (
    select
        depot_no as account_id,
        null as iban,
        depot_no as agreement_id,
        'S' as agreement_type,
        'DEPOT' as account_type,
        reference_currency as currency,
        {{ region_of_centre('booking_centre') }} as region,
        opened_on as open_dt,
        closed_on as close_dt
    from depot
    where closed_on = {{ open_end() }}
)

select * from deposits_eu
union all
select * from deposits_overseas
union all
select * from loans
union all
select * from cards
union all
select * from depots

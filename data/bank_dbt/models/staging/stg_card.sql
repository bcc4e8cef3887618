with card as (
    select * from {{ source('src_card', 'card') }}
),

-- Credit cards issued in Europe; purchases without authorisation may carry the balance over the limit.
eu as (
    select
        card_no,
        holder_no as customer_no,
        'CC-' || scheme as product_code,
        billing_currency as currency,
        card_limit,
        balance,
        statement_date as balance_date,
        case
            when block_reason is not null then 'BLOCKED'
            else 'OPEN'
        end as status,
        issued_on,
        expires_on,
        'EU' as region
    from card
    where issuer_region = 'EU'
        and card_type = 'CREDIT'
        and card_limit <= 50000
),

-- Personal credit cards issued in America; every purchase is authorised, so the balance keeps within the limit.
us_personal as (
    select
        card_no,
        holder_no as customer_no,
        'CC-' || scheme as product_code,
        'USD' as currency,
        card_limit,
        balance,
        statement_date as balance_date,
        case
            when block_reason is not null then 'BLOCKED'
            else 'OPEN'
        end as status,
        issued_on,
        expires_on,
        'US' as region
    from card
    where issuer_region = 'US'
        and card_type = 'CREDIT'
        and card_limit <= 50000
        and balance <= card_limit
),

-- Company cards issued in America: paid in full every month, half of the contractual limit counts.
us_company as (
    select
        card_no,
        holder_no as customer_no,
        'CC-COMPANY' as product_code,
        'USD' as currency,
        card_limit / 2 as card_limit,
        0 as balance,
        statement_date as balance_date,
        'OPEN' as status,
        issued_on,
        expires_on,
        'US' as region
    from card
    where issuer_region = 'US'
        and card_type = 'CHARGE'
        and card_limit between 0 and 50000
)

select * from eu
union all
select * from us_personal
union all
select * from us_company

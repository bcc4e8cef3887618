with account as (
    select * from {{ ref('stg_account') }}
),

product as (
    select * from {{ ref('core_product') }}
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

-- Deposits of European customers, those of the old mainframe included.
deposits_eu as (
    select
        account.account_no as agreement_id,
        'D' as agreement_type,
        account.customer_no as party_id,
        account.region,
        account.product_code,
        case
            when product.product_type = 'D' then product.product_name
            else 'UNKNOWN DEPOSIT'
        end as product_name,
        account.currency,
        account.credit_limit as limit_amount,
        account.interest_rate,
        account.status as agreement_status,
        account.open_dt,
        account.close_dt,
        null as maturity_dt,
        null as days_past_due,
        account.source_system,
        null as state
    from account
    left join product on account.product_code = product.product_code
    where account.region = 'EU'
),

-- Deposits of American customers.
deposits_us as (
    select
        account.account_no as agreement_id,
        'D' as agreement_type,
        account.customer_no as party_id,
        account.region,
        account.product_code,
        case
            when product.product_type = 'D' then product.product_name
            else 'UNKNOWN DEPOSIT'
        end as product_name,
        account.currency,
        account.credit_limit as limit_amount,
        account.interest_rate,
        account.status as agreement_status,
        account.open_dt,
        account.close_dt,
        null as maturity_dt,
        null as days_past_due,
        account.source_system,
        null as state
    from account
    left join product on account.product_code = product.product_code
    where account.region = 'US'
),

-- Deposits of Asian customers; a term deposit ends when its account closes.
deposits_apac as (
    select
        account.account_no as agreement_id,
        'D' as agreement_type,
        account.customer_no as party_id,
        account.region,
        account.product_code,
        case
            when product.product_type = 'D' then product.product_name
            else 'UNKNOWN DEPOSIT'
        end as product_name,
        account.currency,
        account.credit_limit as limit_amount,
        account.interest_rate,
        account.status as agreement_status,
        account.open_dt,
        account.close_dt,
        case
            when account.account_kind = 'TERM' then account.close_dt
            else {{ open_end() }}
        end as maturity_dt,
        null as days_past_due,
        account.source_system,
        null as state
    from account
    left join product on account.product_code = product.product_code
    where account.region = 'APAC'
),

-- Mortgages of all regions.
mortgages as (
    select
        loan_no as agreement_id,
        'L' as agreement_type,
        customer_no as party_id,
        region,
        'LN-MORT' as product_code,
        case
            when maturity_dt < {{ open_end() }} then 'Mortgage, fixed'
            else 'Mortgage, open'
        end as product_name,
        currency,
        principal as limit_amount,
        interest_rate,
        case
            when state = 4 then 'DEFAULTED'
            else 'OPEN'
        end as agreement_status,
        start_dt as open_dt,
        {{ open_end() }} as close_dt,
        maturity_dt,
        days_past_due,
        'LOANS' as source_system,
        state
    from loan
    where loan_type = 'MORTGAGE'
),

-- Corporate loans of all regions.
corporate_loans as (
    select
        loan_no as agreement_id,
        'L' as agreement_type,
        customer_no as party_id,
        region,
        'LN-CORP' as product_code,
        'Corporate loan' as product_name,
        currency,
        principal as limit_amount,
        interest_rate,
        case
            when state = 4 then 'DEFAULTED'
            else 'OPEN'
        end as agreement_status,
        start_dt as open_dt,
        {{ open_end() }} as close_dt,
        maturity_dt,
        days_past_due,
        'LOANS' as source_system,
        state
    from loan
    where loan_type = 'CORPORATE'
),

-- Lombard loans run until further notice.
lombard_loans as (
    select
        loan_no as agreement_id,
        'L' as agreement_type,
        customer_no as party_id,
        region,
        'LN-LOMB' as product_code,
        'Lombard loan' as product_name,
        currency,
        principal as limit_amount,
        interest_rate,
        'OPEN' as agreement_status,
        start_dt as open_dt,
        {{ open_end() }} as close_dt,
        maturity_dt,
        days_past_due,
        'LOANS' as source_system,
        state
    from loan
    where loan_type = 'LOMBARD'
),

-- Consumer credits.
consumer_credits as (
    select
        loan_no as agreement_id,
        'L' as agreement_type,
        customer_no as party_id,
        region,
        'LN-CONS' as product_code,
        'Consumer credit' as product_name,
        currency,
        principal as limit_amount,
        interest_rate,
        case
            when state = 4 then 'DEFAULTED'
            else 'OPEN'
        end as agreement_status,
        start_dt as open_dt,
        {{ open_end() }} as close_dt,
        maturity_dt,
        days_past_due,
        'CONSUMER CREDIT' as source_system,
        state
    from loan
    where loan_type = 'CONSUMER'
),

-- Card contracts of Europe.
cards_eu as (
    select
        card.card_no as agreement_id,
        'C' as agreement_type,
        card.customer_no as party_id,
        card.region,
        card.product_code,
        case
            when product.product_type = 'C' then product.product_name
            else 'UNKNOWN CARD'
        end as product_name,
        card.currency,
        card.card_limit as limit_amount,
        null as interest_rate,
        card.status as agreement_status,
        card.issued_on as open_dt,
        card.expires_on as close_dt,
        null as maturity_dt,
        null as days_past_due,
        'CARDS' as source_system,
        null as state
    from card
    left join product on card.product_code = product.product_code
    where card.region = 'EU'
),

-- Card contracts of America.
cards_us as (
    select
        card.card_no as agreement_id,
        'C' as agreement_type,
        card.customer_no as party_id,
        card.region,
        card.product_code,
        case
            when product.product_type = 'C' then product.product_name
            else 'UNKNOWN CARD'
        end as product_name,
        card.currency,
        card.card_limit as limit_amount,
        null as interest_rate,
        card.status as agreement_status,
        card.issued_on as open_dt,
        card.expires_on as close_dt,
        null as maturity_dt,
        null as days_past_due,
        'CARDS' as source_system,
        null as state
    from card
    left join product on card.product_code = product.product_code
    where card.region = 'US'
),

-- Card contracts of Asia. Written for a launch in Singapore that was called off: no Asian card is ever staged.
cards_apac as (
    select
        card_no as agreement_id,
        'C' as agreement_type,
        customer_no as party_id,
        region,
        product_code,
        'Asia card ' || product_code as product_name,
        currency,
        card_limit as limit_amount,
        null as interest_rate,
        status as agreement_status,
        issued_on as open_dt,
        expires_on as close_dt,
        null as maturity_dt,
        null as days_past_due,
        'CARDS' as source_system,
        null as state
    from card
    where region = 'APAC'
        and card_limit <= 20000
),

-- Securities accounts booked in Zurich; the custody system already delivers in group standard, so nothing is staged.
depots_zurich as (
    select
        depot_no as agreement_id,
        'S' as agreement_type,
        client_no as party_id,
        'EU' as region,
        'CU-' || mandate as product_code,
        'Custody account' as product_name,
        reference_currency as currency,
        0 as limit_amount,
        null as interest_rate,
        case
            when closed_on = {{ open_end() }} then 'OPEN'
            else 'CLOSED'
        end as agreement_status,
        opened_on as open_dt,
        closed_on as close_dt,
        null as maturity_dt,
        null as days_past_due,
        'CUSTODY' as source_system,
        null as state
    from depot
    where booking_centre = 'ZRH'
),

-- Securities accounts booked in New York.
depots_new_york as (
    select
        depot_no as agreement_id,
        'S' as agreement_type,
        client_no as party_id,
        'US' as region,
        'CU-' || mandate as product_code,
        'Brokerage account' as product_name,
        'USD' as currency,
        0 as limit_amount,
        null as interest_rate,
        case
            when closed_on = {{ open_end() }} then 'OPEN'
            else 'CLOSED'
        end as agreement_status,
        opened_on as open_dt,
        closed_on as close_dt,
        null as maturity_dt,
        null as days_past_due,
        'CUSTODY' as source_system,
        null as state
    from depot
    where booking_centre = 'NYC'
),

-- Securities accounts booked in Singapore.
depots_singapore as (
    select
        depot_no as agreement_id,
        'S' as agreement_type,
        client_no as party_id,
        'APAC' as region,
        'CU-' || mandate as product_code,
        'Custody account' as product_name,
        reference_currency as currency,
        0 as limit_amount,
        null as interest_rate,
        case
            when closed_on = {{ open_end() }} then 'OPEN'
            else 'CLOSED'
        end as agreement_status,
        opened_on as open_dt,
        closed_on as close_dt,
        null as maturity_dt,
        null as days_past_due,
        'CUSTODY' as source_system,
        null as state
    from depot
    where booking_centre = 'SIN'
        and opened_on >= date '2010-01-01'
)

select * from deposits_eu
union all
select * from deposits_us
union all
select * from deposits_apac
union all
select * from mortgages
union all
select * from corporate_loans
union all
select * from lombard_loans
union all
select * from consumer_credits
union all
select * from cards_eu
union all
select * from cards_us
union all
select * from cards_apac
union all
select * from depots_zurich
union all
select * from depots_new_york
union all
select * from depots_singapore

with loan as (
    select * from {{ source('src_loan', 'loan') }}
),

consumer_credit as (
    select * from {{ source('src_loan', 'consumer_credit') }}
),

-- Mortgages booked in Europe, running or defaulted.
mortgages_eu as (
    select
        loan_no,
        borrower_no as customer_no,
        loan_type,
        principal,
        outstanding,
        currency,
        interest_rate,
        as_of as balance_date,
        state,
        paid_out_on as start_dt,
        matures_on as maturity_dt,
        days_past_due,
        'EU' as region
    from loan
    where loan_type = 'MORTGAGE'
        and booking_entity like 'EU%'
        and state in (2, 4)
),

-- Mortgages booked in America.
mortgages_us as (
    select
        loan_no,
        borrower_no as customer_no,
        loan_type,
        principal,
        outstanding,
        'USD' as currency,
        interest_rate,
        as_of as balance_date,
        state,
        paid_out_on as start_dt,
        matures_on as maturity_dt,
        days_past_due,
        'US' as region
    from loan
    where loan_type = 'MORTGAGE'
        and booking_entity like 'US%'
        and state in (2, 4)
),

-- Loans to companies, in every region; a syndicated loan counts with the bank's own share only.
corporate as (
    select
        loan_no,
        borrower_no as customer_no,
        loan_type,
        principal,
        case
            when syndicated = 'Y' then outstanding * own_share / 100
            else outstanding
        end as outstanding,
        currency,
        interest_rate,
        as_of as balance_date,
        state,
        paid_out_on as start_dt,
        matures_on as maturity_dt,
        days_past_due,
        case
            when booking_entity like 'EU%' then 'EU'
            when booking_entity like 'US%' then 'US'
            else 'APAC'
        end as region
    from loan
    where loan_type = 'CORPORATE'
        and state in (2, 4)
),

-- Loans against pledged securities, offered by the private bank in Europe and Asia.
lombard as (
    select
        loan_no,
        borrower_no as customer_no,
        loan_type,
        principal,
        outstanding,
        currency,
        interest_rate,
        as_of as balance_date,
        state,
        paid_out_on as start_dt,
        {{ open_end() }} as maturity_dt,
        days_past_due,
        case
            when booking_entity like 'EU%' then 'EU'
            else 'APAC'
        end as region
    from loan
    where loan_type = 'LOMBARD'
        and state = 2
        and booking_entity not like 'US%'
),

-- Consumer credits come from their own system: Europe only, in euros, and by law never above 75 000.
consumer as (
    select
        credit_no as loan_no,
        borrower_no as customer_no,
        'CONSUMER' as loan_type,
        credit_amount as principal,
        remaining_debt as outstanding,
        'EUR' as currency,
        nominal_rate as interest_rate,
        as_of as balance_date,
        case
            when dunning_level >= 3 then 4
            else 2
        end as state,
        paid_out_on as start_dt,
        last_instalment_on as maturity_dt,
        days_late as days_past_due,
        'EU' as region
    from consumer_credit
    where credit_amount <= 75000
        and remaining_debt > 0
        and remaining_debt <= 75000
)

select * from mortgages_eu
union all
select * from mortgages_us
union all
select * from corporate
union all
select * from lombard
union all
select * from consumer

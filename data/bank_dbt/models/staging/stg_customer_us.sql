-- A cancellation that the call centre took only sets the end of a customer who is there.
{{ config(post_hook="
    update {{ this }} as customer
    set valid_to = cancellation.cancelled_on
    from {{ source('src_crm', 'cancellation') }} as cancellation
    where cancellation.customer_no = customer.customer_no
        and cancellation.region = 'US'
        and cancellation.cancelled_on between date '2000-01-01' and date '2099-12-31'
") }}

with customer as (
    select * from {{ source('src_us', 'customer') }}
),

-- Persons of the American banking system; only the last four digits of the social security number are kept.
persons as (
    select
        cust_id as customer_no,
        full_name as name,
        2 as party_type,
        date_of_birth as birth_or_foundation_date,
        'US' as country,
        'US' as region,
        case
            when line_of_business = 'PRIVATE' then 'PB'
            else 'RETAIL'
        end as segment,
        case
            when last_branch_visit is null then 'ONLINE'
            else 'BRANCH'
        end as channel,
        banker_id as adviser_no,
        '***-**-' || substr(ssn, 8, 4) as tax_id,
        start_date as valid_from,
        case
            when end_date < {{ open_end() }} then end_date
            else {{ open_end() }}
        end as valid_to
    from customer
    where cust_type = 'PERSON'
),

-- Organisations of the American banking system.
organisations as (
    select
        cust_id as customer_no,
        legal_name as name,
        1 as party_type,
        incorporated_on as birth_or_foundation_date,
        'US' as country,
        'US' as region,
        case
            when line_of_business = 'INVESTMENT' then 'IB'
            else 'RETAIL'
        end as segment,
        'BRANCH' as channel,
        banker_id as adviser_no,
        ein as tax_id,
        start_date as valid_from,
        case
            when end_date < {{ open_end() }} then end_date
            else {{ open_end() }}
        end as valid_to
    from customer
    where cust_type in ('CORPORATION', 'PARTNERSHIP', 'TRUST')
)

select * from persons
union all
select * from organisations

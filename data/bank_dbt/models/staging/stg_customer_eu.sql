-- A cancellation that the call centre took only sets the end of a customer who is there.
{{ config(post_hook="
    update {{ this }} as customer
    set valid_to = cancellation.cancelled_on
    from {{ source('src_crm', 'cancellation') }} as cancellation
    where cancellation.customer_no = customer.customer_no
        and cancellation.region = 'EU'
        and cancellation.cancelled_on between date '2000-01-01' and date '2099-12-31'
") }}

with customer as (
    select * from {{ source('src_eu', 'customer') }}
),

-- Private individuals of the European banking system; half a million in assets makes a private banking client.
individuals as (
    select
        customer_no,
        first_name || ' ' || last_name as name,
        customer_kind as party_type,
        birth_date as birth_or_foundation_date,
        domicile as country,
        'EU' as region,
        case
            when assets >= 500000 then 'PB'
            else 'RETAIL'
        end as segment,
        case
            when branch_no is not null then 'BRANCH'
            else 'ONLINE'
        end as channel,
        adviser_no,
        tax_number as tax_id,
        opened_on as valid_from,
        case
            when closed_on < {{ open_end() }} then closed_on
            else {{ open_end() }}
        end as valid_to
    from customer
    where customer_kind = 2
),

-- Companies of the European banking system; large turnover makes an investment banking client.
businesses as (
    select
        customer_no,
        company_name || ' ' || legal_form as name,
        customer_kind as party_type,
        founded_on as birth_or_foundation_date,
        domicile as country,
        'EU' as region,
        case
            when annual_turnover >= 50000000 then 'IB'
            else 'RETAIL'
        end as segment,
        'BRANCH' as channel,
        adviser_no,
        vat_number as tax_id,
        opened_on as valid_from,
        case
            when closed_on < {{ open_end() }} then closed_on
            else {{ open_end() }}
        end as valid_to
    from customer
    where customer_kind = 1
)

select * from individuals
union all
select * from businesses

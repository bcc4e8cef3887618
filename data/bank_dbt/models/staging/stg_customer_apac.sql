with customer as (
    select * from {{ source('src_apac', 'customer') }}
),

-- The retail book of the Asian banking system, shops and households alike.
retail as (
    select
        cif_no as customer_no,
        name,
        case
            when is_corporate = 'Y' then 1
            else 2
        end as party_type,
        birth_or_foundation_date,
        country_code as country,
        'APAC' as region,
        'RETAIL' as segment,
        case
            when app_user = 'Y' then 'ONLINE'
            else 'BRANCH'
        end as channel,
        null as adviser_no,
        since_date as valid_from,
        case
            when until_date is not null then until_date
            else {{ open_end() }}
        end as valid_to
    from customer
    where book = 'RETAIL'
        and country_code in ('SG', 'HK', 'JP', 'AU')
),

-- The wealth book of the Asian banking system: individuals only, each with an adviser.
wealth as (
    select
        cif_no as customer_no,
        name,
        2 as party_type,
        birth_or_foundation_date,
        country_code as country,
        'APAC' as region,
        'PB' as segment,
        'BRANCH' as channel,
        relationship_manager as adviser_no,
        since_date as valid_from,
        case
            when until_date is not null then until_date
            else {{ open_end() }}
        end as valid_to
    from customer
    where book = 'WEALTH'
        and is_corporate = 'N'
),

-- Institutional clients of the Asian banking system.
institutions as (
    select
        cif_no as customer_no,
        name,
        1 as party_type,
        birth_or_foundation_date,
        country_code as country,
        'APAC' as region,
        'IB' as segment,
        'BRANCH' as channel,
        relationship_manager as adviser_no,
        since_date as valid_from,
        case
            when until_date is not null then until_date
            else {{ open_end() }}
        end as valid_to
    from customer
    where book = 'INSTITUTIONAL'
        and is_corporate = 'Y'
)

select * from retail
union all
select * from wealth
union all
select * from institutions

with customer_eu as (
    select * from {{ ref('stg_customer_eu') }}
),

customer_us as (
    select * from {{ ref('stg_customer_us') }}
),

customer_apac as (
    select * from {{ ref('stg_customer_apac') }}
),

partner as (
    select * from {{ source('src_crm', 'partner') }}
),

employee as (
    select * from {{ source('src_hr', 'employee') }}
),

country as (
    select * from {{ ref('core_country') }}
),

-- Customers of the European banking system.
customers_eu as (
    select
        customer_no as party_id,
        name as party_name,
        party_type,
        'CUSTOMER' as party_kind,
        birth_or_foundation_date,
        country,
        region,
        segment,
        adviser_no as adviser_id,
        tax_id,
        valid_from as party_start_dt,
        valid_to as party_end_dt,
        channel,
        cast(null as varchar) as risk_class
    from customer_eu
),

-- Customers of the American banking system.
customers_us as (
    select
        customer_no as party_id,
        name as party_name,
        party_type,
        'CUSTOMER' as party_kind,
        birth_or_foundation_date,
        country,
        region,
        segment,
        adviser_no as adviser_id,
        tax_id,
        valid_from as party_start_dt,
        valid_to as party_end_dt,
        channel,
        cast(null as varchar) as risk_class
    from customer_us
),

-- Customers of the Asian banking system; it delivers no tax numbers.
customers_apac as (
    select
        customer_no as party_id,
        name as party_name,
        party_type,
        'CUSTOMER' as party_kind,
        birth_or_foundation_date,
        country,
        region,
        segment,
        adviser_no as adviser_id,
        null as tax_id,
        valid_from as party_start_dt,
        valid_to as party_end_dt,
        channel,
        cast(null as varchar) as risk_class
    from customer_apac
),

-- Partners who are persons: brokers, notaries, introducers.
partner_persons as (
    select
        partner_no as party_id,
        given_name || ' ' || family_name as party_name,
        partner_type as party_type,
        'PARTNER' as party_kind,
        birth_date as birth_or_foundation_date,
        country_code as country,
        office_region as region,
        'PARTNER' as segment,
        null as adviser_id,
        null as tax_id,
        contract_from as party_start_dt,
        case
            when contract_to is not null then contract_to
            else {{ open_end() }}
        end as party_end_dt,
        null as channel,
        cast(null as varchar) as risk_class
    from partner
    where partner_type = 2
),

-- Partners that are firms: insurers, correspondent banks.
partner_firms as (
    select
        partner_no as party_id,
        firm_name as party_name,
        partner_type as party_type,
        'PARTNER' as party_kind,
        foundation_date as birth_or_foundation_date,
        country_code as country,
        office_region as region,
        'PARTNER' as segment,
        null as adviser_id,
        null as tax_id,
        contract_from as party_start_dt,
        case
            when contract_to is not null then contract_to
            else {{ open_end() }}
        end as party_end_dt,
        null as channel,
        cast(null as varchar) as risk_class
    from partner
    where partner_type = 1
),

-- The bank's own people; their region is that of the country they work in.
employees as (
    select
        employee.staff_no as party_id,
        employee.first_name || ' ' || employee.last_name as party_name,
        2 as party_type,
        'EMPLOYEE' as party_kind,
        employee.born_on as birth_or_foundation_date,
        employee.work_country as country,
        country.region,
        'STAFF' as segment,
        employee.manager_no as adviser_id,
        null as tax_id,
        employee.entry_date as party_start_dt,
        case
            when employee.exit_date is not null then employee.exit_date
            else {{ open_end() }}
        end as party_end_dt,
        null as channel,
        cast(null as varchar) as risk_class
    from employee
    left join country on employee.work_country = country.country_code
    where employee.contract_type not in ('INTERN', 'EXTERNAL')
)

select * from customers_eu
union all
select * from customers_us
union all
select * from customers_apac
union all
select * from partner_persons
union all
select * from partner_firms
union all
select * from employees

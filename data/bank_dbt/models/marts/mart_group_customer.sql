with customer_eu as (
    select * from {{ ref('mart_customer_eu') }}
),

customer_us as (
    select * from {{ ref('mart_customer_us') }}
),

customer_apac as (
    select * from {{ ref('mart_customer_apac') }}
),

party as (
    select * from {{ ref('core_party') }}
),

country as (
    select * from {{ ref('core_country') }}
),

-- Group report: the customers of Europe.
eu as (
    select
        customer_id,
        customer_name,
        party_type,
        region,
        relation,
        segment,
        country,
        status,
        customer_since as member_since,
        customer_until as member_until
    from customer_eu
),

-- Group report: the customers of America.
us as (
    select
        customer_id,
        customer_name,
        party_type,
        region,
        relation,
        segment,
        country,
        status,
        customer_since as member_since,
        customer_until as member_until
    from customer_us
),

-- Group report: the customers of Asia.
apac as (
    select
        customer_id,
        customer_name,
        party_type,
        region,
        relation,
        segment,
        country,
        status,
        customer_since as member_since,
        customer_until as member_until
    from customer_apac
),

-- Group report: Latin America was to become a region of its own. It never did, and the American report
-- holds nothing but REGION = "US": this mapping cannot bring a single row.
latin_america as (
    select
        customer_id,
        customer_name,
        party_type,
        region,
        relation,
        segment,
        country,
        status,
        customer_since as member_since,
        customer_until as member_until
    from customer_us
    where region = 'LATAM'
),

-- Group report: partners, persons and firms.
partners as (
    select
        party.party_id as customer_id,
        party.party_name as customer_name,
        party.party_type,
        party.region,
        party.party_kind as relation,
        party.segment,
        country.country_name as country,
        case
            when party.party_end_dt = {{ open_end() }} then 'CURRENT'
            else 'FORMER'
        end as status,
        party.party_start_dt as member_since,
        party.party_end_dt as member_until
    from party
    left join country on party.country = country.country_code
    where party.party_kind = 'PARTNER'
),

-- Group report: staff, as long as they are with the bank.
staff as (
    select
        party.party_id as customer_id,
        party.party_name as customer_name,
        party.party_type,
        party.region,
        party.party_kind as relation,
        party.segment,
        country.country_name as country,
        'CURRENT' as status,
        party.party_start_dt as member_since,
        party.party_end_dt as member_until
    from party
    left join country on party.country = country.country_code
    where party.party_kind = 'EMPLOYEE'
        and party.party_end_dt = {{ open_end() }}
)

select * from eu
union all
select * from us
union all
select * from apac
union all
select * from latin_america
union all
select * from partners
union all
select * from staff

with party as (
    select * from {{ ref('core_party') }}
),

country as (
    select * from {{ ref('core_country') }}
),

rating as (
    select * from {{ ref('core_rating') }}
),

-- European customers with an open relationship.
open_ones as (
    select
        party.party_id as customer_id,
        party.party_name as customer_name,
        party.party_type,
        party.region,
        party.party_kind as relation,
        country.country_name as country,
        party.segment,
        party.birth_or_foundation_date,
        rating.grade,
        party.risk_class,
        'CURRENT' as status,
        party.party_start_dt as customer_since,
        party.party_end_dt as customer_until
    from party
    left join country on party.country = country.country_code
    left join rating on party.party_id = rating.party_id and party.region = rating.region
    where party.region = 'EU'
        and party.party_kind = 'CUSTOMER'
        and party.party_end_dt = {{ open_end() }}
),

-- European customers who left.
former as (
    select
        party.party_id as customer_id,
        party.party_name as customer_name,
        party.party_type,
        party.region,
        party.party_kind as relation,
        country.country_name as country,
        party.segment,
        party.birth_or_foundation_date,
        'NONE' as grade,
        null as risk_class,
        'FORMER' as status,
        party.party_start_dt as customer_since,
        party.party_end_dt as customer_until
    from party
    left join country on party.country = country.country_code
    where party.region = 'EU'
        and party.party_kind = 'CUSTOMER'
        and party.party_end_dt < {{ open_end() }}
)

select * from open_ones
union all
select * from former

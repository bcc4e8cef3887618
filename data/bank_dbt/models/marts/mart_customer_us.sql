with party as (
    select * from {{ ref('core_party') }}
),

rating as (
    select * from {{ ref('core_rating') }}
),

-- American customers with an open relationship.
open_ones as (
    select
        party.party_id as customer_id,
        party.party_name as customer_name,
        party.party_type,
        party.region,
        party.party_kind as relation,
        party.country,
        party.segment,
        party.birth_or_foundation_date,
        rating.grade,
        'CURRENT' as status,
        party.party_start_dt as customer_since,
        party.party_end_dt as customer_until
    from party
    left join rating on party.party_id = rating.party_id and party.region = rating.region
    where party.region = 'US'
        and party.party_kind = 'CUSTOMER'
        and party.party_end_dt = {{ open_end() }}
),

-- American customers who left.
former as (
    select
        party_id as customer_id,
        party_name as customer_name,
        party_type,
        region,
        party_kind as relation,
        country,
        segment,
        birth_or_foundation_date,
        'NONE' as grade,
        'FORMER' as status,
        party_start_dt as customer_since,
        party_end_dt as customer_until
    from party
    where region = 'US'
        and party_kind = 'CUSTOMER'
        and party_end_dt < {{ open_end() }}
)

select * from open_ones
union all
select * from former

-- Asian customers, current and former together as the regulator in Singapore wants them.
with party as (
    select * from {{ ref('core_party') }}
),

country as (
    select * from {{ ref('core_country') }}
),

rating as (
    select * from {{ ref('core_rating') }}
)

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
    case
        when party.party_end_dt = {{ open_end() }} then 'CURRENT'
        else 'FORMER'
    end as status,
    party.party_start_dt as customer_since,
    party.party_end_dt as customer_until
from party
left join country on party.country = country.country_code
left join rating on party.party_id = rating.party_id and party.region = rating.region
where party.region = 'APAC'
    and party.party_kind = 'CUSTOMER'

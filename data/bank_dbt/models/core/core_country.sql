-- Countries in use, with the region that serves them: the Americas are served from New York, Asia and Oceania from
-- Singapore.
with country as (
    select * from {{ ref('src_ref_country') }}
)

select
    iso_code as country_code,
    english_name as country_name,
    case
        when continent = 'EUROPE' then 'EU'
        when continent in ('NORTH AMERICA', 'SOUTH AMERICA') then 'US'
        else 'APAC'
    end as region
from country
where continent in ('EUROPE', 'NORTH AMERICA', 'SOUTH AMERICA', 'ASIA', 'OCEANIA')
    and valid_until = {{ open_end() }}

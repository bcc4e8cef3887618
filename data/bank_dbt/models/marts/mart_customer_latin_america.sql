{{ config(enabled=false) }}

-- Latin America was to become a region of its own. It never did.
select * from {{ ref('core_party') }} where region = 'LATAM'

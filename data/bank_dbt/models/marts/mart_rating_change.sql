-- Parties whose grade has changed, with the one before.
with graded as (
    select
        party_id,
        region,
        grade,
        lag(grade) over (partition by party_id, region, rating_kind order by dbt_valid_from) as grade_before,
        dbt_valid_from as changed_at
    from {{ ref('rating_history') }}
)

select *
from graded
where grade_before is not null
    and grade != grade_before

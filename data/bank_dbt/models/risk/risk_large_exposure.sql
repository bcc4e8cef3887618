with exposure as (
    select * from {{ ref('risk_exposure') }}
),

-- Any exposure above one million.
single as (
    select
        agreement_id,
        party_id,
        exposure_type as exposure_kind,
        region,
        gross_amount,
        net_amount,
        'ABOVE ONE MILLION' as reason
    from exposure
    where gross_amount > 1000000
),

-- Weakly rated exposures are large from a quarter of a million on.
weak_grade as (
    select
        agreement_id,
        party_id,
        exposure_type as exposure_kind,
        region,
        gross_amount,
        net_amount,
        'WEAK GRADE' as reason
    from exposure
    where gross_amount between 250000 and 1000000
        and grade in ('BB', 'B', 'CCC')
)

select * from single
union all
select * from weak_grade

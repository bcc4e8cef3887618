with rating as (
    select * from {{ source('src_rating', 'rating') }}
),

customer_apac as (
    select * from {{ ref('stg_customer_apac') }}
),

-- Grades of the rating agencies, for companies only.
agency as (
    select
        customer_no as party_id,
        region,
        grade,
        case
            when grade in ('AAA', 'AA') then 0.0003
            when grade = 'A' then 0.001
            when grade = 'BBB' then 0.004
            else 0.02
        end as pd,
        'AGENCY' as rating_kind,
        valid_to
    from rating
    where rater <> 'INTERNAL'
        and grade is not null
),

-- Grades from the bank's own score; the first band reached counts.
internal as (
    select
        customer_no as party_id,
        region,
        case
            when score >= 800 then 'A'
            when score >= 650 then 'BBB'
            when score >= 500 then 'BB'
            else 'B'
        end as grade,
        case
            when score >= 800 then 0.001
            when score >= 650 then 0.004
            when score >= 500 then 0.02
            else 0.08
        end as pd,
        'INTERNAL' as rating_kind,
        valid_to
    from rating
    where rater = 'INTERNAL'
        and score between 0 and 1000
),

-- Asian retail customers are not scored; all share one pool grade.
pool_apac as (
    select
        customer_no as party_id,
        region,
        'POOL' as grade,
        0.03 as pd,
        'POOL' as rating_kind,
        valid_to
    from customer_apac
    where segment = 'RETAIL'
)

select * from agency
union all
select * from internal
union all
select * from pool_apac

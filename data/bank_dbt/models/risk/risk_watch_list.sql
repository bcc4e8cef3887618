with exposure as (
    select * from {{ ref('risk_exposure') }}
),

balance as (
    select * from {{ ref('core_balance') }}
),

agreement as (
    select * from {{ ref('core_agreement') }}
),

-- Loans more than ninety days late.
late as (
    select
        agreement_id,
        party_id,
        region,
        'LATE: ' || exposure_type as reason,
        gross_amount as amount
    from exposure
    where days_past_due > 90
),

-- Cards charged over their limit.
over_limit as (
    select
        balance.agreement_id,
        agreement.party_id,
        balance.region,
        'OVER LIMIT' as reason,
        balance.amount
    from balance
    left join agreement on balance.agreement_id = agreement.agreement_id
        and balance.agreement_type = agreement.agreement_type
        and balance.region = agreement.region
    where balance.agreement_type = 'C'
        and balance.balance_type = 'BOOKED'
        and balance.limit_amount < balance.amount
),

-- Overdrawn deposit accounts that have no limit.
overdrawn as (
    select
        balance.agreement_id,
        agreement.party_id,
        balance.region,
        'OVERDRAWN' as reason,
        -balance.amount as amount
    from balance
    left join agreement on balance.agreement_id = agreement.agreement_id
        and balance.agreement_type = agreement.agreement_type
        and balance.region = agreement.region
    where balance.agreement_type = 'D'
        and balance.limit_amount = 0
        and balance.amount < 0
)

select * from late
union all
select * from over_limit
union all
select * from overdrawn

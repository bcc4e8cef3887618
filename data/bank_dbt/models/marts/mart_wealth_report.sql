with position as (
    select * from {{ ref('core_position') }}
),

agreement as (
    select * from {{ ref('core_agreement') }}
),

party as (
    select * from {{ ref('core_party') }}
),

balance as (
    select * from {{ ref('core_balance') }}
),

-- Securities of private and investment banking clients.
securities as (
    select
        agreement.party_id as client_id,
        party.party_name as client_name,
        party.segment,
        position.region,
        position.asset_class as asset_kind,
        position.market_value_eur as amount_eur,
        position.value_date as as_of
    from position
    left join agreement on position.agreement_id = agreement.agreement_id and position.region = agreement.region
    left join party on agreement.party_id = party.party_id and agreement.region = party.region
    where party.segment in ('PB', 'IB')
        and agreement.agreement_type = 'S'
),

-- Deposits of private banking clients.
deposits as (
    select
        agreement.party_id as client_id,
        party.party_name as client_name,
        party.segment,
        balance.region,
        'DEPOSIT' as asset_kind,
        balance.amount_eur,
        balance.balance_date as as_of
    from balance
    left join agreement on balance.agreement_id = agreement.agreement_id
        and balance.agreement_type = agreement.agreement_type
        and balance.region = agreement.region
    left join party on agreement.party_id = party.party_id and agreement.region = party.region
    where balance.agreement_type = 'D'
        and balance.amount > 0
        and party.segment = 'PB'
),

-- Lombard loans lower the wealth of private banking clients.
lombard_debt as (
    select
        agreement.party_id as client_id,
        party.party_name as client_name,
        party.segment,
        balance.region,
        'LOMBARD DEBT' as asset_kind,
        -balance.amount_eur as amount_eur,
        balance.balance_date as as_of
    from balance
    left join agreement on balance.agreement_id = agreement.agreement_id
        and balance.agreement_type = agreement.agreement_type
        and balance.product_code = agreement.product_code
        and balance.region = agreement.region
    left join party on agreement.party_id = party.party_id and agreement.region = party.region
    where balance.agreement_type = 'L'
        and balance.product_code = 'LN-LOMB'
        and party.segment = 'PB'
)

select * from securities
union all
select * from deposits
union all
select * from lombard_debt

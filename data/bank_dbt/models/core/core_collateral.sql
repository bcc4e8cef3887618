with collateral as (
    select * from {{ source('src_loan', 'collateral') }}
),

position as (
    select * from {{ ref('core_position') }}
),

-- Land and buildings: four fifths of a recent valuation, three fifths of an older one.
real_estate as (
    select
        collateral_no as collateral_id,
        loan_no as agreement_id,
        'REAL ESTATE' as collateral_kind,
        appraised_value as market_value,
        case
            when valued_on >= date '2020-01-01' then appraised_value * 0.8
            else appraised_value * 0.6
        end as lending_value,
        valued_on
    from collateral
    where kind = 'REAL_ESTATE'
        and lien_rank = 1
),

-- Guarantees count in full when a bank stands behind them, with half otherwise.
guarantees as (
    select
        collateral_no as collateral_id,
        loan_no as agreement_id,
        'GUARANTEE' as collateral_kind,
        guaranteed_amount as market_value,
        case
            when guarantor_kind = 'BANK' then guaranteed_amount
            else guaranteed_amount * 0.5
        end as lending_value,
        valued_on
    from collateral
    where kind = 'GUARANTEE'
        and expires_on >= date '2025-01-01'
),

-- Pledged securities: shares count with half, bonds with four fifths, funds with three fifths of their value.
securities as (
    select
        agreement_id || '/' || isin as collateral_id,
        pledged_for as agreement_id,
        'SECURITIES' as collateral_kind,
        market_value_eur as market_value,
        case
            when asset_class = 'SHARE' then market_value_eur * 0.5
            when asset_class = 'BOND' then market_value_eur * 0.8
            else market_value_eur * 0.6
        end as lending_value,
        value_date as valued_on
    from position
    where pledged_for is not null
)

select * from real_estate
union all
select * from guarantees
union all
select * from securities

with agreement as (
    select * from {{ ref('core_agreement') }}
),

balance as (
    select * from {{ ref('core_balance') }}
),

collateral as (
    select * from {{ ref('core_collateral') }}
),

rating as (
    select * from {{ ref('core_rating') }}
),

-- Mortgages, less the lending value of the land behind them.
mortgages as (
    select
        agreement.agreement_id,
        agreement.party_id,
        'MORTGAGE' as exposure_type,
        agreement.region,
        rating.grade,
        balance.amount_eur as gross_amount,
        case
            when balance.amount_eur > collateral.lending_value then balance.amount_eur - collateral.lending_value
            when collateral.lending_value is not null then 0
            else balance.amount_eur
        end as net_amount,
        balance.amount_eur * rating.pd as expected_loss,
        agreement.days_past_due
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.product_code = balance.product_code
        and agreement.region = balance.region
    left join collateral on agreement.agreement_id = collateral.agreement_id
    left join rating on agreement.party_id = rating.party_id and agreement.region = rating.region
    where agreement.agreement_type = 'L'
        and agreement.product_code = 'LN-MORT'
        and balance.balance_type = 'BOOKED'
),

-- Corporate loans, at the agency's probability of default.
corporate_loans as (
    select
        agreement.agreement_id,
        agreement.party_id,
        'CORPORATE' as exposure_type,
        agreement.region,
        rating.grade,
        balance.amount_eur as gross_amount,
        balance.amount_eur as net_amount,
        case
            when rating.rating_kind = 'AGENCY' then balance.amount_eur * rating.pd
            else balance.amount_eur * 0.02
        end as expected_loss,
        agreement.days_past_due
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.product_code = balance.product_code
        and agreement.region = balance.region
    left join rating on agreement.party_id = rating.party_id and agreement.region = rating.region
    where agreement.agreement_type = 'L'
        and agreement.product_code = 'LN-CORP'
        and balance.balance_type = 'BOOKED'
),

-- Lombard loans, less the lending value of the pledged securities.
lombard_loans as (
    select
        agreement.agreement_id,
        agreement.party_id,
        'LOMBARD' as exposure_type,
        agreement.region,
        'SECURED' as grade,
        balance.amount_eur as gross_amount,
        case
            when balance.amount_eur > collateral.lending_value then balance.amount_eur - collateral.lending_value
            else 0
        end as net_amount,
        0 as expected_loss,
        agreement.days_past_due
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.product_code = balance.product_code
        and agreement.region = balance.region
    left join collateral on agreement.agreement_id = collateral.agreement_id
    where agreement.agreement_type = 'L'
        and agreement.product_code = 'LN-LOMB'
        and balance.balance_type = 'BOOKED'
        and collateral.collateral_kind = 'SECURITIES'
),

-- Consumer credits, without collateral; the own score says how safe they are.
consumer_credits as (
    select
        agreement.agreement_id,
        agreement.party_id,
        'CONSUMER' as exposure_type,
        agreement.region,
        rating.grade,
        balance.amount_eur as gross_amount,
        balance.amount_eur as net_amount,
        balance.amount_eur * rating.pd as expected_loss,
        agreement.days_past_due
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.product_code = balance.product_code
        and agreement.region = balance.region
    left join rating on agreement.party_id = rating.party_id and agreement.region = rating.region
    where agreement.agreement_type = 'L'
        and agreement.product_code = 'LN-CONS'
        and balance.balance_type = 'BOOKED'
        and rating.rating_kind = 'INTERNAL'
),

-- Cards count with their whole limit, used or not.
card_limits as (
    select
        agreement_id,
        party_id,
        'CARD' as exposure_type,
        region,
        'UNRATED' as grade,
        limit_amount as gross_amount,
        limit_amount as net_amount,
        limit_amount * 0.015 as expected_loss,
        0 as days_past_due
    from agreement
    where agreement_type = 'C'
        and agreement_status = 'OPEN'
),

-- Overdraft limits of deposit accounts count with their whole limit as well.
overdraft_limits as (
    select
        agreement_id,
        party_id,
        'OVERDRAFT' as exposure_type,
        region,
        'UNRATED' as grade,
        limit_amount as gross_amount,
        limit_amount as net_amount,
        limit_amount * 0.01 as expected_loss,
        0 as days_past_due
    from agreement
    where agreement_type = 'D'
        and limit_amount > 0
        and agreement_status in ('OPEN', 'BLOCKED')
)

select * from mortgages
union all
select * from corporate_loans
union all
select * from lombard_loans
union all
select * from consumer_credits
union all
select * from card_limits
union all
select * from overdraft_limits

with agreement as (
    select * from {{ ref('core_agreement') }}
),

balance as (
    select * from {{ ref('core_balance') }}
),

-- Loans that are paid on time. CORE.AGREEMENT.STATE is filled by no mapping: it is the STATE of the staged loan.
performing as (
    select
        agreement.party_id,
        agreement.region,
        agreement.product_name as loan_kind,
        'PERFORMING' as loan_status,
        balance.amount_eur as outstanding,
        balance.amount_eur * agreement.interest_rate / 100 as yearly_interest,
        agreement.open_dt,
        agreement.maturity_dt
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.region = balance.region
    where agreement.agreement_type = 'L'
        and agreement.state = 2
        and agreement.days_past_due <= 30
),

-- Loans that are late but not given up; lombard loans are called before that.
late as (
    select
        agreement.party_id,
        agreement.region,
        agreement.product_name as loan_kind,
        'LATE' as loan_status,
        balance.amount_eur as outstanding,
        balance.amount_eur * agreement.interest_rate / 100 as yearly_interest,
        agreement.open_dt,
        agreement.maturity_dt
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.region = balance.region
    where agreement.agreement_type = 'L'
        and agreement.state = 2
        and agreement.days_past_due > 30
        and agreement.product_code <> 'LN-LOMB'
),

-- Loans given up: no interest is expected any more.
defaulted as (
    select
        agreement.party_id,
        agreement.region,
        agreement.product_name as loan_kind,
        'DEFAULTED' as loan_status,
        balance.amount_eur as outstanding,
        0 as yearly_interest,
        agreement.open_dt,
        agreement.maturity_dt
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.region = balance.region
    where agreement.agreement_type = 'L'
        and agreement.agreement_status = 'DEFAULTED'
)

select * from performing
union all
select * from late
union all
select * from defaulted

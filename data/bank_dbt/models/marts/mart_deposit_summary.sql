with agreement as (
    select * from {{ ref('core_agreement') }}
),

balance as (
    select * from {{ ref('core_balance') }}
),

-- Deposits of Europe per customer.
eu as (
    select
        agreement.party_id,
        agreement.region,
        agreement.currency,
        sum(balance.amount_eur) as deposit_total,
        max(balance.amount_eur) as largest_deposit,
        count(agreement.agreement_id) as deposits
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.region = balance.region
    where agreement.agreement_type = 'D'
        and agreement.region = 'EU'
        and agreement.agreement_status = 'OPEN'
    group by agreement.party_id, agreement.region, agreement.currency
),

-- Deposits of America per customer; blocked accounts are not known there.
us as (
    select
        agreement.party_id,
        agreement.region,
        agreement.currency,
        sum(balance.amount_eur) as deposit_total,
        max(balance.amount_eur) as largest_deposit,
        count(agreement.agreement_id) as deposits
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.region = balance.region
    where agreement.agreement_type = 'D'
        and agreement.region = 'US'
        and agreement.agreement_status <> 'CLOSED'
    group by agreement.party_id, agreement.region, agreement.currency
),

-- Deposits of Asia per customer, as delivered: carried balances would count term deposits twice.
apac as (
    select
        agreement.party_id,
        agreement.region,
        agreement.currency,
        sum(balance.amount_eur) as deposit_total,
        max(balance.amount_eur) as largest_deposit,
        count(agreement.agreement_id) as deposits
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.region = balance.region
    where agreement.agreement_type = 'D'
        and agreement.region = 'APAC'
        and agreement.agreement_status = 'OPEN'
        and balance.balance_type = 'BOOKED'
    group by agreement.party_id, agreement.region, agreement.currency
)

select * from eu
union all
select * from us
union all
select * from apac

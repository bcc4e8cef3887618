with agreement as (
    select * from {{ ref('core_agreement') }}
),

balance as (
    select * from {{ ref('core_balance') }}
),

party as (
    select * from {{ ref('core_party') }}
),

transaction as (
    select * from {{ ref('core_transaction') }}
),

position as (
    select * from {{ ref('core_position') }}
),

-- Interest borrowers pay, per agreement and day.
loans as (
    select
        party.segment,
        agreement.region,
        'INTEREST EARNED' as result_kind,
        balance.amount_eur * agreement.interest_rate / 100 / 365 as "net result"
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.region = balance.region
    left join party on agreement.party_id = party.party_id and agreement.region = party.region
    where agreement.agreement_type = 'L'
        and agreement.agreement_status = 'OPEN'
),

-- Interest the bank pays on deposits.
deposits as (
    select
        party.segment,
        agreement.region,
        'INTEREST PAID' as result_kind,
        -balance.amount_eur * agreement.interest_rate / 100 / 365 as "net result"
    from agreement
    left join balance on agreement.agreement_id = balance.agreement_id
        and agreement.agreement_type = balance.agreement_type
        and agreement.region = balance.region
    left join party on agreement.party_id = party.party_id and agreement.region = party.region
    where agreement.agreement_type = 'D'
        and agreement.interest_rate > 0
),

-- Fees on accounts.
fees as (
    select
        party.segment,
        transaction.region,
        'FEES' as result_kind,
        transaction.amount_eur as "net result"
    from transaction
    left join agreement on transaction.agreement_id = agreement.agreement_id
        and transaction.region = agreement.region
    left join party on agreement.party_id = party.party_id and agreement.region = party.region
    where transaction.transaction_type = 'FEE'
        and transaction.direction = 'DEBIT'
),

-- Custody fee: two per mille of the securities held, a quarter per mille for investment banking clients.
custody as (
    select
        party.segment,
        position.region,
        'CUSTODY FEES' as result_kind,
        case
            when party.segment = 'IB' then position.market_value_eur * 0.00025
            else position.market_value_eur * 0.002
        end as "net result"
    from position
    left join agreement on position.agreement_id = agreement.agreement_id and position.region = agreement.region
    left join party on agreement.party_id = party.party_id and agreement.region = party.region
    where party.party_kind <> 'EMPLOYEE'
)

select * from loans
union all
select * from deposits
union all
select * from fees
union all
select * from custody

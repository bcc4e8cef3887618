with party as (
    select * from {{ ref('core_party') }}
),

-- Customers without a branch hear about the new application. CORE.PARTY.CHANNEL is filled by no mapping:
-- the condition is about the CHANNEL the customer staging has.
application as (
    select
        'NEW APPLICATION' as campaign,
        party_id as customer_id,
        party_name as addressee,
        region,
        segment
    from party
    where party_kind = 'CUSTOMER'
        and channel = 'ONLINE'
        and party_end_dt = {{ open_end() }}
),

-- Young adults are offered a first savings plan.
first_savings as (
    select
        'FIRST SAVINGS' as campaign,
        party_id as customer_id,
        'Dear ' || party_name as addressee,
        region,
        segment
    from party
    where party_type = 2
        and party_kind = 'CUSTOMER'
        and birth_or_foundation_date between date '1999-01-01' and date '2006-12-31'
),

-- Private banking clients of Europe and Asia are invited to the investment day; American law forbids asking there.
investment_day as (
    select
        'INVESTMENT DAY' as campaign,
        party_id as customer_id,
        party_name as addressee,
        region,
        segment
    from party
    where segment = 'PB'
        and region <> 'US'
        and adviser_id is not null
),

-- Customers who left lately are asked back.
win_back as (
    select
        'WIN BACK' as campaign,
        party_id as customer_id,
        party_name as addressee,
        region,
        segment
    from party
    where party_kind = 'CUSTOMER'
        and party_end_dt between date '2023-01-01' and date '2024-12-31'
        and segment in ('RETAIL', 'PB')
)

select * from application
union all
select * from first_savings
union all
select * from investment_day
union all
select * from win_back

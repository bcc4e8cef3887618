{{ config(materialized='ephemeral') }}

with account_movement as (
    select * from {{ source('src_old', 'account_movement') }}
),

-- Money received on the old mainframe; the history ends with the change of system, reversed movements are left out.
eu_old_credits as (
    select
        'OLD-' || "MOV-NO" as posting_id,
        "ACC-NO" as account_no,
        "BOOK-DT" as booking_date,
        amt as amount,
        ccy as currency,
        'CREDIT' as direction,
        'PAYMENT' as posting_kind,
        "TEXT-1" || "TEXT-2" as purpose,
        'EU' as region,
        'OLD_EU' as source_system
    from account_movement
    where "DC-IND" = 'C'
        and "REV-NO" is null
        and "BOOK-DT" < date '2015-01-01'
),

-- Money paid from the old mainframe.
eu_old_debits as (
    select
        'OLD-' || "MOV-NO" as posting_id,
        "ACC-NO" as account_no,
        "BOOK-DT" as booking_date,
        amt as amount,
        ccy as currency,
        'DEBIT' as direction,
        'PAYMENT' as posting_kind,
        "TEXT-1" || "TEXT-2" as purpose,
        'EU' as region,
        'OLD_EU' as source_system
    from account_movement
    where "DC-IND" = 'D'
        and "REV-NO" is null
        and "BOOK-DT" < date '2015-01-01'
)

select * from eu_old_credits
union all
select * from eu_old_debits

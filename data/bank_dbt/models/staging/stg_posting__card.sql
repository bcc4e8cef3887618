{{ config(materialized='ephemeral') }}

with purchase as (
    select * from {{ source('src_card', 'purchase') }}
),

card as (
    select * from {{ source('src_card', 'card') }}
),

-- Card purchases in the country of the card, since the card system went live in July 2016.
card_at_home as (
    select
        purchase.purchase_id as posting_id,
        purchase.card_no as account_no,
        purchase.purchased_on as booking_date,
        purchase.amount,
        purchase.currency,
        'DEBIT' as direction,
        'PURCHASE' as posting_kind,
        purchase.merchant as purpose,
        purchase.issuer_region as region,
        'CARDS' as source_system
    from purchase
    left join card on purchase.card_no = card.card_no
    where purchase.status = 'SETTLED'
        and purchase.purchased_on >= date '2016-07-01'
        and purchase.merchant_country = card.country
),

-- Card purchases abroad: 1.75 per cent is added for the foreign currency.
card_abroad as (
    select
        purchase.purchase_id as posting_id,
        purchase.card_no as account_no,
        purchase.purchased_on as booking_date,
        purchase.amount * 1.0175 as amount,
        purchase.currency,
        'DEBIT' as direction,
        'PURCHASE' as posting_kind,
        purchase.merchant || ', ' || purchase.merchant_country as purpose,
        purchase.issuer_region as region,
        'CARDS' as source_system
    from purchase
    left join card on purchase.card_no = card.card_no
    where purchase.status = 'SETTLED'
        and purchase.purchased_on >= date '2016-07-01'
        and purchase.merchant_country <> card.country
)

select * from card_at_home
union all
select * from card_abroad

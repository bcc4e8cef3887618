-- Products the bank sells or has sold; those of cards carry the scheme in their name.
with product as (
    select * from {{ ref('src_ref_product') }}
),

typed as (
    select
        *,
        case
            when family in ('ACCOUNT', 'SAVINGS', 'TERM DEPOSIT') then 'D'
            when family like 'LOAN%' then 'L'
            when family = 'CARD' then 'C'
            when family in ('CUSTODY', 'MANDATE') then 'S'
        end as product_type
    from product
)

select
    code as product_code,
    case when product_type = 'C' then marketing_name || ' (' || scheme || ')' else marketing_name end as product_name,
    product_type,
    sold_from,
    sold_until
from typed
where product_type is not null

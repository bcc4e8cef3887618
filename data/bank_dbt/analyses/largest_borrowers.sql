-- For the committee's preparation; run by hand.
select party_id, sum(gross_amount) as gross_amount
from {{ ref('risk_large_exposure') }}
group by party_id
order by gross_amount desc
limit 20

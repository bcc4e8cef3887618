select * from {{ ref('risk_exposure') }} where gross_amount < 0

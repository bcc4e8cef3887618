CREATE OR REPLACE TABLE mart.medical_spend AS
WITH claims AS (
    SELECT * FROM core.claim WHERE claim_type = 'medical'
)
SELECT
    c.member_id,
    m.plan,
    SUM(c.paid) AS paid,
    COUNT(*) AS claims
FROM claims c
JOIN core.member m ON m.member_id = c.member_id
GROUP BY c.member_id, m.plan;

CREATE OR REPLACE TABLE mart.member_spend AS
SELECT
    c.member_id,
    SUM(CASE WHEN c.claim_type = 'medical' THEN c.paid END) AS medical_paid,
    SUM(CASE WHEN c.claim_type = 'pharmacy' THEN c.paid END) AS pharmacy_paid
FROM core.claim c
GROUP BY c.member_id;

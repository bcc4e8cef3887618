-- All claims, whatever system they come from.
CREATE OR REPLACE VIEW core.claim AS
SELECT m.claim_id, m.member_id, m.service_on AS claim_date, m.paid, 'medical' AS claim_type
FROM raw.medical_claim m
WHERE m.state <> 'DENIED'
UNION ALL
SELECT p.claim_no, p.member_no, p.filled_on, p.price - p.copay, 'pharmacy'
FROM raw.pharmacy_claim p
WHERE NOT p.reversed;

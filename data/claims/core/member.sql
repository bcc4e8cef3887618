-- The newest record of each member.
CREATE OR REPLACE VIEW core.member AS
SELECT member_id, name, plan
FROM raw.member
QUALIFY ROW_NUMBER() OVER (PARTITION BY member_id ORDER BY loaded_at DESC) = 1;

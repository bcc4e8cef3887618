"""Mapping texts that tests of several rooms read."""

from __future__ import annotations

GOOD = "MAPPING {0}:\nWHEN POPULATING T FROM S\nPOPULATE T.A WITH S.{0}\n"
AGREEMENT = """
WHEN POPULATING Entity: AGREEMENT FROM Entity: CUSTOMER_MASTER_DATA
  POPULATE Attribute: AGREEMENT.ACCOUNT_CLOSE_DT
    WITH CUSTOMER_MASTER_DATA.LAST_ACCOUNT_CLOSING_DATE IF CUSTOMER_MASTER_DATA.LAST_ACCOUNT_CLOSING_DATE != 01010001
    WITH "DEFAULT MAX"
  POPULATE Attribute: AGREEMENT.ACCOUNT_FIRST_RELATIONSHIP_DT
    WITH CUSTOMER_MASTER_DATA.FIRST_ACCOUNT_OPENING_DATE IF CUSTOMER_MASTER_DATA.FIRST_ACCOUNT_OPENING_DATE != 01010001
    WITH "DEFAULT MIN"
  POPULATE Attribute: AGREEMENT.ACCOUNT_OPEN_DT
    WITH CUSTOMER_MASTER_DATA.CIF_OPENING_DATE IF CUSTOMER_MASTER_DATA.CIF_OPENING_DATE != 01010001
    WITH "DEFAULT UNKNOWN"
"""
WIDE = """
MAPPING everything: WHEN POPULATING core.Deal FROM stg.Trade
  POPULATE core.Deal.`net amount` WITH SUM(stg.Trade.amount) - 2 * SUM(stg.Trade.fee)
  POPULATE core.Deal.label WITH stg.Trade.id || '-' || SUBSTR(ref.Country.code, 1, 2) IF ref.Country.code IS NOT NULL
SELECT ROWS WHERE stg.Trade.kind IN ('A', 'B') AND NOT (stg.Trade.day < 2020-01-31 OR stg.Trade.note LIKE "%\\"x\\"%")
NAVIGATE FROM stg.Trade TO ref.Country USING stg.Trade.country = ref.Country.id
"""
HOSTILE = """
MAPPING `a "b" \\ c, d`:
WHEN POPULATING Entity: core.`Party, "all"` FROM `src\\1`.`é ü`
  POPULATE core.`Party, "all"`.`a.b` WITH `src\\1`.`é ü`.`; x` || "\\"\\\\ \t
two lines, 𝄞 {} <> | ^ %41" IF `src\\1`.`é ü`.k IN ('it''s', "", ' ') OR NOT `src\\1`.`é ü`.k LIKE '%''_'
  POPULATE core.`Party, "all"`.n WITH 2 x (`src\\1`.`é ü`.n - 1.50) WITH AVG(`src\\1`.`é ü`.n) / 3
  POPULATE core.`Party, "all"`.d WITH SUBSTR(Ref.x, 1, 2)
    IF Ref.y BETWEEN 01010001 AND 2015-01-31 AND Ref.z IS not  null
SELECT ROWS WHERE (`src\\1`.`é ü`.k = "\r\n" OR `src\\1`.`é ü`.k <> 'NULL') AND `src\\1`.`é ü`.k != 'null'
NAVIGATE FROM `src\\1`.`é ü` TO Ref USING `src\\1`.`é ü`.k = REF.k, ref.L = `src\\1`.`é ü`.l
NAVIGATE FROM Ref TO other.ref USING Ref.k = other.ref.k
WHEN POPULATING plain FROM empty
"""

-- Nightly load, BigQuery
DECLARE last_day DATE;
DECLARE written, tries INT64 DEFAULT 0;
DECLARE kinds ARRAY<STRING> DEFAULT ['savings', 'checking'];
CREATE TEMP FUNCTION masked(name STRING) RETURNS STRING LANGUAGE js AS """ return name + ";"; """;
CREATE TEMP FUNCTION interest(amount NUMERIC, rate NUMERIC) AS (amount * (1 + rate));
SET last_day = (SELECT MAX(loaded_on) FROM mart.load_log WHERE step = 'customer');
IF last_day IS NULL THEN
  SET last_day = DATE '1900-01-01';
ELSEIF last_day >= CURRENT_DATE() THEN
  SELECT 'nothing to do' AS message;
  RETURN;
ELSE
  SET (written, tries) = (1, 2);
END IF;
CREATE TEMP TABLE changed AS SELECT id, name FROM stage.customer WHERE changed_on > last_day;
BEGIN
  BEGIN TRANSACTION;
  MERGE mart.customer t USING changed s ON t.customer_id = s.id
  WHEN MATCHED THEN UPDATE SET name = s.name
  WHEN NOT MATCHED THEN INSERT (customer_id, name) VALUES (id, name);
  COMMIT TRANSACTION;
EXCEPTION WHEN ERROR THEN
  ROLLBACK TRANSACTION;
  INSERT INTO mart.failure (step, message) SELECT 'customer', @@error.message;
  RAISE USING MESSAGE = 'load failed';
END;
WHILE tries < 3 DO
  SET tries = tries + 1;
  IF tries = 2 THEN CONTINUE; END IF;
  CALL mart.write_log('try', tries);
END WHILE;
rounds: LOOP
  SET written = written + 1;
  IF written > 10 THEN
    LEAVE rounds;
  END IF;
END LOOP rounds;
REPEAT
  SET written = written - 1;
  UNTIL written < 5
END REPEAT;
FOR r IN (SELECT account_id, rate FROM mart.account WHERE rate > 0) DO
  UPDATE mart.balance SET amount = interest(amount, r.rate) WHERE account_id = r.account_id;
END FOR;
CASE
  WHEN written = 0 THEN
    INSERT INTO mart.done (day) VALUES (last_day);
  ELSE
    TRUNCATE TABLE stage.customer;
END CASE;
EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM mart.customer WHERE day = @d' INTO written USING last_day AS d;
EXECUTE IMMEDIATE FORMAT("INSERT INTO mart.%s SELECT 1", 'done');
CREATE OR REPLACE PROCEDURE mart.close_account(IN account INT64, OUT closed BOOL)
OPTIONS (strict_mode = FALSE)
BEGIN
  DECLARE amount NUMERIC DEFAULT (SELECT b.amount FROM mart.balance b WHERE b.account_id = account);
  IF EXISTS (SELECT 1 FROM mart.hold h WHERE h.account_id = account) OR amount > 0 THEN
    SET closed = FALSE;
    RETURN;
  END IF;
  DELETE FROM mart.account WHERE account_id = account;
  SET closed = TRUE;
END;
CREATE OR REPLACE TABLE FUNCTION mart.accounts_of(customer INT64) AS (
  SELECT account_id, amount FROM mart.balance WHERE customer_id = customer
);
CALL mart.close_account(7, done);
EXPORT DATA OPTIONS (uri = 'gs://bank/customer-*.csv', format = 'CSV') AS SELECT * FROM mart.customer;

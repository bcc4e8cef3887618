-- Nightly load, Spark 4
SET spark.sql.shuffle.partitions = 64;
SET hive.exec.dynamic.partition.mode=nonstrict;
ADD JAR /opt/jars/bank.jar;
source tables.sql;
USE mart;
DECLARE OR REPLACE VARIABLE run_day DATE DEFAULT CURRENT_DATE();
SET VAR run_day = DATE '2024-05-01';
FROM stage.rate
INSERT OVERWRITE TABLE rate PARTITION (kind = 'savings') SELECT account_id, rate WHERE kind = 'savings'
INSERT OVERWRITE TABLE rate PARTITION (kind = 'other') SELECT account_id, rate WHERE kind <> 'savings';
CREATE OR REPLACE TEMPORARY VIEW changed AS
SELECT id, name FROM stage.customer WHERE changed_on > run_day;
BEGIN
  DECLARE last DATE;
  DECLARE written INT DEFAULT 0;
  DECLARE late CONDITION FOR SQLSTATE '45000';
  DECLARE EXIT HANDLER FOR SQLEXCEPTION
  BEGIN
    INSERT INTO failure VALUES ('customer');
    RESIGNAL;
  END;
  SET last = (SELECT MAX(loaded_on) FROM load_log WHERE step = 'customer');
  IF last IS NULL THEN
    SET last = DATE '1900-01-01';
  ELSEIF last >= run_day THEN
    SIGNAL late SET MESSAGE_TEXT = 'nothing to do';
  ELSE
    SET VAR (written, last) = (SELECT COUNT(*), MAX(changed_on) FROM stage.customer);
  END IF;
  MERGE INTO customer t USING changed s ON t.customer_id = s.id
  WHEN MATCHED THEN UPDATE SET t.name = s.name
  WHEN NOT MATCHED THEN INSERT (customer_id, name) VALUES (s.id, s.name);
  rounds: WHILE written > 100 DO
    SET written = written / 2;
    IF written = 51 THEN
      ITERATE rounds;
    END IF;
    IF written < 10 THEN LEAVE rounds; END IF;
  END WHILE rounds;
  REPEAT
    SET written = written + 1;
  UNTIL written > 3
  END REPEAT;
  FOR r AS SELECT account_id, rate FROM account WHERE rate > 0 DO
    UPDATE balance SET amount = amount * (1 + r.rate) WHERE account_id = r.account_id;
  END FOR;
  CASE written
    WHEN 4 THEN INSERT INTO done VALUES (last);
    ELSE TRUNCATE TABLE stage.customer;
  END CASE;
  inner_: BEGIN
    EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM customer WHERE day = ?' INTO written USING last;
    EXECUTE IMMEDIATE CONCAT('TRUNCATE TABLE ', 'stage.partner');
  END inner_;
END;
CREATE FUNCTION accounts_of(customer INT) RETURNS TABLE (account_id INT, amount DECIMAL(18, 2))
RETURN SELECT account_id, amount FROM balance WHERE customer_id = customer;
CREATE OR REPLACE PROCEDURE write_log(IN step STRING, OUT written INT)
LANGUAGE SQL
SQL SECURITY INVOKER
AS BEGIN
  INSERT INTO load_log (step, loaded_on) VALUES (step, CURRENT_DATE());
  SET written = 1;
END;
CALL write_log('customer', written);
INSERT INTO done SELECT run_day;

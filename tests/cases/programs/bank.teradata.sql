#!/bin/ksh
# the bank's nightly load
echo "it's time"
bteq <<EOF
.LOGON dwh/loader,secret;
.SET WIDTH 200
.IF ERRORCODE <> 0 THEN .QUIT 8
.RUN FILE = tables.bteq;
DATABASE mart;
CREATE VOLATILE TABLE changed AS (
  SEL id, name, CASE WHEN turnover > 100000 THEN 'private' ELSE 'retail' END AS segment
  FROM stage.customer WHERE changed_on > DATE - 1
) WITH DATA ON COMMIT PRESERVE ROWS;
.IF ACTIVITYCOUNT = 0 THEN .GOTO nothing
BT;
UPDATE customer FROM changed s SET name = s.name WHERE customer.customer_id = s.id;
INS INTO customer (customer_id, name, segment) SEL id, name, segment FROM changed
  WHERE id NOT IN (SEL customer_id FROM customer);
ET;
.EXPORT FILE = /data/customer.txt
SELECT customer_id (TITLE 'id'), name FROM customer;
.EXPORT RESET
REPLACE MACRO new_rate (kind CHAR(8), rate DECIMAL(9, 4) DEFAULT 0) AS (
  UPDATE account SET rate = :rate WHERE kind = :kind;
  INSERT INTO rate_log (kind, rate) VALUES (:kind, :rate);
);
EXEC new_rate ('savings', 0.5);
REPLACE PROCEDURE spread_interest (IN day_ DATE, INOUT written INTEGER, OUT state_ CHAR(5))
SQL SECURITY OWNER
main: BEGIN
  DECLARE rate_ DECIMAL(9, 4) DEFAULT 0;
  DECLARE text_ VARCHAR(200);
  DECLARE due CURSOR FOR SELECT account_id, rate FROM account WHERE kind = 'savings';
  DECLARE EXIT HANDLER FOR SQLEXCEPTION
  BEGIN
    SET state_ = SQLSTATE;
    INSERT INTO failure (step) VALUES ('interest');
  END;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET written = -1;
  SELECT MAX(rate) INTO :rate_ FROM account WHERE kind = 'savings';
  IF rate_ IS NULL THEN
    LEAVE main;
  ELSEIF rate_ < 0 THEN
    SET rate_ = 0;
  END IF;
  FOR r AS rates CURSOR FOR SELECT account_id, rate FROM account WHERE rate > 0 DO
    UPDATE balance SET amount = amount * (1 + r.rate) WHERE account_id = r.account_id;
  END FOR;
  OPEN due;
  rounds: LOOP
    FETCH due INTO written, rate_;
    IF written < 0 THEN LEAVE rounds; END IF;
    ITERATE rounds;
  END LOOP rounds;
  CLOSE due;
  REPEAT
    SET written = written + 1;
  UNTIL written > 3
  END REPEAT;
  CASE written
    WHEN 4 THEN CALL write_log('four', day_);
    ELSE CALL write_log('more', day_);
  END CASE;
  SET text_ = 'DELETE FROM stage.customer';
  CALL DBC.SysExecSQL(:text_);
  EXECUTE IMMEDIATE text_;
END main;
CREATE TRIGGER account_log AFTER UPDATE OF rate ON account
  REFERENCING OLD AS o NEW AS n
  FOR EACH ROW
  WHEN (n.rate > 0)
  (INSERT INTO rate_log (account_id, rate) VALUES (n.account_id, o.rate););
CALL spread_interest(DATE, 0, state_);
.LABEL nothing
.IF ERRORCODE = 0 THEN
.REMARK 'all done'
.ELSE
.QUIT 4
.ENDIF
.QUIT 0
EOF
echo "done, isn't it"

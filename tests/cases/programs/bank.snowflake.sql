!set variable_substitution=true
!source tables.sql
USE WAREHOUSE load_wh;
SET run_day = CURRENT_DATE();
PUT file:///data/rates.csv @stage_rates;
CREATE OR REPLACE PROCEDURE mart.load_customer(day DATE, full BOOLEAN DEFAULT FALSE)
RETURNS TABLE (customer_id NUMBER, name VARCHAR)
LANGUAGE SQL
EXECUTE AS CALLER
AS
$$
DECLARE
    last DATE;
    written INTEGER DEFAULT 0;
    due CURSOR FOR SELECT account_id, rate FROM mart.account WHERE kind = 'savings';
    found RESULTSET DEFAULT (SELECT customer_id, name FROM mart.customer WHERE loaded_on = :day);
    late EXCEPTION (-20001, 'it''s late');
BEGIN
    SELECT MAX(loaded_on) INTO :last FROM mart.load_log WHERE step = 'customer';
    IF (last IS NULL) THEN
        last := '1900-01-01'::DATE;
    ELSEIF (last >= day) THEN
        RAISE late;
    ELSE
        LET message VARCHAR := 'loading ' || day;
    END IF;
    MERGE INTO mart.customer t USING (SELECT id, name FROM stage.customer WHERE changed_on > :last) s
        ON t.customer_id = s.id
        WHEN MATCHED THEN UPDATE SET t.name = s.name
        WHEN NOT MATCHED THEN INSERT (customer_id, name) VALUES (s.id, s.name);
    written := SQLROWCOUNT;
    LET accounts CURSOR FOR found;
    FOR r IN due DO
        LET rate NUMBER := r.rate;
        UPDATE mart.balance SET amount = amount * (1 + :rate) WHERE account_id = r.account_id;
        IF (rate > 1) THEN
            BREAK;
        END IF;
    END FOR;
    FOR i IN 1 TO 3 DO
        written := written + i;
    END FOR;
    WHILE (written > 100) DO
        written := written / 2;
    END WHILE;
    REPEAT
        written := written + 1;
    UNTIL (written > 3) END REPEAT;
    LET query VARCHAR := 'SELECT id FROM stage.partner WHERE kind = ?';
    LET rows RESULTSET := (EXECUTE IMMEDIATE :query USING (last));
    EXECUTE IMMEDIATE 'TRUNCATE TABLE stage.' || 'customer';
    CALL mart.write_log('customer', :day) INTO :written;
    CASE (written)
        WHEN 0 THEN RETURN TABLE(rows);
        ELSE RETURN TABLE(found);
    END CASE;
EXCEPTION
    WHEN late THEN
        INSERT INTO mart.failure (step) VALUES ('late');
        RETURN NULL;
    WHEN OTHER THEN
        ROLLBACK;
        RAISE;
END;
$$;
CREATE OR REPLACE FUNCTION mart.total(customer NUMBER) RETURNS NUMBER AS
'SELECT SUM(amount) FROM mart.balance WHERE kind <> ''closed'' AND customer_id = customer';
CREATE OR REPLACE FUNCTION mart.masked(name VARCHAR) RETURNS VARCHAR LANGUAGE JAVASCRIPT AS
$$ return NAME.replace(/it's/g, '*'); $$;
CREATE OR REPLACE TASK nightly WAREHOUSE = load_wh SCHEDULE = 'USING CRON 0 3 * * * UTC' AS
BEGIN
    CALL mart.load_customer(CURRENT_DATE());
    INSERT INTO mart.done (day) SELECT CURRENT_DATE();
END;
EXECUTE IMMEDIATE $$
DECLARE
    n INTEGER;
BEGIN
    SELECT COUNT(*) INTO :n FROM mart.customer;
    RETURN n;
END;
$$;
CALL mart.load_customer('2024-05-01'::DATE, full => TRUE);
INSERT INTO mart.done (day) SELECT $run_day;

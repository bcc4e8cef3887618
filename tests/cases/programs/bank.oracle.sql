PROMPT The bank's package
SET SERVEROUTPUT ON
WHENEVER SQLERROR EXIT FAILURE
@@tables.sql
CREATE OR REPLACE PACKAGE bank_load AS
  g_day DATE := TRUNC(SYSDATE);
  TYPE t_rate IS RECORD (account_id NUMBER, rate NUMBER(9, 4));
  PROCEDURE load_customer (p_day IN DATE, p_rows OUT NUMBER);
  FUNCTION rate_of (p_account NUMBER) RETURN NUMBER DETERMINISTIC;
END bank_load;
/
CREATE OR REPLACE PACKAGE BODY bank_load AS
  g_runs PLS_INTEGER := 0;

  CURSOR c_due (p_kind VARCHAR2) IS
    SELECT account_id, rate FROM account WHERE kind = p_kind;

  FUNCTION rate_of (p_account NUMBER) RETURN NUMBER DETERMINISTIC IS
    v_rate account.rate%TYPE;
  BEGIN
    SELECT rate INTO v_rate FROM account WHERE account_id = p_account;
    RETURN v_rate;
  EXCEPTION
    WHEN NO_DATA_FOUND OR TOO_MANY_ROWS THEN
      RETURN NULL;
  END rate_of;

  PROCEDURE load_customer (p_day IN DATE, p_rows OUT NUMBER) IS
    v_last DATE;
    r_customer customer%ROWTYPE;
    TYPE t_ids IS TABLE OF NUMBER;
    v_ids t_ids;
    e_late EXCEPTION;
    PRAGMA EXCEPTION_INIT (e_late, -20001);
    PROCEDURE note (p_text VARCHAR2 DEFAULT 'none') IS
    BEGIN
      INSERT INTO load_note (day, text) VALUES (p_day, p_text);
    END;
  BEGIN
    SELECT MAX(loaded_on) INTO v_last FROM load_log WHERE step = 'customer';
    IF v_last IS NULL THEN
      v_last := DATE '1900-01-01';
    ELSIF v_last >= p_day THEN
      RAISE e_late;
    ELSE
      NULL;
    END IF;
    MERGE INTO customer t
    USING (SELECT id, name, CASE WHEN turnover > 100000 THEN 'private' ELSE 'retail' END AS segment
           FROM stage_customer WHERE changed_on > v_last) s
    ON (t.customer_id = s.id)
    WHEN MATCHED THEN UPDATE SET t.name = s.name DELETE WHERE t.closed = 1
    WHEN NOT MATCHED THEN INSERT (customer_id, name, segment) VALUES (s.id, s.name, s.segment);
    p_rows := SQL%ROWCOUNT;
    <<accounts>>
    FOR r IN (SELECT account_id, customer_id FROM stage_account) LOOP
      CONTINUE accounts WHEN r.customer_id IS NULL;
      UPDATE account SET customer_id = r.customer_id WHERE account_id = r.account_id
        RETURNING rate INTO v_rate;
      EXIT WHEN v_rate < 0;
    END LOOP accounts;
    FOR r IN c_due ('savings') LOOP
      INSERT INTO due (account_id, rate) VALUES (r.account_id, rate_of(r.account_id));
    END LOOP;
    FOR i IN REVERSE 1 .. 3 LOOP
      note('round');
    END LOOP;
    SELECT customer_id BULK COLLECT INTO v_ids FROM customer WHERE closed = 1;
    FORALL i IN 1 .. v_ids.COUNT
      DELETE FROM account WHERE customer_id = v_ids(i);
    CASE g_runs
      WHEN 0 THEN note;
      WHEN 1 THEN bank_log.write(p_text => 'second', p_day => p_day);
      ELSE g_runs := g_runs + 1;
    END CASE;
    EXECUTE IMMEDIATE 'INSERT INTO done (day) SELECT :1 FROM dual' USING p_day;
    EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM ' || p_table INTO p_rows;
    COMMIT;
  EXCEPTION
    WHEN e_late THEN
      ROLLBACK;
      note('late');
    WHEN OTHERS THEN
      ROLLBACK TO SAVEPOINT start_of_load;
      RAISE_APPLICATION_ERROR(-20002, 'it failed');
  END load_customer;
BEGIN
  g_runs := 1;
END bank_load;
/
CREATE OR REPLACE TRIGGER account_log
  BEFORE INSERT OR UPDATE OF rate, kind ON account
  REFERENCING NEW AS n OLD AS o
  FOR EACH ROW
  WHEN (n.rate > 0)
DECLARE
  v_day DATE;
BEGIN
  :n.changed_on := SYSDATE;
  INSERT INTO rate_log (account_id, rate) VALUES (:n.account_id, :o.rate);
END;
/
DECLARE
  v_rows NUMBER;
  c SYS_REFCURSOR;
BEGIN
  bank_load.load_customer(SYSDATE, v_rows);
  OPEN c FOR SELECT account_id FROM account;
  LOOP
    FETCH c INTO v_rows;
    EXIT WHEN c%NOTFOUND;
    DBMS_OUTPUT.PUT_LINE(v_rows);
  END LOOP;
  CLOSE c;
END;
/
EXEC bank_load.load_customer(DATE '2024-05-01', :rows);
EXIT

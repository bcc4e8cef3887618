\set ON_ERROR_STOP on
\i tables.sql
BEGIN;
COPY stage.rate (kind, rate) FROM stdin;
savings	0.5
it's	0
\.
COMMIT;
CREATE OR REPLACE PROCEDURE mart.load_customer(day date, INOUT written bigint DEFAULT 0)
LANGUAGE plpgsql
AS $load$
#variable_conflict use_column
<<whole>>
DECLARE
    last date;
    one stage.customer%ROWTYPE;
    r record;
    due CURSOR (k text) FOR SELECT account_id, rate FROM mart.account WHERE kind = k;
    text_of_rule CONSTANT text := 'it''s; a rule';
BEGIN
    SELECT max(loaded_on) INTO STRICT last FROM mart.load_log WHERE step = 'customer';
    IF last IS NULL THEN
        last = '1900-01-01';
    ELSIF last >= day THEN
        RAISE NOTICE 'nothing to do for %', day;
        RETURN;
    END IF;
    CREATE TEMP TABLE changed ON COMMIT DROP AS
        SELECT id, name FROM stage.customer WHERE changed_on > last;
    BEGIN
        INSERT INTO mart.customer (customer_id, name) SELECT id, name FROM changed
        ON CONFLICT (customer_id) DO UPDATE SET name = EXCLUDED.name;
        GET DIAGNOSTICS written = ROW_COUNT;
    EXCEPTION
        WHEN unique_violation OR check_violation THEN
            INSERT INTO mart.failure (step) VALUES ('customer');
        WHEN OTHERS THEN
            RAISE EXCEPTION 'load of % failed', day;
    END;
    FOR r IN SELECT account_id, rate FROM mart.account WHERE rate > 0 LOOP
        CONTINUE WHEN r.rate > 1;
        UPDATE mart.balance SET amount = amount * (1 + r.rate) WHERE account_id = r.account_id
        RETURNING amount INTO written;
        EXIT whole WHEN written IS NULL;
    END LOOP;
    FOR r IN due('savings') LOOP
        PERFORM mart.note(r.account_id, text_of_rule);
    END LOOP;
    FOR i IN 1..3 LOOP
        written := written + i;
    END LOOP;
    FOR r IN EXECUTE 'SELECT id FROM ' || quote_ident('stage') USING day LOOP
        PERFORM id FROM stage.customer WHERE id = r.id;
    END LOOP;
    OPEN due('checking');
    LOOP
        FETCH NEXT FROM due INTO one;
        EXIT WHEN NOT FOUND;
    END LOOP;
    CLOSE due;
    WHILE written > 100 LOOP
        written := written / 2;
    END LOOP;
    EXECUTE format('TRUNCATE %I', 'changed');
    EXECUTE 'SELECT count(*) FROM mart.customer WHERE day = $1' INTO written USING day;
    CALL mart.write_log('customer', day => day);
END whole;
$load$;
CREATE FUNCTION mart.accounts_of(customer int) RETURNS TABLE (account_id int, amount numeric)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT b.account_id, b.amount FROM mart.balance b WHERE b.customer_id = customer;
    RETURN NEXT;
END $$;
CREATE FUNCTION mart.total(customer int) RETURNS numeric AS
'SELECT sum(amount) FROM mart.balance WHERE kind <> ''closed'' AND customer_id = customer' LANGUAGE sql;
CREATE FUNCTION mart.stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.changed_on := now();
    IF TG_OP = 'UPDATE' AND OLD.rate <> NEW.rate THEN
        INSERT INTO mart.rate_log (account_id, rate) VALUES (OLD.account_id, OLD.rate);
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER account_stamp BEFORE INSERT OR UPDATE OF rate ON mart.account
    FOR EACH ROW WHEN (NEW.rate > 0) EXECUTE FUNCTION mart.stamp();
\if :full
CALL mart.load_customer('1900-01-01');
\else
CALL mart.load_customer(current_date);
\endif
DO $$ BEGIN PERFORM mart.total(1); END $$;
SELECT count(*) AS n FROM mart.customer \gset

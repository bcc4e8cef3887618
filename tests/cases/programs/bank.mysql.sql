-- Nightly load, MySQL
source tables.sql
SET @day = CURRENT_DATE();
DELIMITER //
CREATE DEFINER = `loader`@`%` PROCEDURE load_customer(IN day_ DATE, OUT written INT)
MODIFIES SQL DATA
COMMENT 'it''s nightly'
main: BEGIN
  DECLARE last_day, today DATE;
  DECLARE rate_ DECIMAL(9, 4) DEFAULT 0;
  DECLARE done INT DEFAULT FALSE;
  DECLARE due CURSOR FOR SELECT rate FROM account WHERE kind = 'savings';
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;
  DECLARE EXIT HANDLER FOR 1062, SQLEXCEPTION
  BEGIN
    ROLLBACK;
    INSERT INTO failure (step) VALUES ('customer');
  END;
  SELECT MAX(loaded_on), CURRENT_DATE() INTO last_day, today FROM load_log WHERE step = 'customer';
  IF last_day IS NULL THEN
    SET last_day = '1900-01-01', written = 0;
  ELSEIF last_day >= day_ THEN
    LEAVE main;
  END IF;
  START TRANSACTION;
  INSERT INTO customer (customer_id, name) SELECT id, name FROM stage_customer WHERE changed_on > last_day
    ON DUPLICATE KEY UPDATE name = VALUES(name);
  COMMIT;
  OPEN due;
  rounds: LOOP
    FETCH due INTO rate_;
    IF done THEN
      LEAVE rounds;
    END IF;
    SET written = written + 1;
  END LOOP;
  CLOSE due;
  WHILE written > 100 DO SET written = written / 2; END WHILE;
  PREPARE made FROM 'DELETE FROM stage_customer WHERE changed_on <= ?';
  SET @last = last_day;
  EXECUTE made USING @last;
  DEALLOCATE PREPARE made;
  SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'never';
END//
CREATE TRIGGER account_log BEFORE UPDATE ON account FOR EACH ROW
  SET NEW.changed_on = NOW(), NEW.old_rate = OLD.rate//
CREATE FUNCTION interest(amount DECIMAL(18, 2), rate DECIMAL(9, 4)) RETURNS DECIMAL(18, 2) DETERMINISTIC
RETURN amount * (1 + rate)//
CREATE EVENT nightly ON SCHEDULE EVERY 1 DAY DO CALL load_customer(CURRENT_DATE(), @written)//
DELIMITER ;
CALL load_customer(@day, @written);
SELECT COUNT(*) INTO @n FROM customer;
INSERT INTO done (day, rows_written) SELECT @day, @written;

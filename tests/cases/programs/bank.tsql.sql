-- Nightly load of customers and balances, SQL Server; hardly a semicolon.
:setvar warehouse dwh
USE dwh
GO
SET NOCOUNT ON
IF OBJECT_ID('tempdb..#changed') IS NOT NULL DROP TABLE #changed
GO
CREATE OR ALTER PROCEDURE mart.load_customer
    @day DATE,
    @full BIT = 0,
    @rows INT OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    SET NOCOUNT ON
    DECLARE @last DATE, @batch INT = 1000
    DECLARE @seen TABLE (customer_id INT NOT NULL PRIMARY KEY, segment VARCHAR(20))

    SELECT @last = MAX(loaded_on), @rows = COUNT(*)
    FROM mart.load_log
    WHERE step = 'customer'

    IF @last IS NULL
        SET @last = '1900-01-01'
    ELSE IF @last >= @day AND @full = 0
    BEGIN
        PRINT 'nothing to do'
        RETURN 1
    END

    CREATE TABLE #changed (customer_id INT, name NVARCHAR(100), segment VARCHAR(20))

    INSERT INTO #changed (customer_id, name, segment)
    SELECT c.id, c.name, CASE WHEN c.turnover > 100000 THEN 'private' ELSE 'retail' END
    FROM stage.customer AS c WITH (NOLOCK)
    WHERE c.changed_on > @last
    UNION ALL
    SELECT p.id, p.name, 'partner' FROM stage.partner p

    BEGIN TRY
        BEGIN TRANSACTION
        ;WITH latest AS (SELECT customer_id, name, segment FROM #changed)
        MERGE mart.customer AS t
        USING latest AS s ON t.customer_id = s.customer_id
        WHEN MATCHED THEN UPDATE SET t.name = s.name, t.segment = s.segment
        WHEN NOT MATCHED BY TARGET THEN INSERT (customer_id, name, segment) VALUES (s.customer_id, s.name, s.segment)
        WHEN NOT MATCHED BY SOURCE AND t.closed = 1 THEN DELETE
        OUTPUT inserted.customer_id, inserted.segment INTO @seen (customer_id, segment);

        UPDATE t SET t.segment = s.segment
        FROM mart.account t JOIN @seen s ON s.customer_id = t.customer_id
        SET @rows += @@ROWCOUNT
        EXEC mart.write_log 'customer', @day = @day, @count = @rows OUTPUT
        INSERT INTO mart.audit (who, what) EXEC audit.collect @day
        COMMIT TRANSACTION
    END TRY
    BEGIN CATCH
        IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION
        INSERT INTO mart.failure (step, message) SELECT 'customer', ERROR_MESSAGE()
        ;THROW
    END CATCH
END
GO
CREATE PROC mart.spread_interest AS
DECLARE @account INT, @rate DECIMAL(9, 4), @sql NVARCHAR(MAX)
DECLARE due CURSOR LOCAL FAST_FORWARD FOR
    SELECT account_id, rate FROM mart.account WHERE kind = 'savings' FOR READ ONLY
OPEN due
FETCH NEXT FROM due INTO @account, @rate
WHILE @@FETCH_STATUS = 0
BEGIN
    IF @rate < 0 GOTO following
    UPDATE mart.balance SET amount = amount * (1 + @rate) WHERE account_id = @account
    IF @account % 100 = 0 BREAK ELSE PRINT @account
    following:
    FETCH NEXT FROM due INTO @account, @rate
END
CLOSE due
DEALLOCATE due
SET @sql = N'INSERT INTO mart.done (account_id) SELECT account_id FROM mart.account WHERE rate > @r'
EXEC sp_executesql @sql, N'@r DECIMAL(9, 4)', @r = @rate
EXEC ('TRUNCATE TABLE stage.' + 'customer')
GO
CREATE FUNCTION mart.accounts_of (@customer INT) RETURNS TABLE AS
RETURN (SELECT account_id, amount FROM mart.balance WHERE customer_id = @customer)
GO
CREATE TRIGGER mart.account_log ON mart.account AFTER INSERT, UPDATE AS
IF UPDATE(rate)
    INSERT INTO mart.rate_log (account_id, rate) SELECT account_id, rate FROM inserted
GO
DECLARE @n INT
EXEC @n = mart.load_customer '2024-05-01', @rows = @n OUTPUT
GO 2

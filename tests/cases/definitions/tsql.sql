CREATE TABLE [dbo].[Customer](
	[CustomerID] [int] IDENTITY(1,1) NOT NULL,
	[Name] [nvarchar](80) COLLATE Latin1_General_CI_AS NULL,
	[Note] [nvarchar](max) NULL,
 CONSTRAINT [PK_Customer] PRIMARY KEY CLUSTERED
(
	[CustomerID] ASC
)WITH (PAD_INDEX = OFF, STATISTICS_NORECOMPUTE = OFF, IGNORE_DUP_KEY = OFF, ALLOW_ROW_LOCKS = ON, ALLOW_PAGE_LOCKS = ON, OPTIMIZE_FOR_SEQUENTIAL_KEY = OFF) ON [PRIMARY]
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY];

CREATE TABLE [sales].[Line](
	[OrderID] [bigint] NOT NULL,
	[Row] [smallint] NOT NULL,
	[Amount] [decimal](18, 4) NULL,
	[Taxed]  AS ([Amount]*(1.2)) PERSISTED,
	[Stamp] [timestamp] NULL,
	[Added] [datetime2](7) NOT NULL CONSTRAINT [DF_Line_Added] DEFAULT (sysutcdatetime()),
 CONSTRAINT [PK_Line] PRIMARY KEY NONCLUSTERED ([OrderID] ASC, [Row] DESC) ON [INDEXES]
) ON [PS_Month]([Added]);

CREATE TABLE dbo.Stage (k int NOT NULL, v money NULL, w bit DEFAULT ((0))) WITH (DISTRIBUTION = HASH(k), CLUSTERED COLUMNSTORE INDEX);

CREATE TABLE dbo.Heap (k int NOT NULL, v float NULL) WITH (HEAP, DISTRIBUTION = ROUND_ROBIN);

CREATE TABLE dbo.Parts (d date NOT NULL, v real) WITH (CLUSTERED INDEX (d), PARTITION (d RANGE RIGHT FOR VALUES ('2020-01-01', '2021-01-01')));

CREATE TABLE dbo.Employee (
  EmployeeID int NOT NULL PRIMARY KEY CLUSTERED,
  Name nvarchar(100) NULL,
  ValidFrom datetime2 GENERATED ALWAYS AS ROW START HIDDEN NOT NULL,
  ValidTo datetime2 GENERATED ALWAYS AS ROW END HIDDEN NOT NULL,
  PERIOD FOR SYSTEM_TIME (ValidFrom, ValidTo)
) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = dbo.EmployeeHistory, DATA_CONSISTENCY_CHECK = ON));

CREATE TABLE #work (id int IDENTITY, region char(2) NULL DEFAULT 'EU', size int);

CREATE TABLE dbo.Flags (code dbo.Code NOT NULL, flag [dbo].[Flag], label sysname NULL, note varchar(20) SPARSE NULL);

CREATE TABLE dbo.Doc (id uniqueidentifier ROWGUIDCOL NOT NULL DEFAULT newsequentialid(), body varbinary(max) FILESTREAM NULL, x xml, INDEX ix_doc NONCLUSTERED (id)) ON [PRIMARY] FILESTREAM_ON fs;

CREATE TABLE dbo.Person (id int, mail varchar(90) MASKED WITH (FUNCTION = 'email()') NULL, ssn char(11) NOT NULL CHECK (ssn LIKE '___-__-____'), UNIQUE (mail));

CREATE TABLE dbo.Fk (a int NULL REFERENCES dbo.Customer (CustomerID) ON DELETE CASCADE ON UPDATE NO ACTION, b int NULL, CONSTRAINT fk_b FOREIGN KEY (b) REFERENCES dbo.Customer (CustomerID) NOT FOR REPLICATION);

CREATE TABLE dbo.Mem (id int NOT NULL PRIMARY KEY NONCLUSTERED HASH WITH (BUCKET_COUNT = 1024), v int) WITH (MEMORY_OPTIMIZED = ON, DURABILITY = SCHEMA_ONLY);

CREATE TABLE dbo.Seq (id int NOT NULL DEFAULT (NEXT VALUE FOR dbo.Numbers), v hierarchyid NULL, g geography NULL);

CREATE TABLE dbo.Versioned (id int, v rowversion, w nvarchar(10)) WITH (DATA_COMPRESSION = PAGE);

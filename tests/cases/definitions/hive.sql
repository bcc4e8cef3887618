CREATE EXTERNAL TABLE `t`(
  `a` int COMMENT 'x',
  `b` array<struct<c:int>>,
  `m` map<string,int>)
PARTITIONED BY (
  `dt` string)
ROW FORMAT SERDE
  'org.apache.hadoop.hive.ql.io.orc.OrcSerde'
STORED AS INPUTFORMAT
  'org.apache.hadoop.hive.ql.io.orc.OrcInputFormat'
OUTPUTFORMAT
  'org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat'
LOCATION
  'hdfs://n/x'
TBLPROPERTIES (
  'transient_lastDdlTime'='1');

CREATE TABLE logs (line STRING, n BIGINT) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' LINES TERMINATED BY '\n' STORED AS TEXTFILE;

CREATE TABLE bucketed (k INT, v STRING, w DOUBLE) CLUSTERED BY (k) SORTED BY (v ASC) INTO 8 BUCKETS STORED AS ORC TBLPROPERTIES ('transactional'='true');

CREATE TEMPORARY TABLE tmp (a INT, b BOOLEAN, c TIMESTAMP) COMMENT 'x';

CREATE TABLE IF NOT EXISTS db.p (a CHAR(3), b DECIMAL(9,2), c DATE DEFAULT CURRENT_DATE()) STORED AS PARQUET LOCATION '/x';

CREATE TABLE db.t ON CLUSTER c
(
    `id` UInt64,
    `n` Nullable(Int32),
    `l` LowCardinality(Nullable(String)),
    `s` LowCardinality(String) CODEC(ZSTD(1)),
    `d` DateTime64(3, 'UTC') DEFAULT now64(3),
    `e` Enum8('a' = 1, 'b' = -2),
    `z` DateTime MATERIALIZED now(),
    INDEX i n TYPE minmax GRANULARITY 4
)
ENGINE = ReplicatedMergeTree('/clickhouse/{shard}', '{replica}')
PARTITION BY toYYYYMM(d)
ORDER BY (id, s)
SAMPLE BY id
TTL toDateTime(d) + INTERVAL 1 MONTH
SETTINGS index_granularity = 8192, storage_policy = 'x'
COMMENT 'y';

CREATE TABLE m (a Int32, b Nullable(String)) ENGINE = Memory;

CREATE TABLE plain (a Int32 NULL, b String DEFAULT 'EU', c Array(Tuple(x Int32, y String)), d Map(String, UInt64)) ENGINE = MergeTree ORDER BY tuple();

CREATE TABLE repl (k UInt32, v Nullable(Decimal(10, 2)), ver UInt64) ENGINE = ReplacingMergeTree(ver) PRIMARY KEY k ORDER BY k;

CREATE TABLE agg (k Date, s AggregateFunction(sum, UInt64), t SimpleAggregateFunction(max, DateTime), w Nullable(UUID) COMMENT 'who') ENGINE = AggregatingMergeTree() ORDER BY k;

CREATE TABLE logs (ts DateTime, line String TTL ts + INTERVAL 7 DAY, up UInt8 ALIAS length(line) > 3, n Nullable(Float64)) ENGINE = Log;

CREATE TEMPORARY TABLE tmp (a FixedString(16), b Nullable(IPv4), c Bool);

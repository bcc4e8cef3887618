CREATE TABLE `orders` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(45) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci DEFAULT NULL COMMENT 'who, what',
  `noted` timestamp NULL DEFAULT NULL,
  `changed` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  `kind` enum('a','b') DEFAULT 'a',
  `weight` double,
  PRIMARY KEY (`id`),
  UNIQUE KEY `u` (`name`(10),`kind`) USING BTREE,
  KEY `k` (`kind` DESC),
  CONSTRAINT `fk` FOREIGN KEY (`kind`) REFERENCES `kinds` (`id`) ON DELETE CASCADE ON UPDATE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=17 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci ROW_FORMAT=DYNAMIC COMMENT='x';

CREATE TABLE t1 (a int(11), b text, c datetime(6) DEFAULT NULL, d tinyint(1) DEFAULT '0') ENGINE=MyISAM DEFAULT CHARSET=latin1;

CREATE TABLE `made` (`a` int DEFAULT NULL, `b` int GENERATED ALWAYS AS ((`a` * 2)) STORED, `c` json DEFAULT NULL, KEY (`a`), FULLTEXT KEY `ft` (`d`), `d` longtext);

CREATE TEMPORARY TABLE tmp (k bigint, v decimal(10,2) unsigned zerofill);

CREATE TABLE parted (id int NOT NULL, y year DEFAULT NULL, v blob) ENGINE = InnoDB PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10) ENGINE = InnoDB, PARTITION p1 VALUES LESS THAN MAXVALUE ENGINE = InnoDB);

CREATE TABLE hashed (id int, v varchar(9)) PARTITION BY HASH (id) PARTITIONS 4;

CREATE TABLE checked (a int CHECK (a > 0), b int, CONSTRAINT `ck` CHECK ((`b` > `a`)) NOT ENFORCED);

CREATE TABLE stamps (a timestamp, b timestamp NULL, c int, d datetime DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6));

CREATE TABLE counting (n int AUTO_INCREMENT PRIMARY KEY, v varchar(3), w set('x','y'), g point) AUTO_INCREMENT = 100 STATS_PERSISTENT=1;

CREATE TABLE serial (n SERIAL, v int, UNIQUE (v)) KEY_BLOCK_SIZE=8;

CREATE TABLE refs (a int REFERENCES t1 (a), b char(36) DEFAULT (uuid()), INDEX ib (b), c int INVISIBLE) COMMENT='it''s';

CREATE TABLE IF NOT EXISTS db.keyed (a int NOT NULL, b varchar(20) NOT NULL DEFAULT '', c mediumtext, PRIMARY KEY (a, b), KEY kc (c(20)) COMMENT 'long');

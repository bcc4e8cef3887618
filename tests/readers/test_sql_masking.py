"""Secrets in texts of SQL: masked before a text is kept, shown or logged, and every place stays."""

from __future__ import annotations

import logging
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdw import Warehouse, scan_sql
from mdw.cli import run
from mdw.readers.sql.masking import SHAPED, STEMLESS, STEMS, TELLTALES, masked

SECRET = "Geheim7Wort"
KEY = "AKIAQ3EGTP5XJRWNZB7M"
# Statements with one secret or more each, and the dialect they are of.
PLANTED = [
    ("CREATE USER bob PASSWORD '{}'", "postgres"),
    ("ALTER ROLE bob WITH ENCRYPTED PASSWORD '{}' VALID UNTIL 'infinity'", "postgres"),
    ("CREATE USER MAPPING FOR u SERVER s OPTIONS (user 'u', password '{}')", "postgres"),
    ("ALTER USER MAPPING FOR u SERVER s OPTIONS (SET password '{}')", "postgres"),
    ("CREATE SUBSCRIPTION s CONNECTION 'host=h password={}' PUBLICATION p", "postgres"),
    ("CREATE VIEW v AS SELECT a FROM dblink('host=h user=u password={}', 'select 1') AS t(a int)", "postgres"),
    ("CREATE VIEW v AS SELECT a FROM dblink('host=h password=''{} {}''', 'select 1') AS t(a int)", "postgres"),
    ("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $x$ SELECT dblink('password={}') -- token: {}\n$x$", "postgres"),
    ("CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS 'BEGIN CREATE USER q PASSWORD ''{}''; END'", "postgres"),
    ("DO $$ BEGIN EXECUTE 'CREATE USER x PASSWORD ''{}'''; END $$", "postgres"),
    ("COPY t FROM 's3://b' CREDENTIALS 'aws_access_key_id=Q;aws_secret_access_key={}'", "redshift"),
    ("COPY t FROM 's3://b' ACCESS_KEY_ID 'abc' SECRET_ACCESS_KEY '{}' SESSION_TOKEN '{}'", "redshift"),
    ("UNLOAD ('SELECT a FROM t') TO 's3://b' CREDENTIALS 'x={}'", "redshift"),
    ("COPY INTO t FROM @s CREDENTIALS = (AWS_KEY_ID = '{}' AWS_SECRET_KEY = '{}')", "snowflake"),
    ("CREATE STAGE s URL = 'azure://a' CREDENTIALS = (AZURE_SAS_TOKEN = '?sv=1&sig={}') ", "snowflake"),
    ("ALTER USER bob SET PASSWORD = '{}'", "snowflake"),
    ("CREATE SECRET s (TYPE s3, KEY_ID '{}', SECRET '{}')", "duckdb"),
    ("ATTACH 'postgres://u:{}@h/d' AS p", "duckdb"),
    ("ALTER USER bob IDENTIFIED BY {} REPLACE \"{}\"", "oracle"),
    ("CREATE USER bob IDENTIFIED BY VALUES 'S:{}'", "oracle"),
    ("GRANT CONNECT TO bob IDENTIFIED BY {}", "oracle"),
    ("CREATE DATABASE LINK l CONNECT TO u IDENTIFIED BY \"{}\" USING 'tns'", "oracle"),
    ("CONNECT scott/{}@orcl\n", "oracle"),
    ("CREATE USER 'a'@'%' IDENTIFIED WITH mysql_native_password BY '{}'", "mysql"),
    ("SET PASSWORD FOR 'a'@'%' = PASSWORD('{}')", "mysql"),
    ("SET PASSWORD FOR a = '{}'", "mysql"),
    ("CREATE LOGIN l WITH PASSWORD = N'{}' MUST_CHANGE, CHECK_POLICY = ON", "tsql"),
    ("OPEN SYMMETRIC KEY k DECRYPTION BY PASSWORD = '{}'", "tsql"),
    ("CREATE DATABASE SCOPED CREDENTIAL c WITH IDENTITY = 'S3', SECRET = '{}'", "tsql"),
    ("EXEC sp_addlinkedsrvlogin @rmtsrvname = 'x', @rmtpassword = '{}'", "tsql"),
    ("SELECT a FROM OPENROWSET('SQLNCLI', 'srv'; 'sa'; '{}', 'select 1') AS x", "tsql"),
    ("SELECT a FROM OPENDATASOURCE('SQLNCLI', 'Data Source=s;User ID=u;Password={}').d.s.t", "tsql"),
    ("CREATE USER d FROM x AS PERM = 1 PASSWORD = {} SPOOL = 2", "teradata"),
    (".LOGON prod/me,{}\n", "teradata"),
    ("CONNECT TO d USER u USING {}", "ansi"),
    ("SELECT 'https://a.blob.core/x?sv=1&sig={}&se=2' AS u", "ansi"),
    ("SELECT 'https://b.s3/x?X-Amz-Credential={}&X-Amz-Signature={}' AS u", "ansi"),
    ("SELECT '{{\"user\": \"u\", \"password\": \"{}\"}}' AS settings", "ansi"),
    ("SELECT 1 AS a -- password: {}", "ansi"),
    ("COMMENT ON TABLE a.t IS 'password: {}'", "postgres"),
    ("CREATE TABLE t (a INT COMMENT 'token: {}') COMMENT = 'secret: {}'", "snowflake"),
    ("SELECT it's broken\nCREATE USER x IDENTIFIED BY {};\nCREATE USER y PASSWORD '{}'", "postgres"),
    (f"SELECT '{KEY}' AS k -- {KEY}", "ansi"),
    ("-- -----BEGIN RSA PRIVATE KEY-----\n-- {}\n-- -----END RSA PRIVATE KEY-----\nSELECT 1 AS a", "ansi"),
]  # fmt: skip
UNTOUCHED = [
    ("SELECT a.token, b.secret FROM a JOIN b ON a.token = b.token WHERE a.password = 'ABC'", "postgres"),
    ("UPDATE u SET password = s.password, token = 'A' FROM s", "postgres"),
    ("COPY (SELECT a FROM t WHERE token = 'A') TO 's3://b'", "redshift"),
    ("CREATE TABLE users (password VARCHAR(20) DEFAULT 'none', token TEXT)", "postgres"),
    ("SELECT 1 FROM dual CONNECT BY prior a = b", "oracle"),
    ("SELECT a FROM t WHERE region = 'ASIA' AND url LIKE '%password=%'", "ansi"),
    ("CREATE USER a PASSWORD NULL; SELECT 'A' AS secret", "postgres"),
]
# What texts of secrets are made of, in any order.
PIECES_WORDS = """
    CREATE USER ALTER COPY IDENTIFIED BY PASSWORD password= token: SECRET WITH OPTIONS SELECT COMMENT OPENROWSET CONNECT
    u/p@h .LOGON -- /* */ $$ $x$ ' " ( ) , ; = @ : '' 'x' s3://a:b@c ?sig=abc GO SET FOR USING REPLACE { [ ] `
"""
PIECES = [*PIECES_WORDS.split(), " ", " ", "\n"]
DIALECTS = ["ansi", "postgres", "tsql", "oracle", "mysql", "snowflake", "bigquery", "duckdb", "teradata"]


def planted(template: str) -> str:
    return template.format(*[SECRET] * 3)


@pytest.mark.parametrize(("template", "dialect"), PLANTED)
def test_a_secret_is_masked_and_every_place_stays(template: str, dialect: str) -> None:
    text = planted(template)
    found = masked(text, dialect)
    assert SECRET not in found and KEY not in found
    assert len(found) == len(text) and [len(line) for line in found.split("\n")] == list(map(len, text.split("\n")))
    assert masked(found, dialect) == found


@pytest.mark.parametrize(("text", "dialect"), UNTOUCHED)
def test_what_is_no_secret_stays(text: str, dialect: str) -> None:
    assert masked(text, dialect) == text


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=25).map("".join), st.sampled_from(DIALECTS))
def test_whatever_the_text_its_places_stay(text: str, dialect: str) -> None:
    found = masked(text, dialect)
    assert [len(line) for line in found.split("\n")] == [len(line) for line in text.split("\n")]
    assert all(one == other or one == "x" for one, other in zip(found, text, strict=True))


def test_no_secret_is_kept_shown_or_logged(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of each in files of a folder: looked for in the store, the index, the answers, the output and the log."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.chdir(tmp_path)
    Path("etl").mkdir()
    for number, (template, dialect) in enumerate(PLANTED):
        # One that parses, one that does not: its line is told.
        text = f"{planted(template)};\nCREATE VIEW w{number} AS SELECT a FROM t;\n"
        Path("etl", f"{number}.{dialect}.sql").write_text(text, encoding="utf-8")
        Path("etl", f"{number}b.{dialect}.sql").write_text(f"{planted(template)}; SELECT );\n", encoding="utf-8")
    run(["load", "etl", "--store", "s"])
    run(["load", "etl", "--store", "s", "--format", "json"])
    run(["report", "--store", "s"])
    run(["report", "--store", "s", "--format", "json"])
    run(["search", SECRET, "--store", "s"])
    shown = "".join(capfd.readouterr()).replace(f"nothing found for {SECRET}", "")
    with Warehouse("s", create=False) as warehouse:
        warehouse.export("nquads", tmp_path / "all.nq")
    kept = b"".join(path.read_bytes() for path in (*Path("s").rglob("*"), tmp_path / "all.nq") if path.is_file())
    for one in (SECRET, KEY):
        assert one.lower().encode() not in kept.lower()
        assert one not in caplog.text
        assert [line for line in shown.splitlines() if one in line] == []


def test_what_a_text_says_in_python_is_masked() -> None:
    scan = scan_sql(f"CREATE USER bob PASSWORD '{SECRET}'", dialect="postgres")
    assert SECRET not in str(scan) + repr(scan.statements)


def test_what_tells_a_secret_has_one_of_the_letters_looked_for_first() -> None:
    assert all(any(stem in word for stem in STEMS) for word in TELLTALES)
    assert set(STEMLESS) < set(SHAPED)


def test_looking_for_secrets_takes_no_time_where_there_are_none() -> None:
    text = "SELECT a, b FROM t JOIN u ON t.customer_key = u.customer_key WHERE x = 'abc';\n" * 20_000
    start = process_time()
    masked(text, "postgres")
    assert process_time() - start < 0.5

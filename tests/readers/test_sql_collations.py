"""How texts compare (Q35): equal as stored, apart by their skeletons, else by collation, type, mdw.toml, dialect.

What SQLite and DuckDB do by a collation is executed; of other databases their rules are asked.
"""

from __future__ import annotations

import random
import sqlite3
import unicodedata
from itertools import combinations
from pathlib import Path

import pytest
from empty_database import empty_database

from mdw import Warehouse
from mdw.conditions.spellings import alike, skeleton

FILLED = "INSERT INTO kept (n, code) SELECT n, '{text}' FROM raw_rows;"
READ = "CREATE VIEW found AS SELECT n FROM kept WHERE {test};"


def asked(folder: Path, script: str, dialect: str, toml: str = "") -> tuple[bool, bool]:
    """Whether FOUND.N comes from RAW_ROWS, and whether that is decided."""
    (folder / "script.sql").write_text(script, encoding="utf-8")
    if toml:
        (folder / "mdw.toml").write_text(toml)
    with Warehouse() as warehouse:
        warehouse.load(folder, dialect=dialect)
        answer = warehouse.lineage("found.n")
        shown = " ".join(f"{end.condition} {end.sql}" for end in answer.golden)
        assert not any(mark in f"{shown} {answer}" for mark in ("COLLATE", "FOLDED", "UNCASED"))
        return bool(answer.golden), not answer.undecided


def written(folder: Path, dialect: str, column: str, text: str, test: str, toml: str = "") -> tuple[bool, bool]:
    """The same of a text that is written to a column, and a test that reads it."""
    go = "\nGO\n" if dialect == "tsql" else "\n"
    made = column if column.startswith("CREATE") else f"CREATE TABLE kept (n INT, code {column});"
    return asked(folder, go.join((made, FILLED.format(text=text), READ.format(test=test))), dialect, toml)


SURE, APART, OPEN = (True, True), (False, True), (True, False)
KEPT = [SURE, OPEN]

# -- what is sure whatever the collation -----------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["tsql", "mysql", "teradata", "postgres", "snowflake", "fabric"])
@pytest.mark.parametrize(
    "test", ["code = 'DE-BY'", "code IN ('DE-BY', 'FR')", "code LIKE 'DE%'", "NOT code <> 'DE-BY'"]
)
def test_the_same_text_is_equal_to_itself(tmp_path: Path, dialect: str, test: str) -> None:
    assert written(tmp_path, dialect, "VARCHAR(9)", "DE-BY", test) == SURE


@pytest.mark.parametrize("dialect", ["tsql", "mysql", "teradata"])
@pytest.mark.parametrize(
    "test",
    ["code = 'FR'", "code IN ('FR', 'Besançon')", "code LIKE 'FR%'", "code <> 'DE-BY'", "code = 'FR' OR code = ''"],
)
def test_texts_whose_skeletons_cannot_meet_are_apart(tmp_path: Path, dialect: str, test: str) -> None:
    assert written(tmp_path, dialect, "VARCHAR(9)", "DE-BY", test) == APART


@pytest.mark.parametrize("dialect", ["tsql", "mysql", "teradata"])
@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("de", "code = 'DE'"),
        ("Größe", "code = 'Groesse'"),
        ("item-07", "code = 'item7'"),
        ("Wien", "code LIKE 'wi%'"),
        ("de", "code <> 'DE'"),
        ("a", "code < 'B'"),
    ],
)
def test_between_the_two_nobody_knows_and_the_answer_says_what_would_tell(
    tmp_path: Path, dialect: str, text: str, test: str
) -> None:
    assert written(tmp_path, dialect, "VARCHAR(9)", text, test) == OPEN
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect=dialect)
        (end,) = warehouse.lineage("found.n").golden
        assert any("collation" in one and "mdw.toml" in one for one in end.readable.open)


def test_a_filter_twice_is_no_doubt_and_shown_plainly(tmp_path: Path) -> None:
    script = "CREATE VIEW some AS SELECT n, code FROM raw_rows WHERE code = 'EU';\nGO\n"
    assert asked(tmp_path, script + "CREATE VIEW found AS SELECT n FROM some WHERE code = 'EU'", "tsql") == SURE
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="tsql")
        (end,) = warehouse.lineage("found.n").golden
        assert (end.condition, end.sql, end.exact) == ('RAW_ROWS.CODE = "EU"', "RAW_ROWS.CODE = 'EU'", True) or (
            end.condition == 'CODE = "EU"' and end.exact
        )


# -- what a collation tells ------------------------------------------------------------------------------------------

COLUMNS = [
    ("sqlite", "TEXT COLLATE NOCASE", SURE),
    ("sqlite", "TEXT COLLATE BINARY", APART),
    ("sqlite", "TEXT", APART),
    ("duckdb", "VARCHAR COLLATE NOCASE", SURE),
    ("duckdb", "VARCHAR", APART),
    ("postgres", "CITEXT", SURE),
    ("postgres", 'TEXT COLLATE "de-x-icu"', APART),
    ("postgres", 'TEXT COLLATE "any_case"', OPEN),
    ("tsql", "NVARCHAR(9) COLLATE Latin1_General_100_BIN2", APART),
    ("tsql", "NVARCHAR(9) COLLATE Latin1_General_CI_AS", SURE),
    ("tsql", "NVARCHAR(9) COLLATE Latin1_General_CS_AS", OPEN),
    ("tsql", "NVARCHAR(9)", OPEN),
    ("mysql", "VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin", APART),
    ("mysql", "VARCHAR(9) COLLATE utf8mb4_0900_ai_ci", SURE),
    ("mysql", "CREATE TABLE kept (n INT, code VARCHAR(9)) COLLATE=utf8mb4_bin;", APART),
    ("mysql", "CREATE TABLE kept (n INT, code VARCHAR(9));", OPEN),
    ("snowflake", "VARCHAR COLLATE 'de-ci'", SURE),
    ("snowflake", "VARCHAR", APART),
    ("bigquery", "STRING COLLATE 'und:ci'", SURE),
    ("bigquery", "CREATE TABLE kept (n INT64, code STRING) DEFAULT COLLATE 'und:ci';", SURE),
    ("bigquery", "CREATE SCHEMA x DEFAULT COLLATE 'und:ci';\nCREATE TABLE kept (n INT64, code STRING);", OPEN),
    ("databricks", "STRING COLLATE UTF8_LCASE", SURE),
    ("oracle", "VARCHAR2(9) COLLATE BINARY_CI", SURE),
    ("oracle", "CREATE TABLE kept (n INT, code VARCHAR2(9));\nALTER SESSION SET NLS_SORT = BINARY_CI;", OPEN),
    ("oracle", "VARCHAR2(9)", APART),
    ("snowflake", "CREATE TABLE kept (n INT);\nALTER TABLE kept ADD COLUMN code VARCHAR COLLATE 'en-ci';", SURE),
    ("postgres", 'CREATE DOMAIN word AS TEXT COLLATE "ours";\nCREATE TABLE kept (n INT, code word);', OPEN),
    ("duckdb", "SET default_collation = 'nocase';\nCREATE TABLE kept (n INT, code VARCHAR);", OPEN),
]


@pytest.mark.parametrize(("dialect", "column", "verdict"), COLUMNS)
def test_columns_compare_by_what_is_declared(
    tmp_path: Path, dialect: str, column: str, verdict: tuple[bool, bool]
) -> None:
    assert written(tmp_path, dialect, column, "lyon", "code = 'LYON'") == verdict
    # The other way round: of what is surely equal nothing is unequal.
    other = {SURE: APART, APART: SURE, OPEN: OPEN}[verdict]
    assert written(tmp_path, dialect, column, "lyon", "code <> 'LYON'") == other


EXPRESSIONS = [
    ("sqlite", "code COLLATE NOCASE = 'LYON'", SURE),
    ("duckdb", "code COLLATE NOCASE = 'LYON'", SURE),
    ("postgres", "code COLLATE \"C\" < 'M'", APART),
    ("postgres", "code < 'M'", OPEN),
    ("postgres", "code BETWEEN 'A' AND 'M'", OPEN),
    ("tsql", "code = 'LYON' COLLATE Latin1_General_BIN", APART),
    ("snowflake", "COLLATE(code, 'en-ci') = 'LYON'", SURE),
    ("snowflake", "code < 'M'", APART),
    ("bigquery", "COLLATE(code, 'und:ci') IN ('LYON', 'NICE')", SURE),
    ("mysql", "code COLLATE utf8mb4_bin = 'LYON'", APART),
]


@pytest.mark.parametrize(("dialect", "test", "verdict"), EXPRESSIONS)
def test_expressions_compare_by_their_collate(
    tmp_path: Path, dialect: str, test: str, verdict: tuple[bool, bool]
) -> None:
    assert written(tmp_path, dialect, "VARCHAR(9)", "lyon", test) == verdict


@pytest.mark.parametrize(("told", "verdict"), [("binary", APART), ("SQL_Latin1_General_CP1_CI_AS", SURE), ("", OPEN)])
@pytest.mark.parametrize("dialect", ["tsql", "mysql"])
def test_mdw_toml_tells_the_collation(tmp_path: Path, dialect: str, told: str, verdict: tuple[bool, bool]) -> None:
    toml = f'collation = "{told}"\n' if told else ""
    assert written(tmp_path, dialect, "VARCHAR(9)", "lyon", "code = 'LYON'", toml) == verdict


def test_mdw_toml_refuses_what_is_no_collation(tmp_path: Path) -> None:
    (tmp_path / "mdw.toml").write_text('dialect = "tsql"\ncollation = "bynary"\n')
    (tmp_path / "a.sql").write_text("SELECT 1;")
    with Warehouse() as warehouse:
        (error,) = warehouse.load(tmp_path).errors
        assert error.message.startswith("no collation is called bynary")
        assert error.location is not None
        assert error.location.line == 2


def test_an_export_tells_collations(tmp_path: Path) -> None:
    (tmp_path / "columns.csv").write_text(
        "table_name,column_name,data_type,collation_name\nkept,n,int,\nkept,code,varchar,Latin1_General_BIN2\n"
    )
    script = FILLED.format(text="lyon") + "\nGO\n" + READ.format(test="code = 'LYON'")
    assert asked(tmp_path, script, "tsql") == APART


def test_a_view_and_a_table_made_of_a_query_keep_the_collation(tmp_path: Path) -> None:
    script = """CREATE TABLE kept (n INT, code VARCHAR COLLATE NOCASE); INSERT INTO kept SELECT n, 'lyon' FROM raw_rows;
    CREATE VIEW seen AS SELECT n, code AS c FROM kept; CREATE TABLE copy AS SELECT * FROM seen;
    CREATE VIEW found AS SELECT n FROM (SELECT n, c FROM copy) AS x WHERE c = 'LYON'"""
    assert asked(tmp_path, script, "duckdb") == SURE


# -- order -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["postgres", "tsql", "mysql"])
@pytest.mark.parametrize(
    ("text", "test", "verdict"),
    [
        ("2024-01-31", "code < '2024-02-01'", SURE),
        ("2024-03-31", "code < '2024-02-01'", APART),
        ("10", "code BETWEEN '05' AND '20'", SURE),
        ("none", "code < '2024-02-01'", OPEN),
        ("B", "code >= 'B'", SURE),
        ("B", "code > 'B'", APART),
    ],
)
def test_of_order_only_digits_and_the_same_text_are_sure(
    tmp_path: Path, dialect: str, text: str, test: str, verdict: tuple[bool, bool]
) -> None:
    assert written(tmp_path, dialect, "VARCHAR(12)", text, test) == verdict


def test_columns_of_numbers_and_days_are_ordered_as_such(tmp_path: Path) -> None:
    script = "CREATE VIEW found AS SELECT n FROM raw_rows WHERE k < 5 AND k > 7 AND code = 'x'"
    assert asked(tmp_path, script, "postgres") == APART
    script = "CREATE VIEW found AS SELECT r.n FROM raw_rows r JOIN d ON r.a < d.b WHERE r.a = 5 AND d.b = 3"
    assert asked(tmp_path, script, "postgres") == APART


# -- types -----------------------------------------------------------------------------------------------------------

UUID = "0d6f1f5e-7a55-4e0b-9a3b-2f6d1c0e9a77"
TYPED = [
    ("tsql", "BIT", "true", "code = 1", SURE),
    ("tsql", "BIT", "False", "code = 1", APART),
    ("tsql", "BIT", "1", "code = 'TRUE'", SURE),
    ("postgres", "BOOLEAN", "yes", "code", SURE),
    ("postgres", "BOOLEAN", "off", "code = TRUE", APART),
    ("snowflake", "BOOLEAN", "t", "code = 'true'", SURE),
    ("postgres", "UUID", UUID, f"code = '{UUID.upper()}'", SURE),
    ("postgres", "UUID", UUID, f"code = '{{{UUID}}}'", SURE),
    ("postgres", "UUID", UUID, f"code = '{UUID.replace('7', '8')}'", APART),
    ("tsql", "UNIQUEIDENTIFIER", UUID, f"code = '{UUID.upper()}'", SURE),
]


@pytest.mark.parametrize(("dialect", "type_", "text", "test", "verdict"), TYPED)
def test_literals_take_the_type_of_the_column(
    tmp_path: Path, dialect: str, type_: str, text: str, test: str, verdict: tuple[bool, bool]
) -> None:
    assert written(tmp_path, dialect, type_, text, test) == verdict


@pytest.mark.parametrize(
    ("dialect", "text", "test"),
    [
        ("postgres", UUID, f"code = '{UUID.upper()}'"),
        ("duckdb", UUID, f"code = '{UUID.upper()}'"),
        ("tsql", "true", "code = 1"),
    ],
)
def test_of_a_type_that_nobody_told_unlike_spellings_are_kept(
    tmp_path: Path, dialect: str, text: str, test: str
) -> None:
    script = FILLED.format(text=text) + ("\nGO\n" if dialect == "tsql" else "\n") + READ.format(test=test)
    assert asked(tmp_path, script, dialect)[0]


# -- rows of databases -----------------------------------------------------------------------------------------------

ROWS = [(number, text) for number, text in enumerate([None, "eu", "EU", "Eu", "us", "US", "", "e", "f", "B", "a"])]
TABLES = "CREATE TABLE s (n INT, c {loose}); CREATE TABLE p (n INT, c {plain}); "
WAYS = [
    "CREATE VIEW found AS SELECT n FROM s WHERE c = 'EU'",
    "CREATE VIEW found AS SELECT n FROM s WHERE c <> 'EU' AND c IN ('eu', 'us')",
    "CREATE VIEW found AS SELECT n FROM s WHERE c IN ('EU', 'US') AND c <> 'us'",
    "CREATE VIEW found AS SELECT n FROM s WHERE NOT (c = 'EU' OR c = 'US') AND c >= 'a' AND c < 'C'",
    "INSERT INTO p SELECT n, c FROM s WHERE c = 'EU'; CREATE VIEW found AS SELECT n FROM p WHERE c = 'eu'",
    "INSERT INTO p SELECT n, c FROM s WHERE c = 'EU'; CREATE VIEW found AS SELECT n FROM p WHERE c NOT IN ('eu', 'EU')",
    "INSERT INTO p SELECT n, c || '!' FROM s WHERE c = 'EU'; CREATE VIEW found AS SELECT n FROM p WHERE c = 'eu!'",
    "INSERT INTO p SELECT n, UPPER(c) FROM s WHERE c = 'eu'; CREATE VIEW found AS SELECT n FROM p WHERE c = 'EU'",
    "INSERT INTO p SELECT n, c FROM s WHERE c = 'EU'; CREATE VIEW found AS SELECT n FROM p WHERE c = 'us'",
    "INSERT INTO p SELECT n, 'US' FROM s WHERE c = 'us'; CREATE VIEW found AS SELECT n FROM p WHERE c = 'us'",
    "INSERT INTO p SELECT n, CASE c WHEN 'EU' THEN 'in' ELSE 'out' END FROM s WHERE c = 'eu'; "
    "CREATE VIEW found AS SELECT n FROM p WHERE c = 'out'",
    "INSERT INTO p VALUES (1, 'EU'); CREATE VIEW found AS SELECT s.n FROM s JOIN p ON s.c = p.c WHERE s.c <> 'f'",
    "INSERT INTO p VALUES (1, 'EU'); CREATE VIEW found AS SELECT n FROM s WHERE c IN (SELECT c FROM p)",
    "CREATE VIEW found AS SELECT a.n FROM s a JOIN s b ON a.c = b.c WHERE a.c = 'EU' AND b.c = 'us'",
    "CREATE VIEW found AS SELECT MAX(n) AS n FROM s GROUP BY c HAVING c = 'EU'",
    "CREATE VIEW found AS SELECT n FROM s WHERE c = 'EU' AND c = 'US'",
    "CREATE VIEW found AS SELECT n FROM s WHERE c > 'EU' AND c <= 'eu'",
]


def sqlite_rows(script: str) -> set[object]:
    database = sqlite3.connect(":memory:")
    tables, ways = script.split("; ", 2)[:2], script.split("; ", 2)[2]
    for table in tables:
        database.execute(table)
    database.executemany("INSERT INTO s VALUES (?, ?)", ROWS)
    database.executescript(ways)
    return {row[0] for row in database.execute("SELECT n FROM found")}


def duckdb_rows(script: str) -> set[object]:
    with empty_database() as database:
        tables, ways = script.split("; ", 2)[:2], script.split("; ", 2)[2]
        for table in tables:
            database.execute(table)
        for row in ROWS:
            database.execute("INSERT INTO s VALUES (?, ?)", row)
        database.execute(ways)
        return {row[0] for row in database.execute("SELECT n FROM found").fetchall()}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("dialect", "run", "plain", "loose"),
    [
        ("sqlite", sqlite_rows, "TEXT", "TEXT COLLATE NOCASE"),
        ("duckdb", duckdb_rows, "VARCHAR", "VARCHAR COLLATE NOCASE"),
    ],
)
@pytest.mark.parametrize("collated", [True, False])
def test_what_arrives_is_kept_and_what_is_decided_does_not(
    tmp_path: Path, dialect: str, run: object, plain: str, loose: str, way: str, collated: bool
) -> None:
    """Q35: executed; a value that passed a test by a collation is not bound to the spelling of the constant."""
    script = TABLES.format(loose=loose if collated else plain, plain=plain) + way
    arrived = run(script) - {None}  # type: ignore[operator]
    (tmp_path / "script.sql").write_text(script)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect=dialect).raise_for_errors()
        answer = warehouse.lineage("found.n")
        kept = "S.N" in [end.attribute for end in answer.golden]
        assert kept or not arrived
        assert arrived or not kept or answer.undecided or " < " in way or " > " in way or "UPPER" in way


@pytest.mark.parametrize("dialect", ["tsql", "mysql"])
@pytest.mark.parametrize("way", WAYS)
def test_what_arrives_under_any_collation_is_kept_where_none_is_told(tmp_path: Path, dialect: str, way: str) -> None:
    arrived = set[object]().union(
        *(sqlite_rows(TABLES.format(loose=one, plain=one) + way) for one in ("TEXT", "TEXT COLLATE NOCASE"))
    )
    script = TABLES.format(loose="VARCHAR(9)", plain="VARCHAR(9)") + way
    (tmp_path / "script.sql").write_text(script)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect=dialect)
        assert [end.attribute for end in warehouse.lineage("found.n").golden] or not arrived - {None}


# -- laws ------------------------------------------------------------------------------------------------------------

SPELT = [
    "Straße",
    "CAFÉ",
    "a-01",
    "Ǆ",
    "ﬁn",
    "naïve",
    "x²",
    "Łódź",
    "Iy",
    "Kaese",
    "vw",
    "DE 007",
    "\uff57eb",
    "Ænima",
    "Åse",
]
SAID = {"ß": "ss", "é": "e", "ï": "i", "Ł": "L", "ó": "o", "ź": "z", "Æ": "Ae", "Å": "Aa", "²": "2"}


def respelled(text: str, chance: random.Random) -> str:
    """The text as some collation takes it for the same."""
    found = chance.choice((text, text.upper(), text.lower(), unicodedata.normalize("NFKD", text), text.casefold()))
    for letter, letters in SAID.items():
        found = found.replace(letter, letters) if chance.random() < 0.5 else found
    found = found.replace("y", "i").replace("v", "w") if chance.random() < 0.3 else found
    return "".join(one + chance.choice(("", "", "", "-", " ", "_")) for one in found) + chance.choice(("", " "))


def test_no_spelling_of_a_text_is_surely_another() -> None:
    chance = random.Random(35)
    for _ in range(1_500):
        text = chance.choice(SPELT)
        one, other = respelled(text, chance), respelled(text, chance)
        assert alike(one, other, "") is not False, (one, other, skeleton(one), skeleton(other))


CODES = """
    AT BE CH CZ DE DK ES FI FR GB GR HU IE IT LU NL NO PL PT SE US CA BR JP CN EMEA APAC LATAM NORTH SOUTH EAST WEST
    OPEN CLOSED PENDING SHIPPED CANCELLED NEW PAID REFUNDED ACTIVE INACTIVE M F D Y N A B C X1 X2 2023-Q1 2023-Q2
    Austria Germany France Spain Portugal Österreich Türkei Côte-d-Ivoire São-Tomé Curaçao Schweden Norwegen Dänemark
    01 02 10 0815 4711 EUR USD GBP CHF gold silver bronze email phone letter
"""


def test_codes_and_names_are_nearly_all_apart() -> None:
    chance = random.Random(35)
    pairs = chance.sample([*combinations(CODES.split(), 2)], 200)
    assert sum(alike(one, other, "") is False for one, other in pairs) >= 195
    # Of those that no collation could take for one another all.
    assert all(alike(one, other, "") is False for one, other in pairs if (one + other).isascii())


@pytest.mark.parametrize(
    ("dialect", "type_", "written", "test"),
    [
        ("duckdb", "INTERVAL", "'24:00:00'", "c = '1 day'"),
        ("duckdb", "TIME", "'12:00'", "c = '12:00:00'"),
        ("postgres", "INET", "'10.0.0.1/32'", "c = '10.0.0.1'"),
        ("postgres", "JSONB", "'[1, 2]'", "c IN ('[1,2]', '[]')"),
        ("postgres", "TIMESTAMPTZ", "'2020-01-01 00:00+00'", "c = '2020-01-01 01:00+01'"),
        ("mysql", "SET('a', 'b')", "'b,a'", "c = 'a,b'"),
        ("tsql", "DATETIME", "'2020-01-01 00:00:00.001'", "c = '2020-01-01'"),
        ("tsql", "MONEY", "'1.00005'", "c = 1.0001"),
    ],
)
def test_q35_a_value_with_several_spellings_may_be_met_by_another(
    dialect: str, type_: str, written: str, test: str, tmp_path: Path
) -> None:
    assert sources(tmp_path, dialect, type_, written, test) == {"SRC.Q"}


def test_q35_days_and_seconds_spelled_alike_are_told_apart(tmp_path: Path) -> None:
    for name, written, test in (
        ("a", "'2020-01-01'", "c = '2020-01-02'"),
        ("b", "'2020-01-01 10:00:00'", "c < '2020-01-01 09:00:00'"),
    ):
        (tmp_path / name).mkdir()
        assert sources(tmp_path / name, "postgres", "TIMESTAMP", written, test) == set()


def sources(folder: Path, dialect: str, type_: str, written: str, test: str) -> set[str]:
    """The golden sources of O.Q behind a column of a type."""
    lines = (f"CREATE TABLE stg (q INT, c {type_});", f"INSERT INTO stg (q, c) SELECT q, {written} FROM src;")
    (folder / "a.sql").write_text(
        "\n".join(
            (
                *lines,
                f"SELECT q INTO o FROM stg WHERE {test};"
                if dialect == "tsql"
                else f"CREATE VIEW o AS SELECT q FROM stg WHERE {test};",
            )
        )
    )
    with Warehouse() as warehouse:
        warehouse.load(folder, dialect=dialect).raise_for_errors()
        return {end.attribute for end in warehouse.lineage("o.q").golden}


@pytest.mark.parametrize(("collation", "found"), [("utf8_lcase", SURE), ("utf8_binary", APART)])
def test_a_table_of_databricks_tells_the_collation_of_its_columns(
    collation: str, found: tuple[bool, bool], tmp_path: Path
) -> None:
    made = f"CREATE TABLE kept (n INT, code STRING) USING delta DEFAULT COLLATION {collation};"
    assert written(tmp_path, "databricks", made, "EU", "code = 'eu'") == found

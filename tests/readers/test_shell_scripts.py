"""Shell scripts of a folder: what clients of databases are given is read as SQL, whatever stands around it is not."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from mdw import Warehouse, scan_sql
from mdw.readers.sql.programs.shells import documents

SECRETS = r"""#!/bin/sh
export PGPASSWORD=geheim
DB_PW='geheim'
sqlplus -s scott/geheim@db <<EOF
INSERT INTO t (a) SELECT a FROM s;
EOF
mysql -u root -pgeheim -e "INSERT INTO u (a) SELEC a FROM s"
curl -u admin:geheim https://h && sqlcmd -U sa -P geheim -Q "INSERT INTO v (a) SELECT a FROM s"
bteq <<EOF
.LOGON td/etl,geheim
EOF
"""
NIGHTLY = r"""#!/bin/ksh
# don't run by day
if [ -z "$1" ]; then echo "usage: select a region"; exit 1; fi
bteq <<EOF > /log/sales.log 2>&1
.LOGON td/etl,secret;
DATABASE dw;
INSERT INTO sales (amount) SELECT amount FROM stg_sales WHERE region = '${1}';
.IF ERRORCODE <> 0 THEN .QUIT 1
EOF
mail -s "insert failed" ops < /log/sales.log
cat <<TEXT
Don't select anything of this
TEXT
bteq << EOF
INSERT INTO rest (amount) SELECT amount FROM stg_rest;
EOF
"""
CALLED = r"""set -e
LATE="INSERT OVERWRITE TABLE mart.daily SELECT SUM(\`amount\`) AS total
FROM raw.sales WHERE note <> \"x\""
$HIVE_HOME/bin/hive --hiveconf a=b -e "$LATE" || exit 1
beeline -u jdbc:hive2://h --execute="USE mart; INSERT INTO weekly SELECT total FROM daily" --silent
mysql -h db -e 'UPDATE t SET note = (SELECT MAX(u.a) FROM u WHERE u.b = '\''it'\'')' dwh
echo "DELETE FROM gone WHERE k IN (SELECT k FROM ks);" | mysql dwh
echo "select nothing"; psql -h "$H" -c "CREATE VIEW v AS SELECT a FROM s"
"""


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    (tmp_path / "nightly.ksh").write_text(NIGHTLY)
    (tmp_path / "called.hive.sh").write_text(CALLED)
    (tmp_path / "build.sh").write_text("#!/bin/bash\necho 'delete from t'; don't\n")
    loaded = Warehouse()
    report = loaded.load(tmp_path)
    report.raise_for_errors()
    assert sorted((one.file, one.dialect, one.because) for one in report.files) == [
        ("called.hive.sh", "hive", "its name"),
        ("nightly.ksh", "teradata", "bteq, line 4"),
    ]
    assert report.notes == ()
    return loaded


def test_what_clients_are_given_is_read(warehouse: Warehouse) -> None:
    made = {one.name: (one.target, one.driving, one.line) for one in warehouse.mappings()}
    assert {made[name] for name in made if "subquery" not in name} == {
        # A client's USE or DATABASE is forgotten where the next one is called.
        ("DW.SALES", "DW.STG_SALES", 7),
        ("REST", "STG_REST", 15),
        ("MART.DAILY", "RAW.SALES", 2),
        ("MART.WEEKLY", "MART.DAILY", 5),
        ("T", "T", 6),
        ("GONE", "GONE", 7),
        ("V", "S", 8),
    }


def test_what_is_escaped_for_the_shell_is_read_as_the_client_gets_it(warehouse: Warehouse) -> None:
    (end,) = warehouse.lineage("MART.DAILY.TOTAL").golden
    assert end.attribute == "RAW.SALES.AMOUNT"
    text = {one.name: warehouse.text(one.name) for one in warehouse.mappings()}
    assert 'raw.sales.note != "x"' in text["called.hive.sh:mart.daily"]
    assert any('u.b = "it"' in one for one in text.values())


@pytest.mark.parametrize("name", ["a.sh", "a.sql"])
def test_nothing_of_what_stands_around_is_kept_or_shown(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(SECRETS if name == "a.sh" else SECRETS.partition("mysql")[0])
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path, dialect="ansi")
        said = [repr(report), *map(str, report.errors), repr(warehouse.report())]
        said += [repr(warehouse.explain(f"{name}:{line}")) for line in range(1, 12 if name == "a.sh" else 7)]
        warehouse.export("nquads", stream := BytesIO())
    assert len(report.errors) == (name == "a.sh")
    assert "INSERT" in stream.getvalue().decode()
    assert "geheim" not in "".join([stream.getvalue().decode(), *said])


@pytest.mark.parametrize(
    "line", ["psql <<EOF\n", "psql << ", 'psql -c "SELECT ', "psql -c 'SELECT ", "A='SELECT 1' $A\n"]
)
def test_whatever_is_never_closed_is_passed_over_once(line: str) -> None:
    """Each of them would else be looked for to the end of the text: minutes, for what is read in a second."""
    text = "#!/bin/sh\n" + 15_001 * line
    assert list(documents(text, shell=True))[-1][1] == len(text)
    assert list(documents(text)) in ([], [(0, len(text))])


@pytest.mark.parametrize(
    ("script", "targets"),
    [
        ("#!/bin/sh\necho done\n", set()),
        ("#!/bin/sh\nwhich psql && psql --version # psql -c 'DELETE FROM t'\n", set()),
        ("#!/bin/sh\npsql -c 'INSERT INTO t SELECT a FROM s", set()),
        ("#!/bin/sh\npsql <<EOF\nINSERT INTO t SELECT a FROM s;\n", set()),
        ('#!/bin/bash\npsql -At \\\n  -c "INSERT INTO t\nSELECT a FROM s" dwh', {"t"}),
        ('#!/usr/bin/env bash\nrun() { psql -c "$SQL"; }\nexport SQL="INSERT INTO t SELECT a FROM s"\nrun', {"t"}),
        ("#!/bin/sh\ncat <<EOF | psql dwh\nINSERT INTO t SELECT a FROM s;\nEOF\n", {"t"}),
        ("#!/bin/sh\npsql <<< 'INSERT INTO t SELECT a FROM s'\n", {"t"}),
        (
            '#!/bin/sh\nPSQL="psql -h $H"\n$PSQL -c "INSERT INTO t SELECT a FROM s"\nX=psql; $X -c "DELETE FROM u"',
            {"t", "u"},
        ),
        ('#!/bin/sh\nn=$(psql -At -c "INSERT INTO t SELECT a FROM s RETURNING a")\n', {"t"}),
        ("#!/bin/sh\nN=`psql <<EOF\nINSERT INTO t SELECT a FROM s;\nEOF`\n", {"t"}),
        ("#!/bin/sh\npsql -c \"INSERT INTO t SELECT a FROM s WHERE b = \\$\\$it's\\$\\$ AND c = '\\${c}'\"", {"t"}),
        # No shell script: a text of SQL may have such words.
        ("INSERT INTO t SELECT 'psql -c \"DELETE FROM x\"' AS b, a FROM s;", {"t"}),
    ],
)
def test_a_shell_script_is_known_by_its_first_line(script: str, targets: set[str]) -> None:
    scan = scan_sql(script, dialect="postgres")
    assert {one.target for one in scan.statements if one.target} == targets
    assert {one.status for one in scan.statements} <= {"whole"}


FAR = r"""#!/bin/bash
ssh -q dbhost "psql -d dw -c \"INSERT INTO t1 (a) SELECT a FROM s1\""
sudo -u etl ssh h 'mysql dwh -e "INSERT INTO t2 (a) SELECT a FROM s2"'
echo "say psql -c \"INSERT INTO no (a) SELECT a FROM s\""
cat <<EOF > /tmp/f.sql
INSERT INTO t3 (a) SELECT a FROM s3;
EOF
cat > $WORK/g.sql << 'EOT'
INSERT INTO t4 (a) SELECT a FROM s4;
EOT
cat <<EOF > /tmp/unused.txt
INSERT INTO no (a) SELECT a FROM s;
EOF
psql -v day=1 -f /tmp/f.sql 2>&1 >> log
psql dwh < $WORK/g.sql
echo "INSERT INTO t5 (a) SELECT a FROM s5" >> /tmp/h.sql && psql -f /tmp/h.sql
"""
FILLED = r"""#!/bin/bash
bq query --use_legacy_sql=false --destination_table=my-proj:ds.t1 --replace 'SELECT a, b FROM ds.s1'
bq query --destination_table ds.t2 <<EOF
SELECT c FROM ds.s2
EOF
bq query 'SELECT d FROM ds.s3'
"""


@pytest.mark.parametrize(
    ("name", "script", "filled"),
    [
        ("far.sh", FAR, ["T1", "T2", "T3", "T4", "T5"]),
        ("filled.sh", FILLED, ["`my-proj`.DS.T1", "DS.T2"]),
    ],
)
def test_what_is_run_elsewhere_written_to_a_file_or_fills_a_table_is_read(
    tmp_path: Path, name: str, script: str, filled: list[str]
) -> None:
    (tmp_path / name).write_text(script)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path).raise_for_errors()
        told = [one for one in warehouse.report().statements if one.kind == "insert"]
        assert [(one.status, one.target) for one in told] == [("whole", target) for target in filled]

"""The script beside an answer: run as it stands, every source's example row arrives where was asked."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from reading import bank_candidates, condition, rules_of
from running import arrived
from small import Features, initial_condition, small_warehouse

from mdw import Warehouse
from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_lineage
from mdw.model.answers.answer import Lineage
from mdw.model.candidates import Candidates
from mdw.model.errors import OutputError
from mdw.render.proof import kept_sql

# Questions to the bank with their conditions.
BANK = {
    "MART.GROUP_CUSTOMER.CUSTOMER_NAME": 'MART.GROUP_CUSTOMER.REGION = "EU" AND MART.GROUP_CUSTOMER.PARTY_TYPE = 2',
    "MART.TRANSACTION_REPORT.AMOUNT": "MART.TRANSACTION_REPORT.BOOKING_DATE < 1.1.2015",
    "CORE.TRANSACTION.AGREEMENT_ID": "",
    "CORE.BALANCE.AMOUNT_EUR": "",
    "RISK.WATCH_LIST.AMOUNT": "",
    "MART.WEALTH_REPORT.AMOUNT_EUR": "",
    "MART.SEGMENT_RESULT.`NET RESULT`": "",
}


def proved(asked: str, when: str, candidates: Candidates) -> tuple[Lineage, str]:
    meant = condition(when)
    answer = trace_lineage(Question(asked, meant, when, policy="closed"), candidates)
    return answer, kept_sql(answer, candidates, meant).script


def exampled(answer: Lineage) -> set[str]:
    """The sources whose rows can be followed: exact, and with an example row if one is needed."""
    return {end.attribute for end in answer.golden if end.exact and (end.witness or end.whole == "TRUE")}


@pytest.mark.parametrize("asked", BANK)
def test_every_example_row_of_the_bank_arrives(asked: str) -> None:
    answer, script = proved(asked, BANK[asked], bank_candidates())
    assert exampled(answer)
    assert exampled(answer) <= arrived(script).keys()
    assert None not in arrived(script).values(), "what rules compute with has numbers, joined rows too"


@settings(
    max_examples=60,
    derandomize=True,
    suppress_health_check=[*HealthCheck],
    phases=[Phase.explicit, Phase.generate],
)
@given(st.randoms(use_true_random=False))
def test_every_example_row_of_a_small_warehouse_arrives(draw: Random) -> None:
    warehouse = small_warehouse(draw, Features(aggregations=False))
    entity = draw.choice(warehouse.layers[-1])
    when = initial_condition(draw, warehouse, entity)
    candidates = Candidates.of(rules_of(warehouse.text))
    answer, script = proved(f"{entity}.{draw.choice(list(warehouse.locals))}", when, candidates)
    assert exampled(answer) <= arrived(script).keys()


def test_texts_of_rules_stay_texts() -> None:
    hostile = """
    MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH S.R
        SELECT ROWS WHERE S.R = "x'); DROP TABLE T; --" AND S.`odd; name` = 1
    """
    answer, script = proved("T.V", "", Candidates.of(rules_of(hostile)))
    assert exampled(answer) == {"S.V"}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as held:
        held.executescript(script)
        assert held.execute("SELECT V, R FROM T").fetchall() == [("V", "x'); DROP TABLE T; --")]


def test_the_script_does_not_hang_on_the_order_of_the_rules() -> None:
    bank = bank_candidates()
    turned = replace(bank, heads=dict([*bank.heads.items()][::-1]), populations=tuple(reversed(bank.populations)))
    asked = "MART.GROUP_CUSTOMER.CUSTOMER_NAME"
    assert proved(asked, BANK[asked], turned)[1] == proved(asked, BANK[asked], bank)[1]


def test_a_source_whose_row_cannot_be_followed_is_said() -> None:
    # To SQLite each schema is a database of its own, and it holds ten at a time.
    chain = [f"WHEN POPULATING A{n + 1}.T FROM A{n}.T POPULATE A{n + 1}.T.V WITH A{n}.T.V" for n in range(11)]
    _, script = proved("A11.T.V", "", Candidates.of(rules_of("\n".join(chain))))
    assert "-- no way of this row through the mappings could be run" in script
    assert arrived(script) == {}


def test_a_row_is_followed_over_ways_longer_than_python_s_stack_is_deep() -> None:
    length = 1_100
    chain = [f"WHEN POPULATING T{n + 1} FROM T{n} POPULATE T{n + 1}.V WITH T{n}.V" for n in range(length)]
    # By A, which is tried first, the row does not arrive: what was made there is undone, and another way taken.
    vain = """
    WHEN POPULATING A FROM T0 POPULATE A.V WITH T0.V POPULATE A.K WITH T0.K
    MAPPING vain: WHEN POPULATING T2 FROM A POPULATE T2.V WITH A.V SELECT ROWS WHERE A.K = 1
    """
    _, script = proved(f"T{length}.V", "", Candidates.of(rules_of("\n".join([vain, *chain]))))
    assert arrived(script) == {"T0.V": ["V"]}
    assert "INSERT INTO A" not in script


def test_it_is_written_beside_the_answer_and_runs_as_its_first_line_says(tmp_path: Path) -> None:
    with Warehouse() as held:
        held.load('MAPPING m: WHEN POPULATING A.T FROM B.S POPULATE A.T.V WITH B.S.V SELECT ROWS WHERE B.S.K = "k"')
        assert held.prove("A.T.V", tmp_path / "proof").to_dict() == held.lineage("A.T.V").to_dict()
    script = tmp_path / "proof" / "kept.sql"
    assert arrived(script.read_text(encoding="utf-8")) == {"B.S.V": ["V"]}
    assert [file.name for file in sorted(script.parent.iterdir())] == ["README.txt", "kept.sql"]
    if not shutil.which("sqlite3"):
        pytest.skip("no sqlite3 to run it with; Python's ran it")
    done = subprocess.run(["sqlite3", ":memory:"], input=script.read_bytes(), capture_output=True, check=True)
    assert done.stdout == b"B.S.V|V\n"


def test_the_folder_says_what_its_scripts_do_not_show(tmp_path: Path) -> None:
    rules = """
    MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH SOUNDEX(S.R)
    MAPPING n: WHEN POPULATING T FROM R POPULATE T.V WITH R.V POPULATE T.R WITH "b"
    """.replace("SOUNDEX(S.R)", "substr(S.R, 2, 1)")
    with Warehouse() as held:
        held.load(rules)
        held.prove("T.V", tmp_path / "proof", when='R = "a"')
    about = (tmp_path / "proof" / "README.txt").read_text(encoding="utf-8")
    assert 'Lineage of T.V when R = "a"' in about
    assert "kept.sql: example rows of 0 of 1 golden source arrive." in about
    assert "not shown: S.V (no example row was found)" in about
    assert "dropped-….smt2: 1 contradiction, each" in about
    assert "run one: z3 dropped-001.smt2" in about


def test_nobody_s_own_files_are_written_over(tmp_path: Path) -> None:
    with Warehouse() as held:
        held.load("MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V")
        (tmp_path / "kept.sql").write_text("mine")
        with pytest.raises(OutputError, match=r"holds other files, such as kept\.sql"):
            held.prove("T.V", tmp_path)
        (tmp_path / "kept.sql").unlink()
        held.prove("T.V", tmp_path)
        # What it wrote itself it may write again.
        held.prove("T.V", tmp_path)
    assert (tmp_path / "kept.sql").exists()


SCRIPTS = """
CREATE TABLE raw.line (id INT, k INT, paid NUMERIC(9, 2), due DATE);
CREATE TABLE stg.line AS
SELECT l.id, l.k, l.paid / 100 AS paid, CURRENT_TIMESTAMP AS loaded FROM raw.line l WHERE l.due < CURRENT_DATE;
CREATE TABLE core.sale AS SELECT p.category, SUM(l.paid) AS paid FROM stg.line l JOIN core.product p ON p.k = l.k
GROUP BY p.category, p.brand HAVING MAX(p.rank) > 0;
CREATE FUNCTION core.fill() RETURNS VOID AS $$
BEGIN
  FOR r IN SELECT c.id, c.credit FROM raw.customer c LOOP
    IF r.credit > 10 THEN INSERT INTO core.score (id, score) VALUES (r.id, r.credit); END IF;
  END LOOP;
END $$ LANGUAGE plpgsql;
SELECT core.fill();
MERGE INTO core.mail t USING raw.mail s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, mail) VALUES (s.id, s.mail);
"""


@pytest.mark.parametrize("asked", ["STG.LINE.PAID", "CORE.SALE.PAID", "CORE.SCORE.SCORE", "CORE.MAIL.MAIL"])
def test_rows_are_followed_through_scripts_in_the_words_of_sqlite(asked: str, tmp_path: Path) -> None:
    (tmp_path / "all (2).sql").write_text(SCRIPTS)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        answer = warehouse.prove(asked, tmp_path / "proof")
    script = (tmp_path / "proof" / "kept.sql").read_text()
    assert set(arrived(script)) == {end.attribute for end in answer.golden} != set()


def test_what_sqlite_cannot_run_is_said_with_the_mapping(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("CREATE VIEW m.v AS SELECT core.own_function(s.a) AS a FROM raw.s s;")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        warehouse.prove("m.v.a", tmp_path / "proof")
    assert "SQLite says of a.sql:m.v: " in (tmp_path / "proof" / "README.txt").read_text()

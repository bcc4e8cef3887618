"""The Python API: load, ask, look; what goes wrong costs only itself."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError
from html import escape
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mdw import BatchError, QueryError, QuestionError, StoreError, Table, Warehouse, scan_sql
from mdw.cli.demo import load_bank
from mdw.lineage.trace import origins_of
from mdw.model.rules import POLICIES, Mode, Policy

TEXT = """
MAPPING party_eu:
WHEN POPULATING CORE.PARTY FROM SRC_EU.CUSTOMER
POPULATE CORE.PARTY.NAME WITH SRC_EU.CUSTOMER.NAME
POPULATE CORE.PARTY.REGION WITH "EU"

MAPPING party_us:
WHEN POPULATING CORE.PARTY FROM SRC_US.CUSTOMER
POPULATE CORE.PARTY.NAME WITH SRC_US.CUSTOMER.NAME
POPULATE CORE.PARTY.REGION WITH "US"

MAPPING report:
WHEN POPULATING MART.REPORT FROM CORE.PARTY
POPULATE MART.REPORT.NAME WITH CORE.PARTY.NAME
POPULATE MART.REPORT.REGION WITH CORE.PARTY.REGION
POPULATE MART.REPORT.`FULL KIND` WITH CORE.PARTY.KIND
"""
ASKED = "MART.REPORT.NAME"
MODES: tuple[Mode, ...] = ("active", "passive")


@pytest.fixture
def warehouse() -> Warehouse:
    """Two sources, one report."""
    found = Warehouse()
    found.load(TEXT).raise_for_errors()
    return found


@pytest.fixture(scope="module")
def bank() -> Iterator[Warehouse]:
    """The example bank."""
    with Warehouse() as found:
        load_bank(found)
        yield found


def golden(warehouse: Warehouse, when: str = "") -> list[str]:
    """The golden sources of the report's name."""
    return [end.attribute for end in warehouse.lineage(ASKED, when=when).golden]


def test_bare_names_in_conditions_are_of_the_asked_entity(warehouse: Warehouse) -> None:
    assert golden(warehouse) == ["SRC_EU.CUSTOMER.NAME", "SRC_US.CUSTOMER.NAME"]
    for when in ('REGION = "EU"', 'mart.report.region = "EU"', 'Region IN ("EU", "APAC") AND NAME IS NOT NULL'):
        assert golden(warehouse, when) == ["SRC_EU.CUSTOMER.NAME"]


def test_conditions_may_speak_of_rows_on_the_way(warehouse: Warehouse) -> None:
    assert golden(warehouse, 'CORE.PARTY.REGION = "EU"') == ["SRC_EU.CUSTOMER.NAME"]
    assert golden(warehouse, "SRC_EU.CUSTOMER.NAME IS NULL") == golden(warehouse)
    assert golden(warehouse, 'SRC_US.CUSTOMER.NAME = "x" AND SRC_US.CUSTOMER.NAME = "y"') == ["SRC_EU.CUSTOMER.NAME"]


def test_conditions_on_rows_elsewhere_are_said_to_say_nothing() -> None:
    with Warehouse() as warehouse:
        warehouse.load("WHEN POPULATING T FROM S POPULATE T.A WITH S.A\nWHEN POPULATING V FROM U POPULATE V.A WITH U.A")
        assert "no rows of U lie on the way" in warehouse.lineage("T.A", when="U.A = 1").notes[0]
        assert not warehouse.lineage("T.A", when="S.A = 1 AND T.A = 1").notes


def test_passive_answers_say_that_they_look_at_no_condition(warehouse: Warehouse) -> None:
    answer = warehouse.lineage(ASKED, when='REGION = "EU"', mode="passive")
    assert [end.attribute for end in answer.golden] == ["SRC_EU.CUSTOMER.NAME", "SRC_US.CUSTOMER.NAME"]
    assert answer.when == ""
    assert 'REGION = "EU" was not looked at' in answer.notes[0]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("policy", POLICIES)
def test_all_attributes_of_the_example_bank_at_once(bank: Warehouse, mode: Mode, policy: Policy) -> None:
    records = sorted(bank.lineage_all(mode=mode, unpopulated=policy), key=lambda record: record.attribute)
    for record in records[:: 8 if policy == "carry" else 24]:
        assert record == origins_of(bank.lineage(record.attribute, mode=mode, unpopulated=policy))


def test_all_attributes_at_once_tell_how_far_they_are(warehouse: Warehouse) -> None:
    told: list[tuple[int, float]] = []
    for mode in MODES:
        records = list(warehouse.lineage_all(mode=mode, progress=lambda *far: told.append(far)))
        assert told[-1] == (len(records), 1.0) == (5, 1.0)
    named = {record.attribute: record for record in records}
    assert named[ASKED].golden == ("SRC_EU.CUSTOMER.NAME", "SRC_US.CUSTOMER.NAME")
    assert named["MART.REPORT.`FULL KIND`"].interrupted == ("CORE.PARTY.KIND",)
    assert named[ASKED].to_dict()["undecided"] is False


def test_what_is_removed_leaves_nothing_behind() -> None:
    first = "MAPPING one: WHEN POPULATING T FROM S POPULATE T.A WITH S.A"
    second = "MAPPING two: WHEN POPULATING T FROM S POPULATE T.B WITH S.B"
    third = (
        "MAPPING three: WHEN POPULATING R FROM T POPULATE R.B WITH T.B IF S.B = 1 NAVIGATE FROM T TO S USING T.A = S.A"
    )
    with Warehouse() as some, Warehouse() as all_:
        some.load(first)
        all_.load(first, second, third)
        all_.remove("two", "three", "two")
        assert exported(all_) == exported(some)
        with pytest.raises(QuestionError, match="no mapping onne; did you mean one"):
            all_.remove("one", "onne")
        assert [mapping.name for mapping in all_.mappings()] == ["one"]
        with pytest.raises(QuestionError, match=r"no mapping mentions T\.B"):
            all_.lineage("T.B")


def exported(warehouse: Warehouse) -> list[bytes]:
    """Every quad as a line, in order."""
    target = BytesIO()
    warehouse.export("nquads", target)
    return sorted(target.getvalue().splitlines())


def test_impact_follows_values_forwards(warehouse: Warehouse) -> None:
    answer = warehouse.impact("src_us.customer.name")
    assert [end.attribute for end in answer.final] == [ASKED]


@pytest.mark.parametrize(
    ("attribute", "when", "says"),
    [
        ("MART.REPORT.NAM", "", "did you mean MART.REPORT.NAME"),
        ("CUSTOMER.NAME", "", "CUSTOMER.NAME may be SRC_EU.CUSTOMER.NAME or SRC_US.CUSTOMER.NAME: which one"),
        ("ORT.NAME", "", "no mapping mentions ORT.NAME"),
        ("NAME", "", "NAME is no attribute: write ENTITY.ATTRIBUTE; did you mean CORE.PARTY.NAME or"),
        ("PARTY", "", "PARTY is an entity; its attributes are"),
        ("", "", "no attribute"),
        (ASKED, "REGION = ", r"when:1:8: .*\n    REGION = \n           \^"),
        (ASKED, 'REGIO = "EU"', "did you mean MART.REPORT.REGION"),
        (ASKED, "REGION = SRC_EU.CUSTOMER.NAME", "compares rows of MART.REPORT and SRC_EU.CUSTOMER"),
    ],
)
def test_questions_that_cannot_be_asked(warehouse: Warehouse, attribute: str, when: str, says: str) -> None:
    with pytest.raises(QuestionError, match=says):
        warehouse.lineage(attribute, when=when)


@pytest.mark.parametrize(
    ("attribute", "when"),
    [
        ("dbo.kunde.größe", ""),
        ("kunde.MÄDCHENNAME", ""),
        ("DBO.KUNDE.Größe", "größe > 5 AND `straße` = 'Am Öhrchen'"),
        ('dbo.kunde."größe"', "Größe > 5"),
        ("dbo.[kunde].größe", "order no > 5"),
    ],
)
def test_a_name_of_other_letters_needs_no_back_quotes_in_a_question(tmp_path: Path, attribute: str, when: str) -> None:
    (tmp_path / "a.sql").write_text(
        "INSERT INTO dbo.kunde (größe, mädchenname, straße, [order no]) SELECT g, g, s, n FROM src.stamm",
        encoding="utf-8",
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="tsql").raise_for_errors()
        if "order no" in when:  # of two words nobody can know that they are one name
            with pytest.raises(QuestionError, match="cannot be read"):
                warehouse.lineage(attribute, when=when)
            return
        answer = warehouse.lineage(attribute, when=when)
        assert [end.attribute for end in answer.golden] == ["SRC.STAMM.G"]
        assert warehouse.attribute("kunde.order no").name == "DBO.KUNDE.`order no`"
        with pytest.raises(QuestionError, match=r"when:1:11: .*\n    größe > 5 \+\n              \^"):
            warehouse.lineage(attribute, when="größe > 5 +")


def test_the_end_of_a_name_will_do_where_only_one_name_ends_so(warehouse: Warehouse) -> None:
    answer = warehouse.lineage("report.name", when='report.REGION = "EU"')
    assert (answer.attribute, answer.when) == (ASKED, 'report.REGION = "EU"')
    assert answer.golden == warehouse.lineage(ASKED, when='REGION = "EU"').golden
    assert warehouse.attribute("report.name").name == ASKED
    assert [end.attribute for end in warehouse.lineage(ASKED, source="src_eu.customer.name").golden]


def test_loading_again_changes_only_what_changed(warehouse: Warehouse) -> None:
    again = warehouse.load(TEXT.replace("SRC_US", "SRC_CA"))
    assert (again.loaded, again.replaced, again.unchanged) == (0, 1, 2)
    assert golden(warehouse) == ["SRC_CA.CUSTOMER.NAME", "SRC_EU.CUSTOMER.NAME"]


def test_errors_of_all_files_and_the_good_ones_loaded(tmp_path: Path, warehouse: Warehouse) -> None:
    files = {
        "bad.map": b"WHEN POPULATING A FROM B POPULATE A.X WITH\n\n"
        b"MAPPING good: WHEN POPULATING A FROM B POPULATE A.X WITH B.X\n",
        "dup.map": b"MAPPING good: WHEN POPULATING A FROM C POPULATE A.X WITH C.X\n",
        "latin.map": 'MAPPING latin: WHEN POPULATING A FROM L\nPOPULATE A.X WITH "é"\n'.encode("latin-1"),
        "none.map": b"-- nothing\n",
        "sub/ok.map": b"\xef\xbb\xbfMAPPING ok: WHEN POPULATING A FROM D\r\nPOPULATE A.X WITH D.X\r\n",
        ".hidden/no.map": b"MAPPING hidden: WHEN POPULATING A FROM H POPULATE A.X WITH H.X\n",
        "notes.txt": b"not read\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    report = warehouse.load(tmp_path, tmp_path / "missing.map", tmp_path / "notes.txt", tmp_path / "sub" / "ok.map")
    said = "\n".join(str(error) for error in report.errors)
    for words in (
        "bad.map:1",
        "dup.map:1",
        "bad.map:3",
        "latin.map:2:20: not UTF-8",
        "none.map",
        "missing.map",
        "notes.txt",
    ):
        assert words in said
    assert len(report.errors) == 6
    assert report.loaded == 2
    assert {one.name for one in warehouse.mappings()} == {"good", "ok", "party_eu", "party_us", "report"}
    with pytest.raises(BatchError):
        report.raise_for_errors()


def test_folder_without_mappings_is_an_error(tmp_path: Path) -> None:
    report = Warehouse().load(tmp_path)
    assert "holds neither mapping text nor SQL nor tables" in str(report.errors[0])
    assert report.mappings == 0


def test_unnamed_mappings_are_numbered(warehouse: Warehouse) -> None:
    one = "WHEN POPULATING A FROM B POPULATE A.X WITH B.X\n"
    warehouse.load(one * 2)
    assert {"text:A FROM B", "text:A FROM B (2)"} <= {info.name for info in warehouse.mappings()}


def test_an_error_does_not_rename_the_mappings_after_it(warehouse: Warehouse) -> None:
    texts = [f"WHEN POPULATING A FROM B POPULATE A.X WITH B.X{n}\n" for n in range(3)]
    warehouse.load("".join(texts))
    report = warehouse.load("".join([texts[0].replace(" WITH", ""), *texts[1:]]))
    assert (report.loaded, report.replaced, len(report.errors)) == (0, 0, 1)
    assert {end.attribute for end in warehouse.lineage("A.X").golden} == {"B.X0", "B.X1", "B.X2"}


def test_folder_keeps_what_was_loaded(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "store") as first:
        first.load(TEXT)
        with pytest.raises(StoreError, match="in use"):
            Warehouse(tmp_path / "store")
    with Warehouse(str(tmp_path / "store"), create=False) as second:
        assert golden(second, 'REGION = "US"') == ["SRC_US.CUSTOMER.NAME"]
    with pytest.raises(StoreError, match="no store"):
        Warehouse(tmp_path / "other", create=False)


def test_requests_find_what_stands_where(warehouse: Warehouse) -> None:
    found = warehouse.request("populate.attribute, attribute, CORE.PARTY.REGION : with.expression, string")
    assert [(one.mapping, one.content) for one in found] == [("party_eu", '"EU"'), ("party_us", '"US"')]
    assert "party_us" in str(found)
    assert found.to_dict()["matches"][0]["mapping"] == "party_eu"
    with pytest.raises(QuestionError):
        warehouse.request("nonsense")


def test_requests_say_which_places_they_look_at(warehouse: Warehouse) -> None:
    requests = ("with.expression, value, 5", "population, attribute")
    found = warehouse.parameterised(*requests)
    assert {one.type for one in found} == {"value", "attribute"}
    assert {one.content for one in found if one.type == "value"} == {"5"}
    told = found.to_dict()
    assert (tuple(told["requests"]), len(told["parameters"])) == (requests, len(found))
    first = {"id": 18, "type": "value", "path": "population.populate.with.expression.computation.value"}
    assert told["parameters"][0] == first | {"content": "5"}
    assert str(found).splitlines()[2].split() == ["18", "value", first["path"], "5"]
    assert str(found).splitlines()[-1].endswith("*")
    assert len(warehouse.parameterised()) == 0
    with pytest.raises(QuestionError, match="there is no type valu; did you mean value"):
        warehouse.parameterised("with.expression, valu, 5")


def test_queries(warehouse: Warehouse) -> None:
    found = warehouse.query("SELECT ?name { ?m a mdw:Mapping ; rdfs:label ?name } ORDER BY ?name")
    assert isinstance(found, Table)
    assert found.rows == (("party_eu",), ("party_us",), ("report",))
    assert str(found).splitlines()[0] == "name"
    assert warehouse.query("ASK { ?m a mdw:Mapping }") is True
    assert "report" in str(warehouse.query("CONSTRUCT { ?m a mdw:Mapping } WHERE { ?m rdfs:label 'report' }"))
    with pytest.raises(QueryError):
        warehouse.query("SELECT nonsense")


def test_trees_and_text_come_back_as_read(warehouse: Warehouse, tmp_path: Path) -> None:
    assert next(iter(warehouse.tree("report").walk())).role == "mapping"
    with pytest.raises(QuestionError, match="report"):
        warehouse.tree("reprt")
    warehouse.export("text", tmp_path / "all.map")
    other = Warehouse()
    assert other.load(tmp_path / "all.map").raise_for_errors().loaded == 3
    assert [other.tree(one.name) for one in other.mappings()] == [warehouse.tree(o.name) for o in warehouse.mappings()]


@pytest.mark.parametrize("limit", [1, 2, 3, 10])
@pytest.mark.parametrize("after", ["", "a", "party_eu", "party_f", "zzz"])
def test_a_page_of_mappings_is_a_part_of_all(warehouse: Warehouse, after: str, limit: int) -> None:
    every = warehouse.mappings(after=after)
    assert every == tuple(one for one in warehouse.mappings() if one.name > after)
    assert warehouse.mappings(after=after, limit=limit) == every[:limit]


def test_results_print_show_and_are_frozen(warehouse: Warehouse) -> None:
    answer = warehouse.lineage(ASKED, when='REGION = "EU"')
    assert "SRC_EU.CUSTOMER.NAME" in str(answer)
    assert "<svg" in (answer._repr_html_() or "")
    with pytest.raises(FrozenInstanceError):
        answer.attribute = "X"  # type: ignore[misc]
    report = warehouse.load(TEXT)
    assert "3 mappings" in str(report)
    assert report.to_dict()["unchanged"] == 3
    info = warehouse.mappings()[0]
    assert "CORE.PARTY from SRC_EU.CUSTOMER" in str(info)
    assert info.to_dict()["driving"] == "SRC_EU.CUSTOMER"


def test_answers_say_the_same_every_time(warehouse: Warehouse) -> None:
    first = warehouse.lineage(ASKED, when='REGION = "EU"').to_dict()
    assert warehouse.lineage(ASKED, when='REGION = "EU"').to_dict() == first


def test_several_threads_may_ask(warehouse: Warehouse) -> None:
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(golden(warehouse, 'REGION = "US"'))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [["SRC_US.CUSTOMER.NAME"]] * 4


def test_progress_is_told(warehouse: Warehouse) -> None:
    told: list[tuple[int, float]] = []
    many = "".join(f"MAPPING m{n}: WHEN POPULATING A FROM B{n} POPULATE A.X WITH B{n}.X\n" for n in range(250))
    warehouse.load(many, progress=lambda mappings, share: told.append((mappings, share)))
    assert [mappings for mappings, _ in told] == [100, 200]
    assert all(0 < share <= 1 for _, share in told)


@pytest.mark.parametrize(
    ("asked", "kind", "says"),
    [
        (lambda w: w.lineage(ASKED, mode="../x"), QuestionError, "mode is active or passive, not '../x'"),
        (lambda w: w.impact(ASKED, mode=None), QuestionError, "mode is active or passive, not None"),
        (lambda w: w.lineage(ASKED, unpopulated=3), QuestionError, "carry, open, closed or None, not 3"),
        (lambda w: list(w.lineage_all(mode="lazy")), QuestionError, "not 'lazy'"),
        (lambda w: w.lineage(None), TypeError, "named by a text, ENTITY.ATTRIBUTE, not NoneType"),
        (lambda w: w.entity(3), TypeError, "an entity is named by a text, ENTITY, not int"),
    ],
)
def test_words_that_no_question_has_are_refused(
    warehouse: Warehouse, asked: Callable[[Any], object], kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind, match=re.escape(says)):
        asked(warehouse)


def test_a_notebook_and_ipython_show_what_is_printed(warehouse: Warehouse) -> None:
    results: list[Any] = [
        warehouse.attribute(ASKED),
        warehouse.entity("CORE.PARTY"),
        warehouse.search("party"),
        warehouse.report(),
    ]
    results += [
        scan_sql("INSERT INTO t (a) SELECT b FROM s WHERE k < 1"),
        warehouse.load("MAPPING a: WHEN POPULATIN T"),
    ]
    for one in results:
        printed: list[str] = []
        one._repr_pretty_(SimpleNamespace(text=printed.append), False)
        assert printed == [str(one)] and str(one) != repr(one)
        assert (
            escape(str(one)).split() == re.sub(r"</?pre[^>]*>", "", one._repr_html_()).split()[: len(str(one).split())]
        )
    assert "SRC_EU.CUSTOMER.NAME  copied  by party_eu" in str(warehouse.attribute("CORE.PARTY.NAME"))
    assert "read by\n" in str(warehouse.entity("CORE.PARTY"))
    assert "s.b     t.a     copied" in str(results[4])
    # A terminal has errors beside the result, a notebook has them nowhere else.
    assert "no such file" not in str(results[5]) and "no such file" in results[5]._repr_html_()


def test_the_page_of_an_answer_in_a_notebook_has_all_that_its_text_has(warehouse: Warehouse) -> None:
    warehouse.load("MAPPING more:\nWHEN POPULATING CORE.PARTY FROM OLD.C POPULATE CORE.PARTY.NAME WITH OLD.C.N\n"
                   'POPULATE CORE.PARTY.REGION WITH "EU" SELECT ROWS WHERE OLD.C.KIND = 2')  # fmt: skip
    answer = warehouse.lineage(ASKED, when='REGION = "EU"')
    for told in (answer._repr_html_(), str(answer)):
        assert "for example KIND = 2" in told
        assert "What decides whether or which value arrives" in told
        assert "but the question asks for" in told


def test_an_empty_name_is_not_the_folder_one_is_in() -> None:
    with Warehouse() as found:
        report = found.load("")
    assert (report.loaded, [one.message for one in report.errors]) == (0, ["an empty name is no file"])

"""The example bank as a dbt project: its answers are those of the mapping text, where both say the same.

Where they cannot say the same:

- RISK_CLASS is filled by nothing, which mapping text says by leaving it out; a table of SQL has a column for it, NULL.
- Cancellations fill VALID_TO of a customer. Mapping text makes a row of each cancellation, of whatever customer; the
  project updates the customer of that number, so that whoever asks when a customer left asks for that customer too.
- CASE without ELSE is NULL where no arm is taken: a constant more.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import z3
from dbt_bank import PROJECT, VARIABLE, NoDbtError, build, dbt_program, trimmed
from dbt_rows import arrivals, executed, meets
from meaning import Meaning
from places import BANK
from reading import condition

from mdw import Lineage, Origins, Warehouse
from mdw.model.expressions import Condition

REPORTS = ("MART.", "RISK.")
CANCELLED = "SRC_CRM.CANCELLATION.CANCELLED_ON"
OTHERWISE = {
    # What the update joins by, the customer, may be of any region until something says which rows there are.
    "MART.CUSTOMER_APAC.CUSTOMER_UNTIL": {CANCELLED},
}
ENDS_ASKED = ("CAMPAIGN", "CUSTOMER_UNTIL", "MEMBER_UNTIL")
"""Reports of customers who left: whose number a cancellation has is part of the condition."""
QUESTIONS = [
    ("MART.GROUP_CUSTOMER.CUSTOMER_NAME", 'REGION = "EU" AND PARTY_TYPE = 2'),
    ("MART.TRANSACTION_REPORT.AMOUNT", 'REGION = "EU" AND BOOKING_DATE < 01.01.2015'),
    ("MART.TRANSACTION_REPORT.AMOUNT", 'REGION = "EU" AND BOOKING_DATE >= 01.01.2018'),
    ("RISK.LARGE_EXPOSURE.GROSS_AMOUNT", 'REGION = "EU"'),
    ("MART.CUSTOMER_EU.CUSTOMER_NAME", ""),
    ("MART.CAMPAIGN.ADDRESSEE", 'CAMPAIGN = "NEW APPLICATION"'),
    ("MART.CAMPAIGN.ADDRESSEE", 'CAMPAIGN = "INVESTMENT DAY"'),
    ("MART.DEPOSIT_SUMMARY.DEPOSIT_TOTAL", 'REGION = "APAC"'),
    ("MART.LOAN_SUMMARY.OUTSTANDING", 'LOAN_STATUS = "PERFORMING"'),
    ("MART.LOAN_SUMMARY.LOAN_KIND", 'LOAN_STATUS = "LATE"'),
    ("MART.WEALTH_REPORT.AMOUNT_EUR", 'ASSET_KIND = "FUND" AND REGION = "US"'),
    ("MART.WEALTH_REPORT.CLIENT_NAME", 'REGION = "EU" AND SEGMENT = "IB"'),
    ("RISK.WATCH_LIST.AMOUNT", 'REASON = "OVER LIMIT"'),
    ("RISK.WATCH_LIST.AMOUNT", 'REASON = "OVER LIMIT" AND REGION = "US"'),
]
"""What `data/README.md` asks of the bank."""
TOGETHER = (
    (
        "SRC_EU.CUSTOMER.LAST_NAME", "SRC_EU.CUSTOMER.COMPANY_NAME", "SRC_US.CUSTOMER.LEGAL_NAME",
        "SRC_APAC.CUSTOMER.NAME", "SRC_CRM.PARTNER.FIRM_NAME", "SRC_HR.EMPLOYEE.LAST_NAME",
        "SRC_CARD.PURCHASE.MERCHANT", "SRC_REF.COUNTRY.ENGLISH_NAME", "SRC_REF.PRODUCT.MARKETING_NAME",
        "SRC_EU.POSTING.REMITTANCE_TEXT", "SRC_OLD.`ACCOUNT-MOVEMENT`.`TEXT-1`", "SRC_SEC.TRADE.ISIN",
    ),
    (
        "SRC_EU.CUSTOMER.OPENED_ON", "SRC_CRM.CANCELLATION.CANCELLED_ON", "SRC_US.POSTING.MEMO", "SRC_CARD.CARD.SCHEME",
        "SRC_RATING.RATING.GRADE", "SRC_SEC.DEPOT.DEPOT_NO", "SRC_LOAN.CONSUMER_CREDIT.CREDIT_NO",
        "SRC_APAC.ACCOUNT.PRODUCT",
    ),
    (
        "SRC_LOAN.LOAN.PAID_OUT_ON", "SRC_EU.ACCOUNT.CURRENCY", "SRC_CARD.PURCHASE.CURRENCY", "SRC_LOAN.LOAN.LOAN_NO",
        "SRC_US.ACCOUNT.CUST_ID", "SRC_HR.EMPLOYEE.STAFF_NO",
    ),
)  # fmt: skip
"""Columns of sources into which tokens are put, those together that no test on one of them keeps from another."""
UNTRIED = ("BANK.MART.RATING_CHANGE.", "BANK.MART.PRICE_TODAY.", "BANK.MART.PAYMENT_FORECAST.")
"""Reports on snapshots, and one made in Python: without dbt nobody makes them."""


@pytest.fixture(scope="module")
def bank() -> Iterator[Warehouse]:
    with Warehouse() as warehouse:
        warehouse.load(BANK).raise_for_errors()
        yield warehouse


@pytest.fixture(scope="module")
def project() -> Iterator[Warehouse]:
    with Warehouse() as warehouse:
        report = warehouse.load(PROJECT).raise_for_errors()
        # What is not followed: a model written in Python.
        left = {one.kind: one.status for one in report.sql if one.status != "whole"}
        assert left == {"model": "opaque"}
        yield warehouse


def of_bank(text: str) -> str:
    """A name or a condition of the project as the bank has it: without the database, quoted names in capitals.

    Floating numbers are nothing else to the bank, whose columns have no types.
    """
    if (double := ' AS "DOUBLE")') in text:
        text = text.replace("CAST(", "(").replace(double, ")")
    return re.sub(r"`[^`]*`", lambda name: name.group().upper(), re.sub(r"\bBANK\.", "", text))


@cache
def of_project(project: Warehouse, attribute: str) -> str:
    """What the project calls an attribute of the bank."""
    return {of_bank(name): name for name in project.attributes()}[attribute]


Said = tuple[set[str], set[str], set[str], bool]


def said(answer: Lineage | Origins) -> Said:
    """Golden sources, constants, interrupted attributes, and whether values are generated."""
    constants = {constant.value for constant in answer.constants} - {"NULL"}
    return (
        {of_bank(end if isinstance(end, str) else end.attribute) for end in answer.golden},
        constants,
        set(map(of_bank, answer.interrupted)),
        bool(answer.generated),
    )


def test_attributes_of_reports_have_the_sources_of_the_mapping_text(bank: Warehouse, project: Warehouse) -> None:
    """Every twelfth of them; the others too where dbt is tried."""
    asked = sorted(name for name in bank.attributes() if name.startswith(REPORTS))
    assert len(asked) > 100
    for name in asked[1::12]:
        assert said(project.lineage(of_project(project, name))) == expected(name, said(bank.lineage(name))), name


def expected(name: str, of_text: Said) -> Said:
    """What the project is to say of an attribute of which mapping text says this."""
    golden, constants, interrupted, generated = of_text
    if name == "MART.CUSTOMER_EU.RISK_CLASS":
        assert interrupted == {"CORE.PARTY.RISK_CLASS"}
        interrupted = set()
    return golden | OTHERWISE.get(name, set()), constants, interrupted, generated


@pytest.mark.parametrize(("attribute", "when"), QUESTIONS)
def test_the_questions_of_the_bank_have_the_same_answers(
    attribute: str, when: str, bank: Warehouse, project: Warehouse
) -> None:
    compared(bank.lineage(attribute, when=when), project.lineage(of_project(project, attribute), when=when))


@pytest.mark.dbt
def test_rows_meet_the_same_conditions_for_every_attribute(bank: Warehouse, project: Warehouse) -> None:
    needs_dbt()
    for name in bank.attributes():
        if name.startswith(REPORTS):
            compared(bank.lineage(name), project.lineage(of_project(project, name)))


def compared(one: Lineage, other: Lineage) -> None:
    """The same ends, and the same rows of golden sources."""
    assert said(other) == (expected(one.attribute, said(one)) if one.when in ("", "TRUE") else said(one)), one.attribute
    if any(word in one.attribute for word in ENDS_ASKED):
        return
    found = {of_bank(end.attribute): of_bank(end.whole) for end in other.golden}
    for end in one.golden:
        if end.whole != found[end.attribute]:
            left, right = condition(end.whole), condition(found[end.attribute])
            assert left is not None and right is not None, (end.whole, found[end.attribute])
            assert same(left, right), f"{one.attribute} from {end.attribute}:\n{end.whole}\n{found[end.attribute]}"


def same(left: Condition, right: Condition) -> bool:
    """Whether no row meets one condition and not the other."""
    meaning = Meaning(left, right)
    solver = z3.Solver()
    solver.set("rlimit", 20_000_000)
    solver.add(meaning.true(left) != meaning.true(right))
    return bool(solver.check() == z3.unsat)


# -- executed ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attributes", TOGETHER)
def test_rows_decide_that_no_source_is_lost(attributes: tuple[str, ...], project: Warehouse) -> None:
    """Where a token arrives, its column is in the answer, and its row meets the condition there."""
    names = [name for name in project.attributes() if of_bank(name).startswith(REPORTS)]
    reports = [name for name in names if not name.startswith(UNTRIED)]
    came: set[str] = set()
    with executed(PROJECT / "target", attributes) as connection:
        for attribute, report, rows in arrivals(connection, attributes, reports):
            ends = {of_bank(end.attribute): end for end in project.lineage(report).golden}
            assert attribute in ends, f"{attribute} arrived at {report}"
            came.add(attribute)
            assert [row for row in rows if not meets(connection, ends[attribute], row)] == [], (attribute, report)
    assert 2 * len(came) >= len(attributes)


@pytest.mark.dbt
def test_dbt_builds_what_is_kept_with_the_project(tmp_path: Path) -> None:
    program = needs_dbt(tmp_path / "dbt")
    for name, text in trimmed(build(program, tmp_path)):
        assert (PROJECT / "target" / name).read_text(encoding="utf-8") == text, f"build it again: {VARIABLE}, {name}"


def needs_dbt(folder: Path | None = None) -> Path:
    """The program dbt, or the reason why the test is skipped."""
    if VARIABLE not in os.environ:
        pytest.skip(f"takes minutes: {VARIABLE}=install, or the path of a program dbt 1.10 with DuckDB")
    try:
        return dbt_program(folder) if folder else Path()
    except NoDbtError as error:
        pytest.skip(str(error))

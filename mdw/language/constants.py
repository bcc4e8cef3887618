"""Nodes and texts of constants -> their values, in one spelling each."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation

from mdw.model.errors import InputError
from mdw.model.expressions import NO, NULL, YES, Call, Const, Expression, decimal_text
from mdw.model.tree import Node

CONSTANTS = ("string", "value", "date", "truth", "null")
TEXTS = re.compile(r"(?i)(var|n|nvar)?char|character varying|text|string|clob")
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
NUMBERS = re.compile(r"(?i)(big|small|tiny)?int|integer|decimal|numeric|number")


def cast(value: Expression, type_: str) -> Expression:
    """A value in another type. Constants stay what they are where the type can hold them (rule Q3).

    >>> cast(Const("string", "2015-01-31"), "DATE"), cast(Const("number", "1"), "INT")
    (Const(kind='date', text='2015-01-31'), Const(kind='number', text='1'))
    """
    if isinstance(value, Const):
        if value == NULL or (value.kind == "string" and TEXTS.fullmatch(type_)):
            return value
        if value.kind == "number" and NUMBERS.match(type_) and value.text.lstrip("-").isdigit():
            return value
        if value.kind == "string" and type_.upper() == "DATE" and re.fullmatch(r"\d{4}-\d\d-\d\d", value.text):
            return Const("date", value.text) if _is_day(value.text) else value
    return Call(f"CAST AS {type_.upper()}", (value,))


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def constant_of(node: Node) -> Const:
    """The constant a ``string``, ``value``, ``date``, ``truth`` or ``null`` node stands for."""
    text = node.text
    if node.role == "string":
        return Const("string", unquote(text))
    if node.role == "value":
        return Const("number", decimal_text(_number(text, node)))
    if node.role == "truth":
        return YES if text.upper() == "TRUE" else NO
    if node.role == "null":
        return NULL
    try:
        return Const("date", date_of(text).isoformat())
    except ValueError as error:
        raise InputError(f"{text} is not a date: {error}", location=node.location) from error


def _number(text: str, node: Node) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:  # a tree that no text was parsed to
        raise InputError(f"{text} is not a number", location=node.location) from error


def unquote(text: str) -> str:
    """The characters of a quoted string.

    >>> unquote('"say \\\\"hi\\\\""'), unquote("'it''s'")
    ('say "hi"', "it's")
    """
    if text.startswith('"'):
        return ESCAPED.sub(r"\1", text[1:-1]) if "\\" in text else text[1:-1]
    return text[1:-1].replace("''", "'")


def date_of(text: str) -> date:
    """A date written DD.MM.YYYY, D.M.YYYY, DDMMYYYY or YYYY-MM-DD; ValueError if there is no such day.

    A grammar that takes dates apart gives their parts joined by dots, so the year may also lead.

    >>> date_of("01010001"), date_of("1.1.0001"), date_of("2015-01-31") == date_of("2015.01.31")
    (datetime.date(1, 1, 1), datetime.date(1, 1, 1), True)
    """
    if "-" in text or text.find(".") == 4:
        return date.fromisoformat(text.replace(".", "-"))
    if "." in text:
        day, month, year = text.split(".")
        return date(int(year), int(month), int(day))
    digits = text
    return date(int(digits[4:]), int(digits[2:4]), int(digits[:2]))

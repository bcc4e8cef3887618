"""Nodes of a mapping tree -> what they mean: expressions with the attributes they use, and conditions.

An expression may choose: of ``CASE WHEN S.T = "a" THEN S.X ELSE 0 END`` the value is S.X or 0. Conditions know no
choices, so an expression becomes arms, in the order in which they are tried; the last one is always taken. A choice
within a computation is a choice between computations, and a comparison of a choice is met where an arm is taken whose
value meets it:

>>> from mdw.language.mapping import read_expression
>>> from mdw.model.text import expression_text, to_text
>>> read = read_expression('1 + CASE WHEN S.T = "a" THEN S.X ELSE 0 END')
>>> for arm in Meaning().arms(read):
...     print(expression_text(arm.value), "if", to_text(arm.test) if arm.test else "nothing before it is")
1 + S.X if S.T = "a"
1 + 0 if nothing before it is

Below an aggregation rows choose each for itself. There no arm can be told for the whole group; what is known is of
which rows a value is used (rule Q1), and `Source.test` says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import product

from mdw.language.wording import condition_text
from mdw.model.errors import InputError
from mdw.model.expressions import (
    NO,
    NULL,
    YES,
    Aggregate,
    And,
    Attr,
    Call,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Like,
    Not,
    Or,
    Window,
    attributes_of,
    decimal_text,
    fails,
    succeeds,
    walk,
)
from mdw.model.name import canonical, entity_of, local_of, plain, row_of
from mdw.model.rules import DIRECT, Source, Subtype, unique
from mdw.model.tree import Node

CONSTANTS = ("string", "value", "date", "truth", "null")
ARITHMETIC = {"+": "+", "-": "-", "*": "*", "x": "*", "X": "*", "/": "/"}
AGGREGATES = {"sumof": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "count": "COUNT"}
MOST_ARMS = 30
"""Arms of one expression; what has more is taken as a function of all it mentions."""
ONE = Const("number", "1")
TEXTS = re.compile(r"(?i)(var|n|nvar)?char|character varying|text|string|clob")
NUMBERS = re.compile(r"(?i)(big|small|tiny)?int|integer|decimal|numeric|number")


@dataclass(frozen=True, slots=True)
class Arm:
    """One value an expression may have, the test by which it is taken (None: whenever it is reached), what it uses.

    ``text`` is the test as written, ``place`` the node that gives the value.
    """

    test: Condition | None
    value: Expression
    uses: tuple[Source, ...]
    text: str
    place: Node


Names = Callable[[str], str]
"""The name by which the rules know an attribute, from the one that is written."""


class Meaning:
    """What the nodes of one mapping mean; ``names`` knows the roles it reads entities in.

    ``marks`` has for each role that EXISTS may ask for what it is a function of.
    """

    def __init__(self, names: Names = canonical, marks: Mapping[str, Call] | None = None) -> None:
        self.names = names
        self.marks = marks or {}

    # -- expressions -----------------------------------------------------------------------------------------------

    def arms(self, node: Node) -> list[Arm]:
        """The values that an ``expression`` node, or any below it, may have, in the order in which they are tried."""
        role = node.role
        if role == "attribute":
            name = self.names(node.text)
            return [Arm(None, Attr(name), (source_of(name, "IDENTITY"),), "", node)]
        if role in CONSTANTS:
            return [Arm(None, constant_of(node), (), "", node)]
        if role == "case":
            return self._case(node)
        if role == "test":
            condition, text = self.condition(node.children[0]), condition_text(node.children[0])
            uses = _deciding(condition)
            found = [Arm(condition, YES, uses, text, node), Arm(Not(condition), NO, uses, "", node)]
            return [*found, Arm(None, NULL, (), "", node)]
        if role in AGGREGATES:
            return self._aggregated(AGGREGATES[role], node.children, node)
        if role == "aggregate":
            called = node.children[-1]
            name, arguments = _called(called)
            return self._aggregated(name, arguments, node)
        if role == "window":
            return self._window(node)
        if role == "parameter":
            return [Arm(None, Call(node.content.upper(), ()), (), "", node)]
        return self._computed(node)

    def value(self, node: Node) -> Expression:
        """The one value of a node; where it may have several a function of all that it mentions."""
        return _one(self.arms(node))

    def _computed(self, node: Node) -> list[Arm]:
        """What is made of other values, all of them taken as they are."""
        role, children = node.role, node.children
        if role == "computation" and len(children) == 3:
            op = ARITHMETIC[children[0].role]
            return self._combined(children[1:], lambda left, right: Compute(op, left, right), node)
        if role == "concatenation":
            return self._combined(children, lambda *parts: Concat(parts), node)
        if role == "substring":
            return self._combined(children, lambda *parts: Call("SUBSTR", parts), node)
        if role == "function":
            name, arguments = _called(node)
            if name == "COALESCE":
                return self._first_known(arguments, node)
            return self._combined(arguments, lambda *parts: Call(name, parts), node)
        if role == "cast":
            return self._combined(children[:1], lambda one: cast(one, unquote(children[1].text)), node)
        if role == "field":
            path = unquote(children[1].text)
            return self._combined(children[:1], lambda one: Call(f"FIELD {path}", (one,)), node)
        if role == "opaque":
            return self._combined(children[1:], lambda *parts: Call(unquote(children[0].text), parts), node)
        # What is left only wraps one node: expression, aggregation, a place of SUBSTR, a computation of one operand.
        return self.arms(children[0])

    def _combined(self, nodes: Sequence[Node], make: Callable[..., Expression], node: Node) -> list[Arm]:
        """One arm for each combination of arms; the first arm of the first node goes with each of the second ..."""
        several = [self.arms(one) for one in nodes]
        count = 1
        for arms in several:
            count *= len(arms)
        if count > MOST_ARMS:
            values = [_one(arms) for arms in several]
            every = [use for arms in several for use in _uses_of(arms)]
            return [Arm(None, make(*values), _changed(every), "", node)]
        found = []
        for chosen in product(*several):
            tests = [arm.test for arm in chosen if arm.test is not None]
            text = " AND ".join([arm.text for arm in chosen if arm.text])
            place = next((arm.place for arm in chosen if arm.test is not None), node)
            uses = _changed(use for arm in chosen for use in arm.uses)
            found.append(Arm(_all(tests), make(*[arm.value for arm in chosen]), uses, text, place))
        return found

    def _case(self, node: Node) -> list[Arm]:
        found: list[Arm] = []
        for branch in node.children:
            if branch.role == "otherwise":
                found += self.arms(branch.children[0])
                break
            asked, given = branch.children
            condition, text = self.condition(asked), condition_text(asked)
            for arm in self.arms(given):
                tests = [condition] if arm.test is None else [condition, arm.test]
                texts = [part for part in (text, arm.text) if part]
                found.append(Arm(_all(tests), arm.value, arm.uses, " AND ".join(texts), arm.place))
        else:
            found.append(Arm(None, NULL, (), "", node))
        return found

    def _first_known(self, arguments: Sequence[Node], node: Node) -> list[Arm]:
        """COALESCE: each argument is used where all before it are NULL."""
        several = [self.arms(argument) for argument in arguments]
        if all(len(arms) == 1 for arms in several):
            values = tuple(arms[0].value for arms in several)
            uses: list[Source] = []
            for number, (arm,) in enumerate(several):
                before: tuple[Condition, ...] = tuple(IsNull(value) for value in values[:number])
                uses += [_under(use, before, arm.value) for use in arm.uses]
                if number + 1 < len(values):
                    uses += _deciding(IsNull(arm.value))
            return [Arm(None, Call("COALESCE", values), _changed(uses), "", node)]
        found: list[Arm] = []
        for arms in several[:-1]:
            found += [
                Arm(_all([effective, Not(IsNull(arm.value))]), arm.value, arm.uses, arm.text, arm.place)
                for effective, arm in _effective(arms)
            ]
        found += several[-1]
        return found if len(found) <= MOST_ARMS else [Arm(None, _opaque(found), _changed(_uses_of(found)), "", node)]

    def _aggregated(self, function: str, arguments: Iterable[Node], node: Node) -> list[Arm]:
        """What an aggregation takes in: each row of the group chooses for itself."""
        several = [self.arms(one) for one in arguments if one.role != "DISTINCT"]
        uses = [
            replace(use, subtype="AGGREGATION" if use.subtype in DIRECT else use.subtype)
            for arms in several
            for use in _uses_of(arms)
        ]
        values = [_one(arms) for arms in several]
        argument = values[0] if len(values) == 1 else Call("", tuple(values)) if values else ONE
        return [Arm(None, Aggregate(function, argument), unique(uses), "", node)]

    def _window(self, node: Node) -> list[Arm]:
        functions = self.arms(node.children[0])
        function = _one(functions)
        keys: list[Expression] = []
        uses = list(_uses_of(functions))
        for part in node.children[1:]:
            for one in part.children if part.role in ("partition", "ordering") else ():
                arms = self.arms(one)
                if part.role == "partition":
                    keys.append(_one(arms))
                uses += [replace(use, subtype="WINDOW", test=None) for use in _uses_of(arms)]
        return [Arm(None, Window(function, tuple(keys)), _changed(uses), "", node)]

    # -- conditions ------------------------------------------------------------------------------------------------

    def condition(self, node: Node) -> Condition:
        """The condition a ``condition``, ``conditioncomp`` or ``comparison`` node stands for."""
        if node.role == "comparison":
            return self._comparison(node)
        operator, *rest = node.children
        if operator.role == "NOT":
            return Not(self.condition(rest[0]))
        # A chain of the same operator is one node: A AND B AND C has three parts below one AND.
        if operator.role in ("AND", "OR"):
            parts = tuple(self.condition(part) for part in rest if part.role not in ("AND", "OR"))
            return And(parts) if operator.role == "AND" else Or(parts)
        return self.condition(operator)

    def _comparison(self, node: Node) -> Condition:
        operator, *operands = node.children
        word = operator.role
        if word == "EXISTS":
            role = canonical(operands[0].text)
            return _holds(self.marks.get(role, Call(f"EXISTS {role}", ())))
        several = [self.arms(operand) for operand in operands]
        count = 1
        for arms in several:
            count *= len(arms)
        if count > MOST_ARMS:
            several = [[replace(arms[0], test=None, value=_one(arms))] for arms in several]
        chosen: list[Condition] = []
        for taken in product(*[_certain(arms) for arms in several]):
            tests = [test for before, _ in taken for test in before]
            met = compared(word, [value for _, value in taken])
            chosen.append(And((*tests, met)) if tests else met)
        return chosen[0] if len(chosen) == 1 else Or(tuple(chosen))


def compared(word: str, values: Sequence[Expression]) -> Condition:
    """The condition that compares values by an operator of the language."""
    subject, *rest = values
    # The grammar reads NOT IN, NOT LIKE, IS NOT NULL as one operator each; conditions know the plain ones under a Not.
    if word.endswith("NULL"):
        return _negated(IsNull(subject), "NOT" in word)
    if word.endswith("TRUE"):
        return fails(_holds(subject)) if "NOT" in word else _holds(subject)
    if word.endswith("FROM"):
        known = And((Not(IsNull(subject)), Not(IsNull(rest[0])), Compare("=", subject, rest[0])))
        return _negated(Or((known, And((IsNull(subject), IsNull(rest[0]))))), "NOT" not in word)
    if word.endswith("IN"):
        return _negated(_in(subject, rest), word.startswith("NOT"))
    if word.endswith("LIKE"):
        return _negated(_like(subject, rest[0]), word.startswith("NOT"))
    if word.endswith("BETWEEN"):
        between = And((Compare(">=", subject, rest[0]), Compare("<=", subject, rest[1])))
        return _negated(between, word.startswith("NOT"))
    return Compare("!=" if word == "<>" else word, subject, rest[0])


def _in(subject: Expression, listed: Sequence[Expression]) -> Condition:
    constants = tuple(one for one in listed if isinstance(one, Const) and one != NULL)
    others = [Compare("=", subject, one) for one in listed if not isinstance(one, Const) or one == NULL]
    if not others:
        return In(subject, constants)
    return Or((*((In(subject, constants),) if constants else ()), *others))


def _like(subject: Expression, pattern: Expression) -> Condition:
    if isinstance(pattern, Const) and pattern.kind == "string":
        return Like(subject, pattern.text)
    return _holds(Call("LIKE", (subject, pattern)))


def _holds(value: Expression) -> Condition:
    return Compare("=", value, YES)


def _negated(condition: Condition, negated: bool) -> Condition:
    return Not(condition) if negated else condition


# -- arms --------------------------------------------------------------------------------------------------------------


def _all(tests: Sequence[Condition]) -> Condition | None:
    return None if not tests else tests[0] if len(tests) == 1 else And(tuple(tests))


def _effective(arms: Sequence[Arm]) -> Iterator[tuple[Condition, Arm]]:
    """Each arm with when it is taken: its test is TRUE and none before it is."""
    before: list[Condition] = []
    for arm in arms:
        yield And((*before, *([arm.test] if arm.test is not None else []))), arm
        if arm.test is not None:
            before.append(fails(arm.test))


def _certain(arms: Sequence[Arm]) -> Iterator[tuple[list[Condition], Expression]]:
    """The same as conditions that are never NULL, each with the value."""
    before: list[Condition] = []
    for arm in arms:
        yield [*before, *([succeeds(arm.test)] if arm.test is not None else [])], arm.value
        if arm.test is not None:
            before.append(fails(arm.test))


def _uses_of(arms: Sequence[Arm]) -> Iterator[Source]:
    """What the arms use, each by its own test, and what decides between them."""
    if len(arms) == 1:
        yield from arms[0].uses
        return
    for effective, arm in _effective(arms):
        yield from (_under(use, (effective,), arm.value) for use in arm.uses)
        if arm.test is not None:
            yield from _deciding(arm.test)


def _under(use: Source, tests: Sequence[Condition], value: Expression) -> Source:
    """A use of a value under further tests; what decides needs none.

    Nor does what a window takes from other rows: these tests are asked of the row made (rule Q16).
    """
    if any(isinstance(one, Window) and use.name in attributes_of(one.function) for one in walk(value)):
        return use
    every = [*tests, *([use.test] if use.test is not None else [])]
    return replace(use, test=_all(every)) if use.subtype in DIRECT and tests else use


def _changed(uses: Iterable[Source]) -> tuple[Source, ...]:
    """The uses of a value that goes into something else: it is handed on no more as it is."""
    return unique(replace(use, subtype="TRANSFORMATION") if use.subtype == "IDENTITY" else use for use in uses)


def _deciding(condition: Condition) -> tuple[Source, ...]:
    return unique(source_of(name, "CONDITIONAL") for name in attributes_of(condition))


def _one(arms: Sequence[Arm]) -> Expression:
    """The value of the only arm, or of several a function of all that they mention."""
    return arms[0].value if len(arms) == 1 else _opaque(arms)


def _opaque(arms: Sequence[Arm]) -> Call:
    """A choice as a function of all it mentions."""
    items = [item for arm in arms for item in (arm.test, arm.value) if item is not None]
    return Call("CASE", unique(Attr(name) for item in items for name in attributes_of(item)))


def source_of(name: str, subtype: Subtype) -> Source:
    """The use of an attribute, by the name that the rules know it by.

    >>> source_of("CORE.PARTY@BOSS.NAME", "IDENTITY")
    Source(attribute='CORE.PARTY.NAME', subtype='IDENTITY', row='CORE.PARTY@BOSS', test=None)
    """
    return Source(plain(name), subtype, row_of(name) if "@" in name else "")


def _called(node: Node) -> tuple[str, Sequence[Node]]:
    """Name and arguments of a ``function`` node; one without arguments is a leaf."""
    if not node.children:
        return node.content.upper(), ()
    return node.children[0].content, node.children[1:]


# -- constants ---------------------------------------------------------------------------------------------------------


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
        return Const("number", decimal_text(Decimal(text)))
    if node.role == "truth":
        return YES if text.upper() == "TRUE" else NO
    if node.role == "null":
        return NULL
    try:
        return Const("date", date_of(text).isoformat())
    except ValueError as error:
        raise InputError(f"{text} is not a date: {error}", location=node.location) from error


def unquote(text: str) -> str:
    """The characters of a quoted string.

    >>> unquote('"say \\\\"hi\\\\""'), unquote("'it''s'")
    ('say "hi"', "it's")
    """
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
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


def named_in(roles: Mapping[str, str]) -> Names:
    """Names as the rules know them: ``roles`` has for each role, or entity without one, the row it stands for."""

    def name(text: str) -> str:
        written = canonical(text)
        row = roles.get(entity_of(written))
        return f"{row}.{local_of(written)}" if row else written

    return name

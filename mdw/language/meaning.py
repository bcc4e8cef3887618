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

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import ClassVar

from mdw.language.arms import (
    Choice,
    all_of,
    all_said,
    certain,
    changed,
    deciding,
    one_of,
    uses_of,
)
from mdw.language.collating import collate, collate_unique
from mdw.language.comparing import compared, holds
from mdw.language.constants import CONSTANTS, cast, constant_of, unquote
from mdw.language.leaves import Names, called, collation_of, copy_of, unwrapped
from mdw.language.together import MOST_ARMS, aggregated, apart, first_known, windowed
from mdw.language.wording import shown_condition
from mdw.model.collations import COLLATE, DEFAULTS, nature_of
from mdw.model.expressions import (
    NO,
    NULL,
    YES,
    Aggregate,
    And,
    Attr,
    Call,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    Not,
    Or,
    Window,
)
from mdw.model.name import canonical
from mdw.model.rules import Source
from mdw.model.tree import Node
from mdw.model.walks import walk

ARITHMETIC = {"+": "+", "-": "-", "*": "*", "x": "*", "X": "*", "/": "/"}
AGGREGATES = {"sumof": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "count": "COUNT"}
FIRST_KNOWN = ("COALESCE", "IFNULL", "NVL")
MOST_ARGUMENTS = 6
"""Arguments of a COALESCE that is taken apart."""


class Meaning:
    """What the nodes of one mapping mean; ``names`` knows the roles it reads entities in.

    ``marks`` has for each role that EXISTS may ask for what it is a function of.
    """

    def __init__(self, names: Names = canonical, mapping: str = "", dialect: str = "") -> None:
        self.names = names
        self.mapping = mapping
        self.collation = DEFAULTS.get(dialect, "binary")
        self.marks: dict[str, Call] = {}
        # By the numbers of nodes: their arms, and the parts of those that have an arm for each combination of arms.
        self._known: dict[int, tuple[Node, list[Choice]]] = {}
        self._parts: dict[int, tuple[Sequence[Node], Callable[..., Expression]]] = {}

    def copy(self, written: str) -> tuple[Attr, tuple[Source]]:
        """An attribute as a value, by its name as written, and the use of it."""
        return copy_of(self.names(written))

    # -- expressions -----------------------------------------------------------------------------------------------

    def arms(self, node: Node) -> list[Choice]:
        """The values that an ``expression`` node, or any below it, may have, in the order in which they are tried."""
        role = node.role
        if role == "attribute":
            return [Choice(None, *self.copy(node.text), "", node)]
        arms = self._ARMS.get(role)
        if arms is None:
            # What is left only wraps one node: expression, aggregation, a place of SUBSTR.
            return self.arms(node.children[0])
        known = self._known.get(id(node))
        if known is None:
            # The node is kept as well: no other one gets its number.
            known = self._known[id(node)] = (node, arms(self, node))
        return known[1]

    def choices(self, node: Node) -> list[Choice]:
        """The same where the value itself is given or compared: there COALESCE is a choice too, and no function."""
        inner = unwrapped(node)
        name, arguments = called(inner) if inner.role == "function" else ("", ())
        if name not in FIRST_KNOWN or len(arguments) > MOST_ARGUMENTS:
            return self.arms(inner)
        several = [self.arms(argument) for argument in arguments]
        # What groups and windows give is known only where all their rows are.
        if any(isinstance(one, Aggregate | Window) for arms in several for arm in arms for one in walk(arm.value)):
            return self.arms(node)
        found = apart(several, arguments)
        return found if len(found) <= MOST_ARMS else self.arms(node)

    def value(self, node: Node) -> Expression:
        """The one value of a node; where it may have several a function of all that it mentions."""
        return one_of(self.arms(node))

    def own(self, function: str, *arguments: Expression) -> Call:
        """A function that is this mapping's own: of the same arguments it may be something else in another mapping."""
        return Call(function, (Const("string", self.mapping), *arguments))

    # What is made of other values, all of them taken as they are.

    def _arithmetic(self, node: Node) -> list[Choice]:
        if len(node.children) != 3:
            # A computation of one operand.
            return self.arms(node.children[0])
        op = ARITHMETIC[node.children[0].role]
        return self._combined(node.children[1:], lambda left, right: Compute(op, left, right), node)

    def _concatenation(self, node: Node) -> list[Choice]:
        return self._combined(node.children, lambda *parts: Concat(parts), node)

    def _substring(self, node: Node) -> list[Choice]:
        return self._combined(node.children, lambda *parts: Call("SUBSTR", parts), node)

    def _function(self, node: Node) -> list[Choice]:
        name, arguments = called(node)
        if name == COLLATE and arguments:
            return self.choices(arguments[0])
        if name in FIRST_KNOWN:
            return self._first_known(arguments, node)
        return self._combined(arguments, lambda *parts: Call(name, parts), node)

    def _cast(self, node: Node) -> list[Choice]:
        inner, kind = node.children
        return self._combined((inner,), lambda one: cast(one, unquote(kind.text)), node)

    def _field(self, node: Node) -> list[Choice]:
        inner, path = node.children
        return self._combined((inner,), lambda one: Call(f"FIELD {unquote(path.text)}", (one,)), node)

    def _opaque(self, node: Node) -> list[Choice]:
        words, *several = node.children
        return self._combined(several, lambda *parts: Call(unquote(words.text), parts), node)

    def _combined(self, nodes: Sequence[Node], make: Callable[..., Expression], node: Node) -> list[Choice]:
        """One arm for each combination of arms; the first arm of the first node goes with each of the second ..."""
        several = [self.arms(one) for one in nodes]
        combinations = prod(map(len, several))
        if combinations == 1:
            only = [arms[0] for arms in several]
            uses = changed([use for arm in only for use in arm.uses])
            return [Choice(None, make(*[arm.value for arm in only]), uses, "", node)]
        if combinations > MOST_ARMS:
            return [self._whole(node, nodes, make)]
        self._parts[id(node)] = nodes, make
        found = []
        for chosen in product(*several):
            tests = [arm.test for arm in chosen if arm.test is not None]
            text = all_said([arm.text for arm in chosen])
            place = next((arm.place for arm in chosen if arm.test is not None), node)
            uses = changed(use for arm in chosen for use in arm.uses)
            found.append(Choice(all_of(tests), make(*[arm.value for arm in chosen]), uses, text, place))
        return found

    def _whole(self, node: Node, nodes: Sequence[Node], make: Callable[..., Expression]) -> Choice:
        """What is made of other values as one value, each part of which chooses for itself.

        In ``CASE ... END + CASE ... END + ...`` no arm goes with another one: that would double with each further sum.
        """
        ones = [self._as_one(one) for one in nodes]
        return Choice(
            None, make(*[one.value for one in ones]), changed(use for one in ones for use in one.uses), "", node
        )

    def _as_one(self, node: Node) -> Choice:
        """A node as one value, however many it may have."""
        arms = self.arms(node)
        if len(arms) == 1:
            return arms[0]
        while node.role not in self._ARMS or (node.role == "computation" and len(node.children) == 1):
            node = node.children[0]
        parts = self._parts.get(id(node))
        return self._whole(node, *parts) if parts else Choice(None, one_of(arms), tuple(uses_of(arms)), "", node)

    # -- choices, and what rows give together ----------------------------------------------------------------------

    def _constant(self, node: Node) -> list[Choice]:
        return [Choice(None, constant_of(node), (), "", node)]

    def _parameter(self, node: Node) -> list[Choice]:
        # Of one name it may be another constant in another statement.
        return [Choice(None, self.own(f":{canonical(node.content[1:])}"), (), "", node)]

    def _test(self, node: Node) -> list[Choice]:
        # A condition as a value has three: TRUE, FALSE and, where it is neither, NULL.
        condition, text = self.condition(node.children[0]), shown_condition(node.children[0])
        uses = deciding(condition)
        found = [Choice(condition, YES, uses, text, node), Choice(Not(condition), NO, uses, "", node)]
        return [*found, Choice(None, NULL, (), "", node)]

    def _aggregation(self, node: Node) -> list[Choice]:
        return self._aggregated(AGGREGATES[node.role], node.children, node)

    def _aggregate(self, node: Node) -> list[Choice]:
        return self._aggregated(*called(node.children[-1]), node)

    def _case(self, node: Node) -> list[Choice]:
        found: list[Choice] = []
        for branch in node.children:
            if branch.role == "otherwise":
                found += self.arms(branch.children[0])
                break
            asked, given = branch.children
            condition, text = self.condition(asked), shown_condition(asked)
            for arm in self.arms(given):
                tests = [condition] if arm.test is None else [condition, arm.test]
                found.append(Choice(all_of(tests), arm.value, arm.uses, all_said([text, arm.text]), arm.place))
        else:
            found.append(Choice(None, NULL, (), "", node))
        return found

    def _first_known(self, arguments: Sequence[Node], node: Node) -> list[Choice]:
        return first_known([self.arms(argument) for argument in arguments], arguments, node)

    def _aggregated(self, function: str, arguments: Iterable[Node], node: Node) -> list[Choice]:
        return aggregated(function, [self.arms(one) for one in arguments if one.role != "DISTINCT"], node)

    def _window(self, node: Node) -> list[Choice]:
        parts = [part for part in node.children[1:] if part.role in ("partition", "ordering")]
        keys = [(part.role == "partition", self.arms(one)) for part in parts for one in part.children]
        return windowed(self.arms(node.children[0]), keys, node.first("frame"), node)

    _ARMS: ClassVar[Mapping[str, Callable[[Meaning, Node], list[Choice]]]] = {
        **dict.fromkeys(CONSTANTS, _constant),
        **dict.fromkeys(AGGREGATES, _aggregation),
        "aggregate": _aggregate,
        "case": _case,
        "cast": _cast,
        "computation": _arithmetic,
        "concatenation": _concatenation,
        "field": _field,
        "function": _function,
        "opaque": _opaque,
        "parameter": _parameter,
        "substring": _substring,
        "test": _test,
        "window": _window,
    }

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
            return holds(self.marks.get(role, Call(f"EXISTS {role}", ())))
        # `CASE WHEN S.T = "a" THEN S.X ELSE 0 END = 5` is true where T = "a" and X = 5, or T is not "a" and 0 = 5. The
        # tests must never be NULL themselves: else NOT of the whole would be NULL where T is (`certain`).
        collation = next((one for operand in operands if (one := collation_of(operand))), self.collation)
        several = [self.choices(operand) for operand in operands]
        combinations = prod(map(len, several))
        if combinations == 1:
            return self._met(word, [arms[0].value for arms in several], collation)
        if combinations > MOST_ARMS:
            several = [[arms[0]._replace(test=None, value=one_of(arms))] for arms in several]
        chosen: list[Condition] = []
        for taken in product(*[certain(arms) for arms in several]):
            tests = [test for before, _ in taken for test in before]
            met = self._met(word, [value for _, value in taken], collation)
            chosen.append(And((*tests, met)) if tests else met)
        return chosen[0] if len(chosen) == 1 else Or(tuple(chosen))

    def _met(self, word: str, values: Sequence[Expression], collation: str) -> Condition:
        """Values compared by a collation."""
        met = collate(compared(word, values), collation)
        # Of what type the values are nobody knows here.
        return collate_unique(met) if nature_of(collation) in ("binary", "sorted") else met

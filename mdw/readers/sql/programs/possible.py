"""A value -> the texts that it may be, where its parts are constants (rule Q31).

    'INSERT INTO t SELECT x FROM ' || CASE WHEN n > 1 THEN 'a' ELSE 'b' END      two texts
    'INSERT INTO t SELECT x FROM ' || unknown                                    'INSERT INTO t SELECT x FROM ' + HOLE

What nobody knows is a HOLE in the text: the constant parts around it still name tables.

Values are the nodes that blocks give columns. A variable is a column of an inner entity, so its texts are those that
any block which fills the entity gives it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from mdw.language.constants import unquote
from mdw.model.name import canonical, local_of, row_of
from mdw.model.query import ONE_ROW
from mdw.model.tree import Node
from mdw.readers.sql.building import Building
from mdw.readers.sql.dialects import TRANSACT, Flavour
from mdw.readers.sql.giving_rows import COLLECTIONS
from mdw.readers.sql.programs.spelling import FUNCTIONS, HOLE

MOST = 100
"""Texts of one value that are told apart."""
LONGEST = 100_000
"""Characters of a text that is put together; a longer one is no statement of anybody."""

Several: TypeAlias = tuple[str | None, ...]
"""The texts that a value may be, None for NULL."""

TEXTUAL = re.compile(r"(?i)(N?(?:VAR)?CHAR2?|BPCHAR|CHARACTER(?: VARYING)?|N?TEXT|CLOB|STRING|SYSNAME|NAME)\b")
LENGTH = re.compile(r"\((\d+)\)")
TAKING = frozenset(("ELEMENT", "EXPLODE", "EXPLODE_OUTER", "UNNEST", "GET_EXTRACT"))
"""Functions that give one of the elements of an array."""
NUMERIC = re.compile(r"-?\d+")
BRACED = re.compile(r"\{([^{}\\]*)\}")
"""PostgreSQL's text of an array."""
SPLITTING = frozenset(
    ("STRING_TO_ARRAY", "STRING_TO_TABLE", "REGEXP_SPLIT_TO_TABLE", "REGEXP_SPLIT_TO_ARRAY", "SPLIT", "STRING_SPLIT")
)
"""Functions that take a text apart at a mark."""


def _listed(text: str) -> Several:
    """The texts that a list of JSON holds, and nothing else."""
    try:
        found = json.loads(text)
    except ValueError:
        return (HOLE,)
    listed = isinstance(found, list) and all(isinstance(one, str) for one in found)
    return _each(found) if listed else (HOLE,)


class PossibleTexts:
    """What is known of the texts of a program: ``fills`` are the blocks that fill its inner entities.

    Those that are ``growing`` may be filled by more than is known yet, as at the head of a loop.
    """

    def __init__(
        self, flavour: Flavour, fills: Mapping[str, Sequence[Building]], growing: Collection[str], value: Building
    ) -> None:
        self._flavour, self._fills, self._growing, self._value = flavour, fills, growing, value
        self._known: dict[tuple[str, str, bool], Several] = {}

    def of(self, value: Node) -> list[str]:
        """The texts that a value may be; NULL is none."""
        return [one for one in self._texts(value, self._value) if one is not None]

    def _texts(self, value: Node, block: Building) -> Several:
        arm = ARMS.get(value.role)
        return arm(self, value, block) if arm is not None else self._mixed(value.children, block)

    def _attribute(self, value: Node, block: Building, *, within: bool = False) -> Several:
        """What a column of an inner entity may be, or have for elements: what any block gives it."""
        full = canonical(value.content)
        row, column = row_of(full), local_of(full)
        entity = next((one.entity for one in block.reads if canonical(one.role or one.entity) == row), "")
        key, told = (entity, column, within), self._elements if within else self._texts
        # A column of a table; or a version into which more may flow, as at the head of a loop.
        if entity not in self._fills or entity in self._growing:
            return (HOLE,)
        if key not in self._known:
            # Known as a HOLE while it is looked for, so what is made of itself may be anything.
            self._known[key] = (HOLE,)
            self._known[key] = _each(
                text
                for one in self._fills[entity]
                for text in (
                    told(one.named[column].value, one)
                    if column in one.named and not _gathers(one, one.named[column].value, self._flavour)
                    else (HOLE,)
                )
            )
        return self._known[key]

    def _elements(self, value: Node, block: Building) -> Several:
        """What the elements of an array may be: ARRAY['a', 'b'], '{a,b}', STRING_TO_ARRAY('a,b', ',')."""
        name, given = _called(value)
        if value.role == "attribute":
            return self._attribute(value, block, within=True)
        if value.role == "string" and (listed := BRACED.fullmatch(unquote(value.content))):
            return _each(one.strip().strip('"') for one in listed.group(1).split(","))
        if value.role == "cast" or (value.role in ("computation", "expression") and len(value.children) == 1):
            return self._elements(value.children[0], block)
        if name == "PARSE_JSON" and given and given[0].role == "string":
            return _listed(unquote(given[0].content))
        if name == "ARRAY":
            return _each(text for one in given for text in self._texts(one, block))
        if name in SPLITTING and len(given) == 2:
            ways = list(_ways([self._texts(one, block) for one in given]))
            if all(text and mark and HOLE not in text + mark and re.escape(mark) == mark for text, mark in ways):
                return _each(part for text, mark in ways for part in str(text).split(str(mark)))
        return self._mixed(value.children, block)

    def _field(self, value: Node, block: Building) -> Several:
        """An element of an array by its place: any of them."""
        place, name = unquote(value.children[-1].content), _called(value.children[0])[0].strip("`")
        if name in COLLECTIONS:
            return _each(text for one in _called(value.children[0])[1] for text in self._texts(one, block))
        return self._elements(value.children[0], block) if place.isdigit() else self._mixed(value.children, block)

    def _joined(self, value: Node, block: Building) -> Several:
        return _together(self._choices(value.children, block))

    def _choices(self, given: Sequence[Node], block: Building) -> Iterator[tuple[str | None, ...]]:
        """Each choice of one text of each value; what is given twice is the same text both times."""
        several = list(dict.fromkeys(given))
        for parts in _ways([self._texts(one, block) for one in several]):
            chosen = dict(zip(several, parts, strict=True))
            yield tuple(chosen[one] for one in given)

    def _added(self, value: Node, block: Building) -> Several:
        """T-SQL's + of texts; a number that is added is none."""
        sign, *parts = value.children or (value,)
        if not parts:
            return (HOLE,)
        if sign.role == "+" and len(parts) == 2 and self._flavour.name in TRANSACT:
            sides = [self._texts(one, block) for one in parts]
            if not all(_numbers(side) for side in sides):
                return _together(_ways(sides))
        return self._texts(parts[0], block) if len(value.children) == 1 else self._mixed(parts, block)

    def _wrapped(self, value: Node, block: Building) -> Several:
        """What stands in a computation of its own, or is one."""
        if len(value.children) == 1:
            return self._texts(value.children[0], block)
        return self._added(value, block)

    def _chosen(self, value: Node, block: Building) -> Several:
        """CASE: any of its values."""
        given = [text for one in value.children for text in self._texts(one.children[-1], block)]
        otherwise = any(one.role == "otherwise" for one in value.children)
        return _each([*given, *([] if otherwise else [None])])

    def _cast(self, value: Node, block: Building) -> Several:
        return self._typed(value.children[0], unquote(value.children[-1].content), block)

    def _typed(self, value: Node, type_: str, block: Building) -> Several:
        found = self._texts(value, block)
        if not TEXTUAL.match(type_):
            return found if all(one is None or NUMERIC.fullmatch(one) for one in found) else (HOLE,)
        length = LENGTH.search(type_)
        return _each(one if one is None or length is None else one[: int(length.group(1))] for one in found)

    def _function(self, value: Node, block: Building) -> Several:
        name, given = _called(value)
        if name in TAKING and given:
            return self._elements(given[0], block)
        if name in SPLITTING:
            return self._elements(value, block)
        # FOR a IN SELECT x ...: the row of one column, in a variable that is no record.
        if name == "ROW" and len(given) == 1:
            return self._texts(given[0], block)
        if name == "COALESCE":
            return _each(text for one in given for text in self._texts(one, block))
        if name == "CONVERT" and len(given) == 2 and given[0].role == "string":
            return self._typed(given[1], unquote(given[0].content), block)
        if name == "CONCAT":
            # Of CONCAT that knows no NULL the language has another word.
            return _each("".join(_there(parts)) for parts in self._choices(given, block))
        known = FUNCTIONS.get(name)
        if known is None:
            return self._mixed(given, block)
        return _each(known(parts, self._flavour) for parts in self._choices(given, block))

    def _mixed(self, parts: Iterable[Node], block: Building) -> Several:
        """Anything else: nobody knows the text, but its parts may be in it."""
        texts = [text for one in parts for text in self._texts(one, block) if text]
        return (HOLE + "".join(text + HOLE for text in texts if text.strip(HOLE)),)


def _called(value: Node) -> tuple[str, Sequence[Node]]:
    """The name of a function and what it is given; "" of anything else."""
    if value.role != "function":
        return "", ()
    return (value.children[0].content, value.children[1:]) if value.children else (value.content, ())


def _each(several: Iterable[str | None]) -> Several:
    """The texts, each once; of too many what is common to them: nothing but their parts."""
    found = tuple(dict.fromkeys(several))
    if len(found) <= MOST and all(len(one or "") <= LONGEST for one in found):
        return found
    return (HOLE.join(("", *[one[:LONGEST] for one in found[:MOST] if one], "")),)


def _ways(several: Sequence[Several]) -> Iterator[tuple[str | None, ...]]:
    """Each choice of one text of each part; of parts that may be too many together the last stay unknown."""
    number, parts = 1, []
    for one in several:
        number *= max(len(one), 1)
        parts.append(one if number <= MOST else (HOLE,))
    return product(*parts)


def _together(ways: Iterable[Sequence[str | None]]) -> Several:
    return _each(None if None in parts else "".join(_there(parts)) for parts in ways)


def _there(parts: Iterable[str | None]) -> Iterator[str]:
    return (one for one in parts if one is not None)


def _numbers(several: Several) -> bool:
    return all(one is None or NUMERIC.fullmatch(one) is not None for one in several)


def _gathers(block: Building, value: Node, flavour: Flavour) -> bool:
    """T-SQL's SELECT @s = @s + ... FROM t puts texts of all rows together."""
    return (
        flavour.name in TRANSACT
        and value.role not in ("attribute", "string")
        and bool(block.reads)
        and block.reads[0].entity != ONE_ROW
        and bool(block.variables)
    )


def _templated(text: str) -> str:
    """A constant in which a template stands, as it is written: it is looked at where the text is run."""
    return text if "{" in text else HOLE


ARMS: Mapping[str, Callable[[PossibleTexts, Node, Building], Several]] = {
    "string": lambda _, value, __: (unquote(value.content),),
    "value": lambda _, value, __: (value.content if NUMERIC.fullmatch(value.content) else HOLE,),
    "parameter": lambda _, value, __: (_templated(value.content[1:].strip("`")),),
    "null": lambda *_: (None,),
    "attribute": PossibleTexts._attribute,
    "concatenation": PossibleTexts._joined,
    "computation": PossibleTexts._wrapped,
    "expression": PossibleTexts._wrapped,
    "case": PossibleTexts._chosen,
    "cast": PossibleTexts._cast,
    "field": PossibleTexts._field,
    "function": PossibleTexts._function,
}

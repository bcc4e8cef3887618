"""Rules as compact JSON texts, the form in which the store holds what lineage questions fetch.

An expression is ``["a", name]``, ``["s"|"n"|"d"|"b"|"0", text]``, ``[op, left, right]``, ``["||", part...]``,
``["agg", function, argument]``, ``["call", function, argument...]`` or ``["over", function, key...]``; a condition
``[op, left, right]``, ``["in", subject, constant...]``, ``["like", subject, pattern]``, ``["null", subject]``,
``["and"|"or", part...]`` or ``["not", part]``. A population is ``[mapping, target, [clause...]]``, one that only copies
``[mapping, target, source, line, column]``. What most rules do not say (roles, tests of sources, the rest of an ON,
groups) stands last and is left out where nothing is said. decode is the inverse of encode.

>>> condition_list(And((Compare("=", Attr("S.Y"), Const("number", "1")), IsNull(Attr("S.Z")))))
['and', ['=', ['a', 'S.Y'], ['n', '1']], ['null', ['a', 'S.Z']]]
>>> copy = Clause(Attr("S.X"), None, "", 3, 7, (Source("S.X", "IDENTITY"),))
>>> encode_population(Population("m", "T.A", (copy,)))
'["m","T.A","S.X",3,7]'
>>> decode_populations([encode_population(Population("m", "T.A", (copy,)))])[0].clauses[0] == copy
True

Lists and no objects with names: the texts are the larger part of what a lineage question fetches and decodes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from json.encoder import encode_basestring
from typing import Any, NamedTuple, cast

import orjson

from mdw.model.errors import StoreError
from mdw.model.expressions import (
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
    Variable,
    Window,
)
from mdw.model.rules import DIRECT, Clause, Head, Join, Population, Source

CONSTANTS = {"string": "s", "number": "n", "date": "d", "boolean": "b", "null": "0"}
KINDS = {short: kind for kind, short in CONSTANTS.items()}
CHANGED_BY_HAND = "the graph of a mapping was changed by hand; remove the mapping, and load it again"
PLAIN = 5
"""Items of a population that only copies."""
COPIED = r'^\["(?P<mapping>[^"\\]*)","(?P<target>[^"\\]*)","(?P<source>[^"\\]*)",\d+,\d+\]$'
"""What such a population's text looks like where no character of it had to be escaped."""


def _write(value: list[Any]) -> str:
    # A tenth of the time of `json.dumps`.
    return orjson.dumps(value).decode()


def encode_head(head: Head) -> str:
    """A head as JSON text."""
    joins = [_join_list(join) for join in head.joins]
    filtering = condition_list(head.filter) if head.filter else None
    flat = [head.mapping, head.target, head.driving, joins, filtering, head.filter_text, head.filter_line]
    sources = [_source_list(source) for source in head.sources]
    return _write([*flat, head.update, head.file, head.line, sources, *_more_of(head)])


def _more_of(head: Head) -> list[Any]:
    """What few heads say: role, groups, what these must meet, what becomes of others, inner, several sets, picks."""
    group = None if head.group is None else [expression_list(key) for key in head.group]
    having = condition_list(head.having) if head.having else None
    policy = [head.policy, *head.nulls] if head.nulls else head.policy
    more = [head.role, group, having, policy, head.inner]
    last = [int(head.sets), 1] if head.picks else [1] if head.sets else []
    return [*more, *last] if last or more != ["", None, None, None, False] else []


def decode_heads(texts: Iterable[str]) -> tuple[Head, ...]:
    """The heads that `encode_head` wrote, all at once."""
    # One document for all of them: one call of the decoder costs less than thousands.
    with _believing():
        return tuple(map(_head, json.loads(f"[{','.join(texts)}]")))


def _head(item: list[Any]) -> Head:
    mapping, target, driving, joins, filtering, filter_text, filter_line, update, file, line, sources, *more = item
    role, group, having, said, inner, *last = more or ("", None, None, None, False)
    policy, *nulls = said if isinstance(said, list) else (said,)
    return Head(
        mapping,
        target,
        driving,
        tuple([_join(join) for join in joins]),
        condition_from(filtering) if filtering else None,
        filter_text,
        filter_line,
        update,
        file,
        line,
        tuple([_source(source) for source in sources]),
        role,
        None if group is None else tuple(map(expression_from, group)),
        condition_from(having) if having else None,
        policy,
        inner,
        bool(last and last[0]),
        len(last) > 1,
        tuple(nulls),
    )


def _join_list(join: Join) -> list[Any]:
    rest = condition_list(join.rest) if join.rest else 0
    more = [join.role, rest, join.written, *([1] if join.loose else [])]
    return [join.entity, join.kind, join.on, join.line, *(more if more != ["", 0, ""] else [])]


def _join(item: list[Any]) -> Join:
    entity, kind, on, line, *more = item
    pairs = tuple([(left, right) for left, right in on])
    if not more:
        return Join(entity, kind, pairs, line)
    role, rest, written, *loose = more
    return Join(entity, kind, pairs, line, role, condition_from(rest) if rest else None, written, bool(loose))


def _source_list(source: Source) -> list[Any]:
    if source.test is not None:
        return [source.attribute, source.subtype, source.row, condition_list(source.test)]
    return [source.attribute, source.subtype, source.row] if source.row else [source.attribute, source.subtype]


def _source(item: list[Any]) -> Source:
    if len(item) < 4:
        return Source(*item)
    attribute, subtype, row, test = item
    return Source(attribute, subtype, row, condition_from(test))


def encode_population(population: Population) -> str:
    """A population as JSON text; a plain copy, by far the most frequent, in short."""
    first = population.clauses[0] if population.clauses else None
    source = population.copied if first else None
    # A row with a role of its own is more than the name of an attribute says.
    if first and source and first.sources == ((source, "IDENTITY", "", None),) and not first.text:
        mapping, target, copied = map(encode_basestring, (population.mapping, population.target, source))
        return f"[{mapping},{target},{copied},{first.line},{first.column}]"
    clauses = [
        [
            expression_list(clause.expression),
            condition_list(clause.condition) if clause.condition else 0,
            clause.text,
            clause.line,
            clause.column,
            [_source_list(source) for source in clause.sources],
        ]
        for clause in population.clauses
    ]
    return _write([population.mapping, population.target, clauses])


def decode_populations(texts: Iterable[str]) -> tuple[Population, ...]:
    """The populations that `encode_population` wrote, one or several to a text, each on a line; all at once."""
    # A query joins the populations of a mapping by line ends; inside JSON strings those are written \n.
    with _believing():
        return tuple(map(_population, json.loads(f"[{','.join(texts)}]".replace("\n", ","))))


@contextmanager
def _believing() -> Iterator[None]:
    """StoreError for what `encode_head` and `encode_population` never wrote."""
    try:
        yield
    except (ValueError, LookupError, TypeError) as error:
        raise StoreError(f"the store holds a rule that cannot be read ({error}): {CHANGED_BY_HAND}") from error


def _population(item: list[Any]) -> Population:
    if len(item) == PLAIN:
        mapping, target, source, line, column = item
        copied, sources = _copied(source)
        return Population(mapping, target, (Clause(copied, None, "", line, column, sources),))
    mapping, target, clauses = item
    return Population(
        mapping,
        target,
        tuple(
            [
                Clause(
                    expression_from(expression),
                    condition_from(condition) if condition else None,
                    written,
                    line,
                    column,
                    tuple([_source(source) for source in sources]),
                )
                for expression, condition, written, line, column, sources in clauses
            ]
        ),
    )


class PopulationOutline(NamedTuple):
    """What a population says of ways alone: attributes whose values flow, those that decide, and constants written."""

    mapping: str
    target: str
    flows: tuple[str, ...]
    decides: tuple[str, ...] = ()
    constants: int = 0


def outlines(texts: Iterable[str]) -> Iterator[PopulationOutline]:
    """The outlines of populations that `encode_population` wrote; a tenth of the work of decoding them."""
    for item in json.loads(f"[{','.join(texts)}]"):
        # The sources stand beside each expression, so ways are read without looking into any.
        if len(item) == PLAIN:
            yield PopulationOutline(item[0], item[1], (item[2],))
            continue
        mapping, target, clauses = item
        flows = [[source[0] for source in clause[5] if source[1] in DIRECT] for clause in clauses]
        decides = tuple([source[0] for clause in clauses for source in clause[5] if source[1] not in DIRECT])
        yield PopulationOutline(mapping, target, tuple(chain(*flows)), decides, sum(not some for some in flows))


@lru_cache(maxsize=1 << 16)
def _copied(name: str) -> tuple[Attr, tuple[Source, ...]]:
    """What a plain copy of an attribute gives and uses; many share it."""
    return Attr(name), (Source(name, "IDENTITY"),)


def expression_list(expression: Expression) -> list[Any]:
    """An expression as nested lists."""
    match expression:
        case Attr(name):
            return ["a", name]
        case Const(kind, text):
            return [CONSTANTS[kind], text]
        case Compute(op, left, right):
            return [op, expression_list(left), expression_list(right)]
        case Concat(parts):
            return ["||", *map(expression_list, parts)]
        case Aggregate(function, argument):
            return ["agg", function, expression_list(argument)]
        case Call(function, arguments):
            return ["call", function, *map(expression_list, arguments)]
        case Window(function, keys):
            return ["over", expression_list(function), *map(expression_list, keys)]
        case Variable():
            raise TypeError("rules hold no variables")


def expression_from(item: list[Any]) -> Expression:
    """The expression nested lists stand for."""
    tag = item[0]
    if tag == "a":
        return Attr(item[1])
    if tag in KINDS:
        return Const(cast(Any, KINDS[tag]), item[1])
    if tag == "||":
        return Concat(tuple(map(expression_from, item[1:])))
    if tag == "agg":
        return Aggregate(item[1], expression_from(item[2]))
    if tag == "call":
        return Call(item[1], tuple(map(expression_from, item[2:])))
    if tag == "over":
        return Window(expression_from(item[1]), tuple(map(expression_from, item[2:])))
    # What is no word is an operator of arithmetic.
    return Compute(tag, expression_from(item[1]), expression_from(item[2]))


def condition_list(condition: Condition) -> list[Any]:
    """A condition as nested lists."""
    match condition:
        case Compare(op, left, right):
            return [op, expression_list(left), expression_list(right)]
        case In(subject, constants):
            return ["in", expression_list(subject), *map(expression_list, constants)]
        case Like(subject, pattern):
            return ["like", expression_list(subject), pattern]
        case IsNull(subject):
            return ["null", expression_list(subject)]
        case And(parts):
            return ["and", *map(condition_list, parts)]
        case Or(parts):
            return ["or", *map(condition_list, parts)]
        case Not(part):
            return ["not", condition_list(part)]


def condition_from(item: list[Any]) -> Condition:
    """The condition nested lists stand for."""
    tag = item[0]
    if tag == "and":
        return And(tuple(map(condition_from, item[1:])))
    if tag == "or":
        return Or(tuple(map(condition_from, item[1:])))
    if tag == "not":
        return Not(condition_from(item[1]))
    if tag == "in":
        return In(expression_from(item[1]), tuple(cast(Const, expression_from(part)) for part in item[2:]))
    if tag == "like":
        return Like(expression_from(item[1]), item[2])
    if tag == "null":
        return IsNull(expression_from(item[1]))
    return Compare(tag, expression_from(item[1]), expression_from(item[2]))

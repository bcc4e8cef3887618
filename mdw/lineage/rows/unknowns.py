"""What of the values that rules make nobody can tell, in words: how many rows are added up, what a clock says.

>>> from mdw.model.expressions import Attr
>>> unknowns([Aggregate("SUM", Attr("SALES.AMOUNT")), Call("NOW", ())], "SALES")
['how many rows of SALES are added up', 'what NOW gives each time']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdw.model.expressions import Aggregate, Call, Condition, Expression, Window
from mdw.model.function_names import WAY
from mdw.model.functions import changing, parameter, repeats, whose
from mdw.model.name import entity_of_row, row_of
from mdw.model.query import ONE_ROW
from mdw.model.rules import Head, Population
from mdw.model.walks import attributes_of, parts

ROWS = {"COUNT": "are counted", "SUM": "are added up", "AVG": "make up an average"}
"""What becomes of rows, by aggregation."""

WHICH_WAY = "which way the program takes"
MARK = "EXISTS "
"""How functions begin that say whether a join finds a row."""


def unknowns(items: Iterable[Expression | Condition], entity: str) -> list[str]:
    """What is not known of expressions and conditions; ``entity`` is what is read where they name none."""
    return list(dict.fromkeys(said for item in items for said in _of(item, entity)))


def asked(head: Head, populations: Iterable[Population]) -> list[str]:
    """What is not known of what a mapping tests, or else of what it writes."""
    given = [clause for one in populations for clause in one.clauses]
    tests = [head.filter, head.having, *(join.rest for join in head.joins), *(one.condition for one in given)]
    found = unknowns([one for one in tests if one is not None], read_by(head))
    return found or unknowns([one.expression for one in given], read_by(head))


def written(attribute: str, population: Population | None, head: Head) -> list[str]:
    """What is not known of the value that a mapping gives an attribute."""
    given = [clause.expression for clause in population.clauses] if population else []
    return unknowns(given, read_by(head)) or [f"which values of {attribute} are written"]


def read_by(head: Head) -> str:
    """The entity of whose rows it is said that a mapping reads them; its target where it reads none."""
    entities = (head.driving, *(join.entity for join in head.joins))
    return next((one for one in entities if one != ONE_ROW), head.target)


def _of(item: Expression | Condition, entity: str) -> Iterator[str]:
    match item:
        case Aggregate(function, argument) if function in ROWS:
            yield f"how many rows of {_read(argument, entity)} {ROWS[function]}"
        case Aggregate(function, argument) | Window(Aggregate(function, argument), _):
            yield f"which rows of {_read(argument, entity)} {function} is taken of"
        case Window(function, _):
            yield f"what {getattr(function, 'function', 'a window')} gives over rows of {_read(item, entity)}"
        case Call(function, _) if function == f":{WAY}":
            yield WHICH_WAY
        case Call(function, _) if function.startswith(MARK):
            yield f"whether {function.removeprefix(MARK)} has such a row"
        case Call(function, _) if parameter(item):
            yield f"what {function} is"
        case Call(function, _) if changing(item):
            yield f"what {function} gives each time"
        case Call(function, _) if whose(item):
            yield f"whose column {function} is"
        case Call(function, _) if function and not repeats(item):
            yield f"what {function} gives"
        case _:
            for part in parts(item):
                yield from _of(part, entity)


def _read(item: Expression | Condition, entity: str) -> str:
    """The entity whose rows something is made of."""
    first = next(iter(attributes_of(item)), "")
    return entity_of_row(row_of(first)) if first else entity

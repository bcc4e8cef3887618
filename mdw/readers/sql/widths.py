"""Columns that do not fit: fewer or more than there is room for, or of a name that their table lacks.

INSERT INTO t (a, b) SELECT x FROM s            1 value for the 2 columns listed of t
SELECT a, b FROM s UNION SELECT c FROM p        2 columns beside 1 in a UNION
INSERT INTO t (a, z) ..., T has A and B         t has no column z

No database runs such a statement. What can be read of it is read, and it is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlglot import exp

from mdw.model.name import parts
from mdw.model.query import ALL
from mdw.readers.sql.building import Building
from mdw.readers.sql.limits import gives_several
from mdw.readers.sql.scopes import HIDDEN, OF_STREAMS, PSEUDO
from mdw.readers.sql.work import Work

ROW_NAMES = frozenset(("ROWID", "OID", "_ROWID_"))
"""What SQLite calls the key of a row, whatever its table declares."""
UNTOLD = PSEUDO | HIDDEN | OF_STREAMS | ROW_NAMES


def fit_list(one: Any, block: Building, names: Sequence[str], target: str, work: Work, *, more: int = 0) -> None:
    """Say where an INSERT gives its columns fewer or more values than it lists; ``more`` may follow them."""
    if not len(names) <= len(block.outputs) <= len(names) + more and _counted(one.expression, block):
        work.unknown(_for_the(len(block.outputs), names, target, work))


def fit_row(row: Sequence[Any], names: Sequence[str], target: str, work: Work) -> None:
    """The same of the values of one row."""
    if len(row) != len(names) and not any(one.is_star for one in row):
        work.unknown(_for_the(len(row), names, target, work))


def fit_branches(link: Any, first: Building, others: Iterable[Building], work: Work) -> None:
    """Say where the branches of a UNION, INTERSECT or EXCEPT are not of one width."""
    for other in others:
        if len(other.outputs) != len(first.outputs) and _counted(link, first, other):
            word = type(link).__name__.upper()
            article = "a" if word == "UNION" else "an"
            work.unknown(f"{_columns(len(first.outputs))} beside {len(other.outputs)} in {article} {word}")


def fit_table(names: Iterable[str], target: str, work: Work) -> None:
    """Say which columns the target of an INSERT lacks, where all it has are known."""
    shape = work.dictionary.shape(target)
    for name in names if shape is not None else ():
        # What is written into a part of ClickHouse's Nested, n.a, is written into N.
        root = name.strip("`").partition(".")[0]
        whole = work.naming.known(root, quoted=True)
        if shape is not None and shape.has(name) is False and whole not in shape.columns and not _untold(root):
            work.unknown(f"{_shown(target, work)} has no column {work.naming.shown(name)}")


def _untold(name: str) -> bool:
    """Whether tables may have a column though nobody declared it."""
    return name.upper() in UNTOLD or name.startswith(("_", "$"))


def _counted(query: Any, *blocks: Building) -> bool:
    """Whether it is known how many columns the blocks of a query give."""
    if any(block.stars or not block.outputs or ALL in block.named or block.first is not None for block in blocks):
        return False
    # DuckDB's UNNEST of a struct whose fields nobody tells.
    return not any(gives_several(item) for select in query.find_all(exp.Select) for item in select.expressions)


def _for_the(number: int, names: Sequence[str], target: str, work: Work) -> str:
    given = f"{number} value{'' if number == 1 else 's'}"
    return f"{given} for the {_columns(len(names))} listed of {_shown(target, work)}"


def _columns(number: int) -> str:
    return f"{number} column{'' if number == 1 else 's'}"


def _shown(target: str, work: Work) -> str:
    """A table as its statements call it."""
    return work.naming.shown(parts(target)[-1] if target in work.temporary.values() else target)

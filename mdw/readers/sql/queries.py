"""Queries -> blocks: WITH, set operations, VALUES, and the SELECTs in them.

    WITH c AS (SELECT k FROM s) SELECT k FROM c UNION ALL SELECT j FROM p
        INNER `f.sql:t`.c <- S.K        the CTE is an entity of its own, which others do not see
        T <- C.K        T <- P.J        a block per branch, both into the target of the query; the second calls J K

A `Frame` says where a query stands: its target, the tables it sees, the query around. Blocks that are made on the way
(of CTEs, derived tables, subqueries) are in `Work.blocks`, and so are those that are returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlglot import exp

from mdw.model.query import ALL, ONE_ROW, Output, Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, both, call, compared, null, opaque
from mdw.readers.sql.building import Building
from mdw.readers.sql.definitions import all_of
from mdw.readers.sql.expressions import value
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.groups import or_null, total
from mdw.readers.sql.limits import limits_of
from mdw.readers.sql.pivots import written_out
from mdw.readers.sql.relations import relate
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.selects import select
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.stars import expand, star
from mdw.readers.sql.steadiness import steady
from mdw.readers.sql.subqueries import adopt, seen, set_apart
from mdw.readers.sql.tables import NAMED, entity_of, others_meant
from mdw.readers.sql.ungrouped import made_around
from mdw.readers.sql.widths import fit_branches
from mdw.readers.sql.witnesses import narrowed
from mdw.readers.sql.work import Subquery, Work

CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge)
MOST_ROWS = 100
"""Rows of VALUES that are mappings each; of more the entity is known, its rows are not (rule Q21)."""


def blocks_of(query: exp.Expr, work: Work, frame: Frame) -> list[Building]:
    """The blocks that fill the target of a query, in order; those of inner entities are made on the way."""
    query = _bare(query)
    if isinstance(query, exp.Pivot):
        query = written_out(query)
    if isinstance(query, CHANGES):
        return work.change(query, work, frame)
    frame = _with(query, work, frame)
    if isinstance(query, exp.Select):
        block = select(query, work, frame)
        if query.args.get("for_") is not None and frame.inner:
            _document(block, query)
        # The row of the total is there where no rows are: a block of its own, without keys (rule Q15).
        blocks = [block, *total(block, work)]
        or_null(block)
        return named(blocks, frame.names)
    if isinstance(query, exp.SetOperation):
        return _operation(query, work, frame)
    if isinstance(query, exp.Values):
        return named(_values(query, work, frame), frame.names)
    if isinstance(query, exp.Subquery) and query.args.get("with_"):
        return blocks_of(query.this, work, frame)
    # A table in the place of a query: TABLE t, or t in parentheses.
    block = work.building(frame.target, inner=frame.inner, location=work.place(query))
    scope = SelectScope(work, frame.parent)
    scope.tables, scope.block = dict(frame.tables), block
    relate(query, scope)
    expand(scope.relations, scope, work.place(query))
    return named([block], frame.names)


def _document(block: Building, query: exp.Expr) -> None:
    """SELECT a, b ... FOR JSON PATH gives one value, of all its columns in all its rows (T-SQL)."""
    kind = str(query.args["for_"].args.get("kind") or "")
    if kind.upper() not in ("JSON", "XML"):
        return
    whole = opaque(f"FOR {kind.upper()}", [one.value for one in block.outputs], block.location)
    block.outputs, block.named, block.columns, block.stars = [], {}, {}, []
    block.output(f"`for {kind.lower()}`", whole, block.location)


def subquery(query: exp.Expr, scope: SelectScope, role: str) -> Subquery:
    """A subquery of an expression as an inner entity.

    What its WHERE asks of the query around becomes the join's condition. Of ``(SELECT MAX(o.x) FROM o WHERE o.k = s.k
    AND o.t = 1)`` the entity has MAX(x) and K where t = 1, by K; the query around joins it by K = s.k. Anything else
    that it mentions of the query around it has to read itself (see `adopt`).
    """
    work = scope.work
    frame = Frame(work.inner(role), parent=scope, apart=True)
    blocks = blocks_of(query, work, frame)
    columns = tuple(blocks[0].named)
    on: tuple[Node, ...] = ()
    aggregated = len(blocks) == 1 and blocks[0].group == []
    alone = aggregated and not blocks[0].having and not blocks[0].limits
    at = work.place(query)
    around = made_around(blocks[0], role, at) if aggregated and work.correlated else {}
    if len(blocks) == 1:
        on = set_apart(blocks[0], role)
    # Of several branches none is set apart: each reads for itself what it mentions of the query around.
    for block in blocks:
        adopt(block, SelectScope(work, scope))
    single = aggregated and bool(on)
    values = tuple([around.get(name) or seen(blocks[0], name, role, at, single=single) for name in columns])
    return Subquery(frame.target, values, on, alone=alone, single=single)


def named(blocks: list[Building], names: Sequence[str]) -> list[Building]:
    """The blocks with their columns called by these names, in order."""
    for block in blocks if names else ():
        rename(block, names)
    return blocks


def rename(block: Building, names: Sequence[str]) -> None:
    """Call the columns of a block by these names, in order.

    Behind a star that could not be expanded nobody knows the order: such columns are made of all it stands for.
    """
    given: list[Output] = []
    block.fields = {
        name: block.fields[one.name]
        for name, one in zip(names, block.outputs, strict=False)
        if one.name in block.fields
    }
    # SELECT a, *, b with the names (x, y, z): X is a; Y and Z are anything of the star or behind it.
    open_at = next((at for at, one in enumerate(block.outputs) if one.name == ALL), len(block.outputs))
    for at, name in enumerate(names):
        if at < min(open_at, len(block.outputs)):
            one = block.outputs[at]
            given.append(Output(name, one.value, one.location))
        elif open_at < len(block.outputs):
            star = block.outputs[open_at]
            given.append(Output(name, opaque("*", [star.value], star.location), star.location))
    if open_at == len(block.outputs):
        given += block.outputs[len(names) :]
    _output_anew(block, given)
    block.stars = []


def _output_anew(block: Building, given: Sequence[Output]) -> None:
    block.outputs, block.named, block.columns = [], {}, {}
    for one in given:
        block.output(one.name, one.value, one.location)


def _bare(query: Any) -> Any:
    """A query without its parentheses."""
    while True:
        if (isinstance(query, exp.Subquery) and not _decorated(query)) or isinstance(query, exp.Paren):
            query = query.this
        else:
            return query


def _decorated(query: exp.Subquery) -> bool:
    return any(query.args.get(key) for key in ("with_", "pivots", "joins", "laterals"))


# -- WITH --------------------------------------------------------------------------------------------------------------


def _with(query: exp.Expr, work: Work, frame: Frame) -> Frame:
    """What stands around a query, with its CTEs."""
    clause = query.args.get("with_")
    return with_tables(clause, work, frame) if clause is not None else frame


def with_tables(clause: Any, work: Work, frame: Frame) -> Frame:
    """A frame with the tables of a WITH: each may read those before it, and itself where it is recursive."""
    tables, scalars = dict(frame.tables), dict(frame.scalars)
    for cte in clause.expressions:
        if cte.args.get("scalar"):
            scalars[work.naming.part(cte.args["alias"].this)] = cte
            continue
        alias = cte.args["alias"]
        name = work.naming.part(alias.this)
        names = tuple(work.naming.part(column) for column in alias.args.get("columns") or ())
        taken = _taken_whole(cte.this) if not names else None
        if taken is not None:
            # All of a table under another name is that table: `account AS (SELECT * FROM stg.account)`.
            scope = SelectScope(work, frame.parent)
            scope.tables = dict(tables)
            entity, shape, parts = entity_of(taken, scope)
            if not others_meant(entity, parts, scope):
                tables[name] = entity, shape
                continue
        entity = work.inner(name)
        inner = Frame(entity, parent=frame.parent, tables=dict(tables), names=names, scalars=scalars)
        body = cte.this
        if _reads_itself(body, cte.alias):
            _recursive(body, work, inner, name)
        blocks = blocks_of(body, work, inner)
        for key in map(work.naming.part, cte.args.get("key_expressions") or ()):
            # DuckDB's USING KEY: of the rows with a key the last one stays.
            for block in blocks:
                block.order += [block.named[key].value] if key in block.named else []
        shape = work.shape_of(blocks)
        tables[name] = entity, shape
    return replace(frame, tables=tables, scalars=scalars)


WHOLE = frozenset(("expressions", "from_", "kind", "hint", "distinct"))


def _taken_whole(body: exp.Expr) -> exp.Table | None:
    """The table of which a query gives all rows and all columns, and nothing else."""
    if not isinstance(body, exp.Select) or any(value for key, value in body.args.items() if key not in WHOLE):
        return None
    items, clause = body.expressions, body.args.get("from_")
    table = clause.this if clause is not None else None
    if len(items) != 1 or not isinstance(items[0], exp.Star) or any(items[0].args.values()):
        return None
    if not isinstance(table, exp.Table) or not isinstance(table.this, NAMED) or body.args.get("distinct"):
        return None
    alias = table.args.get("alias")
    named_anew = alias is not None and alias.args.get("columns")
    return None if named_anew or any(value for key, value in table.args.items() if key not in NAMING) else table


NAMING = frozenset(("this", "db", "catalog", "alias"))
"""What a table in a FROM has that changes nothing of its rows."""


def _reads_itself(body: exp.Expr, name: str) -> bool:
    # Whether or not it says RECURSIVE: Oracle and T-SQL have no such word. Without UNION it reads a table of its name.
    if not isinstance(body, exp.SetOperation):
        return False
    # DuckDB's recurring.t is all that T has so far.
    tables = [table for table in body.find_all(exp.Table) if table.db.lower() in ("", "recurring")]
    return any(table.name.lower() == name.lower() for table in tables)


def _recursive(body: Any, work: Work, frame: Frame, name: str) -> None:
    """Let a recursive CTE read itself: its columns are those of its first branch (rule Q17)."""
    first = body
    while isinstance(_bare(first), exp.SetOperation):
        first = _bare(first).this
    columns = frame.names or tuple(
        work.naming.known(one.alias_or_name, quoted=False) for one in getattr(_bare(first), "selects", [])
    )
    # Its entity reads itself, a circle in the graph: the engine follows that to the fixed point.
    known = bool(columns) and "*" not in columns and ALL not in columns
    frame.tables[name] = frame.target, Shape(columns if known else (), complete=known)  # type: ignore[index]


# -- set operations (rule Q12) -----------------------------------------------------------------------------------------


def _operation(query: Any, work: Work, frame: Frame) -> list[Building]:
    """The branches of UNION, each a block; INTERSECT and EXCEPT join their right sides to all blocks before them."""
    inner = replace(frame, names=(), apart=False)
    parts: list[Any] = []
    left: Any = query
    # A UNION of a thousand branches is a chain a thousand deep.
    while isinstance(left, exp.SetOperation) and not (left is not query and left.args.get("with_")):
        parts.append(left)
        left = _bare(left.this)
    blocks = blocks_of(narrowed(left, partial(steady, work)), work, inner)
    first, starred = blocks[0], any(block.stars for block in blocks)
    for link in reversed(parts):
        if isinstance(link, exp.Union):
            branch = blocks_of(link.expression, work, inner)
            starred = starred or any(block.stars for block in branch)
            by_name = bool(link.args.get("by_name"))
            if not by_name:
                fit_branches(link, first, branch, work)
            if by_name:
                _named_alike(link, blocks, branch, work, starred=starred)
            for block in branch if not by_name else ():
                if not first.stars:
                    rename(block, tuple(first.named))
                elif not block.stars:
                    block.first = first
            blocks += branch
            # Equal rows of all branches become one: that decides only (rule Q13).
            if link.args.get("distinct") and not by_name:
                for block in blocks:
                    block.distinct = block.distinct or []
        else:
            _compared(link, blocks, work, inner)
    _ordered(query, blocks, work)
    return named(blocks, frame.names)


def _named_alike(
    link: Any, before: Sequence[Building], branch: Sequence[Building], work: Work, *, starred: bool
) -> None:
    """BY NAME: every branch has the columns of all, in one order; those that it does not give itself are NULL.

    SELECT k, v FROM s UNION ALL BY NAME SELECT w, k FROM p      K = s.k, V = s.v, W = NULL;  K = p.k, V = NULL, W = p.w
    """
    left, right = before[0].named, branch[0].named
    names = [*left, *(name for name in right if name not in left)]
    if starred:
        # What a star may stand for has no place and is not missing.
        for block in (*before, *branch):
            for name in names if not block.stars else ():
                if name not in block.named:
                    block.output(name, null(block.location), block.location)
        return
    if link.args.get("on"):
        names = [work.naming.part(column.this) for column in link.args["on"]]
    elif link.args.get("kind") == "INNER":
        names = [name for name in left if name in right]
    elif link.args.get("side") == "LEFT":
        names = list(left)
    for block in (*(before if names != list(left) else ()), *branch):
        _output_anew(block, [block.named.get(name) or Output(name, null(block.location)) for name in names])


def _compared(link: Any, blocks: list[Building], work: Work, frame: Frame) -> None:
    """INTERSECT and EXCEPT: rows that are, or are not, on the right side too, NULL equal to NULL."""
    role = work.role()
    entity = work.inner(role)
    right = blocks_of(link.expression, work, replace(frame, target=entity, inner=True))
    names = list(right[0].named)
    if not link.args.get("by_name"):
        fit_branches(link, blocks[0], right[:1], work)
    kind = "SEMI JOIN" if isinstance(link, exp.Intersect) else "ANTI JOIN"
    # EXCEPT ALL takes one row away for each on the right: what is there too stays where it is there more often.
    counted = kind == "ANTI JOIN" and link.args.get("distinct") is False
    for at, made in enumerate(blocks):
        # A block joins before it groups: what groups give is compared when they are made.
        block = blocks[at] = made if made.group is None else _around(made, work)
        pairs = list(zip(block.outputs, names, strict=False))
        if link.args.get("by_name"):
            pairs = [(block.named[name], name) for name in names if name in block.named]
        on = [compared("IS NOT DISTINCT FROM", one.value, attribute(f"{role}.{name}")) for one, name in pairs]
        word = "MARK JOIN" if counted else kind
        block.reads.append(Read(entity, role, word, both(on) if on else None, work.place(link)))
        block.limits += [call("EXCEPT ALL", (), work.place(link))] if counted else []


def _around(block: Building, work: Work) -> Building:
    """A block that reads all that another gives, which fills an inner entity from here on."""
    target, inner = block.target, block.inner
    block.target, block.inner = work.inner(work.role()), True
    work.dictionary.put(block.target, work.shape_of([block]))
    return all_of(block.target, target, work, block.location, inner=inner)


def _ordered(query: exp.Expr, blocks: list[Building], work: Work) -> None:
    """ORDER BY behind a set operation names columns of the result."""
    order, scope = query.args.get("order"), SelectScope(work)
    limits = limits_of(query, scope)
    for block in blocks:
        for key in order.expressions if order is not None else ():
            for column in key.find_all(exp.Column):
                output = block.named.get(work.naming.part(column.this))
                if output is not None:
                    block.order.append(output.value)
        block.limits += limits


# -- VALUES (rule Q21) -------------------------------------------------------------------------------------------------


def _values(query: Any, work: Work, frame: Frame) -> list[Building]:
    rows = [_bare(row) for row in query.expressions]
    if len(rows) > MOST_ROWS:
        return [_many(rows, work, frame)]
    return [_row(row, work, frame) for row in rows]


def _row(row: Any, work: Work, frame: Frame) -> Building:
    at = work.place(row)
    block = work.building(frame.target, inner=frame.inner, location=at)
    block.reads.append(Read(ONE_ROW, location=at))
    scope = SelectScope(work, frame.parent)
    scope.tables, scope.block = dict(frame.tables), block
    items = row.expressions if isinstance(row, (exp.Tuple, exp.Array)) else [row]
    for item in items:
        if isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
            star(item, scope)
        else:
            block.output(work.flavour.numbered(len(block.outputs) + 1), value(item, scope), work.place(item))
    adopt(block, scope)
    return block


def _many(rows: Sequence[Any], work: Work, frame: Frame) -> Building:
    """Rows that are too many to be rules: an entity that nothing fills, with columns by their places."""
    at = work.place(rows[0])
    block = work.building(frame.target, inner=frame.inner, location=at)
    entity = work.inner("`values`")
    block.reads.append(Read(entity, location=at))
    width = len(rows[0].expressions) if isinstance(rows[0], (exp.Tuple, exp.Array)) else 1
    for number in range(1, width + 1):
        block.output(work.flavour.numbered(number), attribute(f"{entity}.COL{number}", at), at)
    return block

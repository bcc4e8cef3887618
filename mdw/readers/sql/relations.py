"""What stands in a FROM -> the relations of a scope, and what its block reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from mdw.model.name import parts
from mdw.model.query import ALL, ONE_ROW, Read
from mdw.model.tree import Location, Node
from mdw.readers.nodes import both, call, compared, field
from mdw.readers.sql.conditions import rows_that, test_of
from mdw.readers.sql.expressions import value
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.naming import joined as put_together
from mdw.readers.sql.pivots import pivoted
from mdw.readers.sql.scopes import RowSource, Scope
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.subqueries import adopt, set_apart
from mdw.readers.sql.work import Work

FIELDS = {"VALUE": "", "KEY": "KEY", "INDEX": "INDEX", "PATH": "PATH", "SEQ": "SEQ", "THIS": "THIS"}
"""What FLATTEN gives of an array; VALUE is the element."""
FORMATS = frozenset(("parquet", "json", "csv", "orc", "avro", "text", "delta", "binaryfile", "iceberg"))


# -- entities ----------------------------------------------------------------------------------------------------------


def relate(one: Any, scope: Scope, join: str = "", on: Callable[[], Node | None] | None = None) -> None:
    """Read what stands in a FROM or behind a JOIN."""
    if isinstance(one, exp.Paren):
        relate(one.this, scope, join, on)
    elif isinstance(one, (exp.Table, exp.Subquery)) and one.args.get("pivots"):
        entity, shape = pivoted(one, scope, relate)
        _read(entity, _pivot_alias(one), shape, scope, join, on, one)
    elif isinstance(one, exp.Table):
        _table(one, scope, join, on)
    elif isinstance(one, exp.Subquery) and _only_parentheses(one):
        relate(one.this, scope, join, on)
    elif isinstance(one, exp.Lateral):
        lateral(one, scope, join, on)
    elif isinstance(one, exp.Unnest):
        _unnest(one, scope, join, on)
    elif isinstance(one, exp.Query):
        _derived(one, scope, join, on)
    else:
        _function(one, one, scope, join, on)
    nested = "LEFT JOIN" if join in ("LEFT JOIN", "FULL JOIN", "RIGHT JOIN") else ""
    for more in one.args.get("joins") or ():
        joined(more, scope, nested)
    if isinstance(one, exp.Table):
        for view in one.args.get("laterals") or ():
            lateral(view, scope)


def _only_parentheses(one: exp.Subquery) -> bool:
    """Whether a subquery is no query: a table or a join in parentheses, or a query in two pairs of them."""
    return isinstance(one.this, exp.Table) or (isinstance(one.this, exp.Subquery) and not one.alias)


def _pivot_alias(one: Any) -> Any:
    pivots = one.args["pivots"]
    return pivots[-1].args.get("alias") or one.args.get("alias")


def entity_of(one: Any, scope: Scope) -> tuple[str, Shape, tuple[str, ...]]:
    """The entity a table names, what is known of it, and the parts of its name."""
    work = scope.work
    names = table_name(one, work)
    if len(names) == 1:
        found = scope.table(names[0])
        if found is not None:
            return found[0], found[1], tuple(names)
    entity = entity_named(names, work)
    work.read[entity] = None
    return (
        entity,
        work.dictionary.known(entity),
        tuple(parts(entity) if entity not in work.temporary.values() else names),
    )


def table_name(one: Any, work: Work) -> list[str]:
    """The parts of a table's name."""
    identifiers = [one.args.get("catalog"), one.args.get("db"), one.this]
    names: list[str] = []
    if one.args.get("db") is not None and "/" in one.name and one.db.lower() in FORMATS:
        # parquet.`path/of/files`
        return [work.naming.known(one.name, quoted=True)]
    for identifier in identifiers:
        if isinstance(identifier, exp.Dot):
            names += [work.naming.part(part) for part in identifier.flatten() if part.name]
        elif isinstance(identifier, (exp.Parameter, exp.Placeholder)):
            names.append(work.naming.known(f"@{identifier.name}", quoted=True))
        elif identifier is not None and identifier.name:
            names.append(work.naming.part(identifier))
    return names


def entity_named(names: Sequence[str], work: Work) -> str:
    """The entity of a name: a temporary table of the script, or with the schema that is in force."""
    if work.dotted(names):
        names = work.dotted(names)
    name = put_together(*names)
    if name in work.temporary:
        return work.temporary[name]
    return put_together(work.default, name) if len(names) == 1 and not _named_alone(name) else name


def _named_alone(name: str) -> bool:
    # T-SQL's variables and temporary tables are of no schema; a path of a file neither.
    return name.startswith(("`@", "`#")) or "/" in name


def _table(one: Any, scope: Scope, join: str, on: Callable[[], Node | None] | None) -> None:
    if isinstance(one.this, exp.Func) and not isinstance(one.this, exp.Identifier):
        _function(one.this, one, scope, join, on)
        return
    entity, shape, names = entity_of(one, scope)
    _read(entity, one.args.get("alias"), shape, scope, join, on, one, names)


def _read(
    entity: str,
    alias: Any,
    shape: Shape,
    scope: Scope,
    join: str,
    on: Callable[[], Node | None] | None,
    one: Any,
    names: Sequence[str] = (),
) -> None:
    """Join an entity to the block, under its alias."""
    work, block = scope.work, scope.block
    assert block is not None
    at = work.place(one)
    identifier = alias.this if isinstance(alias, exp.TableAlias) else alias
    own = work.naming.part(identifier) if identifier is not None and identifier.name else ""
    inner = not names or names[-1] != parts(entity)[-1] or entity in work.inner_entities
    role = own or (names[-1] if inner and names else "") or (work.role() if inner else "")
    if any(read.entity == entity and read.role == role for read in block.reads):
        role = work.role()
    labels = ((own,),) if own else (tuple(names),)
    relation = RowSource(labels, role or entity, shape, entity)
    columns = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
    if columns:
        _renamed(relation, [work.naming.part(column) for column in columns], work)
    scope.relations.append(relation)
    condition = on() if on is not None else None
    kind = ("CROSS JOIN" if condition is None and join == "INNER JOIN" else join) if block.reads else ""
    if block.reads and not kind:
        kind = "CROSS JOIN"
    block.reads.append(Read(entity, "" if role == entity else role, kind, condition, at))


def _renamed(relation: RowSource, names: Sequence[str], work: Work) -> None:
    """Call an entity's columns by other names, in order, as far as the order is known."""
    under = list(relation.shape.columns)
    label, shape = relation.label, relation.shape
    pairs = dict(zip(names, under, strict=False)) if shape.complete or len(under) >= len(names) else {}

    def column(name: str) -> Node:
        inner = pairs.get(name, ALL if name in names else name)
        shape.ask(inner)
        return Node("attribute", f"{work.naming.written(label)}.{work.naming.written(inner)}")

    relation.computed = column
    relation.shape = Shape([*names, *under[len(names) :]], complete=shape.complete)


def _derived(one: Any, scope: Scope, join: str, on: Callable[[], Node | None] | None) -> None:
    """A subquery in FROM: an entity of its own, which sees nothing of its neighbours."""
    work, alias = scope.work, one.args.get("alias")
    hint = work.naming.part(alias.this) if isinstance(alias, exp.TableAlias) and alias.this else work.role()
    names = tuple(work.naming.part(column) for column in alias.args.get("columns") or ()) if alias else ()
    query = one.this if isinstance(one, exp.Subquery) and not one.args.get("with_") else one
    frame = Frame(work.inner(hint), parent=scope.parent, tables=_tables(scope), names=names)
    shape = work.shape_of(work.query(query, work, frame))
    plain = exp.TableAlias(this=alias.this) if names and alias.this else None if names else alias
    _read(frame.target, plain, shape, scope, join, on, one, (hint,))


def _tables(scope: Scope) -> dict[str, tuple[str, Shape]]:
    return dict(scope.tables)


# -- joins -------------------------------------------------------------------------------------------------------------


def joined(join: Any, scope: Scope, weaker: str = "") -> None:
    """A JOIN, or what stands behind a comma; ``weaker``: the join it must not be stricter than."""
    side, kind, method = (join.args.get(key) or "" for key in ("side", "kind", "method"))
    using, on, this = join.args.get("using"), join.args.get("on"), join.this
    word = _word(side, kind, bool(on is not None or using or method == "NATURAL"))
    if weaker and word in ("INNER JOIN", "CROSS JOIN"):
        word = weaker
    before = list(scope.relations)

    def condition() -> Node | None:
        if using or method == "NATURAL":
            return _using(using, before, scope, word, method == "NATURAL")
        if on is None:
            return None
        if word in ("INNER JOIN", "CROSS JOIN"):
            found = rows_that(on, scope)
            return both(found) if found else None
        return test_of(on, scope)

    # A CROSS JOIN with ON is an inner join; so it is read.
    relate(this, scope, "INNER JOIN" if word == "CROSS JOIN" and on is not None else word, condition)
    if word in ("SEMI JOIN", "ANTI JOIN"):
        scope.relations[:] = before


def _word(side: str, kind: str, conditioned: bool) -> str:
    if kind in ("SEMI", "ANTI"):
        return f"{kind} JOIN"
    if side in ("LEFT", "RIGHT", "FULL"):
        return f"{side} JOIN"
    return "INNER JOIN" if conditioned and kind != "CROSS" else "CROSS JOIN"


def _using(using: Any, before: Sequence[RowSource], scope: Scope, word: str, natural: bool) -> Node | None:
    """USING and NATURAL: the columns both sides have, which are one from then on (rules Q8, Q9)."""
    work, right = scope.work, scope.relations[-1]
    names = [work.naming.part(column) for column in using or ()]
    if natural:
        names = [name for name in right.shape.columns if any(one.shape.has(name) for one in before)]
    on = []
    for name in names:
        left = scope.merged.get(name) or _left(name, before, scope)
        other = _own(right, name, scope)
        if left is None:
            continue
        on.append(compared("=", left, other))
        kept = other if word == "RIGHT JOIN" else call("COALESCE", [left, other]) if word == "FULL JOIN" else left
        scope.merged[name] = kept
        right.merged.add(name)
    return both(on) if on else None


def _left(name: str, before: Sequence[RowSource], scope: Scope) -> Node | None:
    known = [one for one in before if one.shape.has(name)] or [one for one in before if one.shape.has(name) is None]
    if len(known) > 1:
        scope.work.unknown(scope.work.naming.shown(name))
    return _own(known[0], name, scope) if known else None


def _own(relation: RowSource, name: str, scope: Scope) -> Node:
    relation.shape.ask(name)
    if relation.computed is not None:
        return relation.computed(name)
    written = scope.work.naming.written
    return Node("attribute", f"{written(relation.label)}.{written(name)}")


# -- what is computed: functions and arrays (rule Q6) ------------------------------------------------------------------


def lateral(one: Any, scope: Scope, join: str = "", on: Callable[[], Node | None] | None = None) -> None:
    """LATERAL, APPLY, LATERAL VIEW: a subquery that sees its neighbours, or a function of their columns."""
    inner = one.this
    apply = one.args.get("cross_apply")
    kind = "LEFT JOIN" if apply is False or join == "LEFT JOIN" else "INNER JOIN"
    if isinstance(inner, (exp.Subquery, exp.Query)):
        _seeing(inner, one.args.get("alias") or inner.args.get("alias"), scope, kind, on)
    else:
        _function(inner, one, scope, join, on)


def _seeing(query: Any, alias: Any, scope: Scope, kind: str, on: Callable[[], Node | None] | None) -> None:
    work = scope.work
    own = work.naming.part(alias.this) if isinstance(alias, exp.TableAlias) and alias.this else work.role()
    names = tuple(work.naming.part(column) for column in alias.args.get("columns") or ()) if alias else ()
    body = query.this if isinstance(query, exp.Subquery) else query
    frame = Frame(work.inner(own), parent=scope, names=names, apart=True)
    blocks = work.query(body, work, frame)
    shape = work.shape_of(blocks)
    apart = list(set_apart(blocks[0], own)) if len(blocks) == 1 else []
    for block in blocks:
        adopt(block, Scope(work, scope))

    def condition() -> Node | None:
        given = on() if on is not None else None
        every = [*apart, *([given] if given is not None else [])]
        return both(every) if every else None

    _read(
        frame.target,
        exp.TableAlias(this=exp.to_identifier(own.strip("`"), quoted=True)),
        shape,
        scope,
        kind,
        condition,
        query,
        (own,),
    )
    relation = scope.relations[-1]
    relation.names, relation.label = ((own,),), own
    assert scope.block is not None
    last = scope.block.reads.pop()
    scope.block.reads.append(Read(last.entity, own, last.join or "CROSS JOIN", last.on, last.location))


def _unnest(one: Any, scope: Scope, join: str, on: Callable[[], Node | None] | None) -> None:
    alias, at = one.args.get("alias"), scope.work.place(one)
    arrays = [value(array, scope) for array in one.expressions]
    naming = scope.work.naming
    columns = [naming.part(column) for column in alias.args.get("columns") or ()] if alias is not None else []
    own = naming.part(alias.this) if alias is not None and alias.this else ""
    offset = one.args.get("offset")
    elements = [call("ELEMENT", [array], at) for array in arrays]
    if not columns and own:
        columns = [own]
    ordinal = naming.part(offset) if isinstance(offset, exp.Identifier) else ""
    pairs = dict(zip(columns, elements, strict=False))
    pairs.update({name: call("ORDINAL", (), at) for name in columns[len(elements) :] if offset})
    if ordinal:
        pairs[ordinal] = call("ORDINAL", (), at)

    def column(name: str) -> Node:
        found = pairs.get(name)
        return found if found is not None else field(elements[0], naming.shown(name), at)

    known = len(elements) != 1 or not own
    _computed(
        own, Shape([name for name in pairs if name], complete=known and bool(columns)), column, scope, join, on, at
    )


def _function(one: Any, holder: Any, scope: Scope, join: str, on: Callable[[], Node | None] | None) -> None:
    """A table function: its columns are functions of its arguments."""
    work, at = scope.work, scope.work.place(holder)
    alias = holder.args.get("alias")
    naming = work.naming
    own = naming.part(alias.this) if isinstance(alias, exp.TableAlias) and alias.this else ""
    columns = (
        [naming.part(column) for column in alias.args.get("columns") or ()] if isinstance(alias, exp.TableAlias) else []
    )
    inner = one.this if isinstance(one, (exp.TableFromRows, exp.Paren)) else one
    if isinstance(inner, exp.Subquery) and isinstance(inner.this, exp.Query):
        _derived(inner, scope, join, on)
        return
    flat = isinstance(inner, (exp.Explode, exp.ExplodeOuter, exp.Posexplode, exp.PosexplodeOuter, exp.Inline))
    node = _element(inner, scope, at) if flat else value(inner, scope)
    position = isinstance(inner, (exp.Posexplode, exp.PosexplodeOuter))
    snowflake = flat and not columns

    def column(name: str) -> Node:
        if position and columns and name == columns[0]:
            return call("ORDINAL", (), at)
        if flat:
            word = FIELDS.get(name) if snowflake else ""
            return (
                call(f"ELEMENT_{word}", [*node.children[1:]], at)
                if word
                else node
                if word == ""
                else field(node, naming.shown(name), at)
            )
        return field(node, naming.shown(name), at) if name not in (own,) else node

    if (position and len(columns) == 2) or columns:
        shape = Shape(columns, complete=True)
    else:
        shape = Shape(FIELDS if snowflake and not isinstance(inner, exp.Inline) else ([own] if own else ()))
    _computed(own, shape, column, scope, join, on, at)


def _element(inner: Any, scope: Scope, at: Location | None) -> Node:
    """An element of the array that is taken apart."""
    given = [part for part in (inner.this, *(inner.expressions or ())) if isinstance(part, exp.Expr)]
    arrays = [part for part in given if not isinstance(part, exp.Kwarg) or part.this.name.upper() == "INPUT"]
    paths = [part for part in given if isinstance(part, exp.Kwarg) and part.this.name.upper() == "PATH"]
    nodes = [value(part, scope) for part in arrays]
    if paths and nodes and isinstance(paths[0].expression, exp.Literal):
        nodes[0] = field(nodes[0], paths[0].expression.this, at)
    return call("ELEMENT", nodes, at)


def _computed(
    own: str,
    shape: Shape,
    column: Callable[[str], Node],
    scope: Scope,
    join: str,
    on: Callable[[], Node | None] | None,
    at: Location | None,
) -> None:
    relation = RowSource(((own,),) if own else (), own or "`computed`", shape, "", column)
    scope.relations.append(relation)
    block = scope.block
    assert block is not None
    if not block.reads:
        block.reads.append(Read(ONE_ROW, location=at))
    condition = on() if on is not None else None
    if condition is not None and join in ("INNER JOIN", "CROSS JOIN"):
        block.where.append(condition)

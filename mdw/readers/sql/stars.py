"""Stars: all columns of relations, as far as anybody knows them (rule Q22).

    SELECT s.*, p.* FROM s JOIN p ...      S is known to have K, V; of P nothing is known
        outputs K = s.k, V = s.v, * = p.*; and Z = p.z when somebody asks this query for Z

Asking goes on from block to block: who reads Z of a query with a star makes that give Z, which may ask P's query for Z.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlglot import exp

from mdw.model.query import ALL, ALL_BUT
from mdw.model.tree import Location, Node
from mdw.readers.nodes import attribute, field, opaque, parameter, text
from mdw.readers.sql.expressions import value
from mdw.readers.sql.matching import Met, names_that
from mdw.readers.sql.scopes import RowSource, SelectScope, Star, everything, seen_from
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.structs import fields_told, gives_rows, made_of_fields, of_rows, selected
from mdw.readers.sql.variables import field_of


def star(one: Any, scope: SelectScope, wanted: Met | None = None) -> None:
    """Give what ``*`` or ``t.*`` stands for, without what it excludes, with what it replaces.

    ``wanted``: only columns whose names are.
    """
    if isinstance(one, exp.Dot):
        _of_value(one, scope)
        return
    work = scope.work
    at = work.place(one)
    relations = list(scope.relations)
    marks = one
    if isinstance(one, exp.Column):
        marks = one.this
        qualifier = [work.naming.part(part) for part in one.parts[:-1]]
        found = [
            seen_from(relation, distance, work, at)
            for distance, around in scope.around()
            if (relation := around.relation(qualifier))
        ]
        relations = found[:1] or _variable(one, scope)
        found = relations
        if not found and _within(one, scope):
            return
        if not found:
            work.unknown(f"{'.'.join(part.name for part in one.parts[:-1])}.*")
    block = scope.block
    assert block is not None
    before = len(block.outputs)
    apart = isinstance(one, exp.Column)
    expand(relations, scope, at, marks if isinstance(marks, exp.Star) else None, apart=apart)
    pattern = marks.args.get("ilike") if isinstance(marks, exp.Star) else None
    if wanted is None and isinstance(pattern, exp.Literal):
        wanted = names_that(exp.ILike(this=exp.Star(), expression=pattern.copy()))
    if wanted is not None:
        given = block.outputs[before:]
        block.outputs[before:] = [one for one in given if one.name == ALL or wanted(work.naming.shown(one.name))]
        block.named = {one.name: one for one in block.outputs}


def _variable(one: Any, scope: SelectScope) -> list[RowSource]:
    """The row that a variable holds, if one is meant (rule Q27)."""
    work, at = scope.work, scope.work.place(one)
    name = ".".join(work.naming.part(part) for part in one.parts[:-1])
    held = work.variables.get(name)
    shape = work.dictionary.shape(held.entity) if held is not None and held.entity and not held.column else None
    given = [key.removeprefix(f"{name}.") for key in work.variables if key.startswith(f"{name}.")]
    if shape is None and not given:
        return []
    # Of a row of which only parts were given the others are not known, unless it was NULL before.
    more = not shape.complete if shape is not None else held is None or held.value is None
    if shape is None or given:
        shape = Shape((*(shape.columns if shape is not None else ()), *given), complete=not more)

    def computed(column: str) -> Node:
        return field_of((name, column), scope, at) or parameter(column, at)

    return [RowSource(((name,),), name, shape, "", computed, more=more)]


def _within(one: Any, scope: SelectScope) -> bool:
    """Give the fields of a struct: ``s.*`` where s is a column; if nobody told its type, whatever is asked for."""
    work, at = scope.work, scope.work.place(one)
    parts = one.parts[:-1]
    whole = scope.column(work.naming.part(parts[-1]), [work.naming.part(part) for part in parts[:-1]], at)
    if whole is None or whole.role == "opaque":
        return False
    label = f"{'.'.join(part.name for part in parts)}"
    fields = list(fields_told(whole, scope))
    shape = Shape(fields, complete=bool(fields))
    relation = RowSource(((work.naming.part(parts[-1]),),), label, shape, "", lambda name: _field(whole, name, scope))
    expand([relation], scope, at, one.this if isinstance(one.this, exp.Star) else None)
    return True


def _of_value(one: Any, scope: SelectScope) -> None:
    """Give the fields of what an expression makes: STRUCT(t.a AS x).*, (f(t.doc)).*, IF(t.k IS NULL, u, t).*."""
    work, at, inner = scope.work, scope.work.place(one), one.this.unnest()
    if isinstance(inner, exp.Column) and isinstance(inner.this, exp.Identifier):
        # PostgreSQL's (t).* is t.*, and (t.address).* is t.address.*.
        table = dict(zip(("table", "db", "catalog"), [part.copy() for part in reversed(inner.parts)], strict=False))
        star(exp.Column(this=one.expression.copy(), **table), scope)
        return
    made = dict(made_of_fields(inner, scope))
    whole = value(inner, scope) if not made else parameter("*", at)

    rows = gives_rows(inner, scope) and inner.find(exp.Query) is None

    def given(name: str) -> Node:
        if rows and name != ALL and name not in made:
            # Of rows whose columns nobody knows one is asked for.
            return value(of_rows(inner.copy(), work.naming.shown(name)), scope)
        return value(made[name], scope) if name in made else _field(whole, name, scope)

    listed = fields_told(value(inner.this, scope), scope, each=True) if isinstance(inner, exp.Inline) else ()
    shape = Shape(made or selected(inner, scope) or listed, complete=True)
    shape.complete = bool(shape.columns)
    label = work.naming.known(inner.sql(dialect=work.flavour.parser), quoted=True)
    expand([RowSource(((label,),), label, shape, "", given)], scope, at, one.expression)


def _field(whole: Node, name: str, scope: SelectScope) -> Node:
    return whole if name == ALL else field(whole, scope.work.naming.shown(name), whole.location)


def expand(
    relations: Iterable[RowSource],
    scope: SelectScope,
    at: Location | None,
    marks: exp.Star | None = None,
    *,
    apart: bool = False,
    but: frozenset[str] = frozenset(),
) -> None:
    """Give all columns of relations ``but`` some; ``apart``: t.* was asked for of an array's elements with fields."""
    given_otherwise = marks.args.get("replace") or () if marks is not None else ()
    replaced = {scope.work.naming.part(one.args["alias"]): value(one.this, scope) for one in given_otherwise}
    block, work = scope.block, scope.work
    assert block is not None
    # A column that USING made one of two is given once, at the place of the first.
    merged: set[str] = set()
    several = list(relations)
    for relation in several:
        without, renamed = but | _left_out(marks, relation, scope), _renamed(marks, relation, scope)
        fields = bool(relation.element) and (apart or relation.shape.complete)
        for name, node in list(columns_of(relation, scope, at)):
            if (
                (fields and name == relation.element)
                or name in without
                or name in merged
                or (name in relation.merged and name in scope.merged and name in block.named)
            ):
                continue
            given = scope.merged.get(name, node)
            merged |= {name} & set(scope.merged)
            block.output(renamed.get(name, name), replaced.get(name, given), at)
            if name in relation.shape.fields and name not in replaced:
                block.fields[renamed.get(name, name)] = relation.shape.fields[name]
        # What an array's elements have is what anybody asks of them: they are no star, but where ``more`` says so.
        some = relation.computed and set(relation.shape.columns) - {ALL} and not fields
        if not relation.shape.complete and (relation.more or not some):
            pass_on(relation, scope, at, without | frozenset(replaced) | frozenset(renamed))
            # * REPLACE (x AS a): A is there for certain, though nobody knows the others.
            for name in (*replaced, *renamed):
                if renamed.get(name, name) not in block.named:
                    own = replaced[name] if name in replaced else _column(name, relation, several, scope, at)
                    block.output(renamed.get(name, name), own or everything(relation, work, at), at)
    # Whoever asks for what no other star surely gives may ask for a field of an array's elements.
    for relation in several if block.stars else ():
        if relation.element and not relation.shape.complete and not apart:
            without = but | _left_out(marks, relation, scope)
            block.stars.append(Star(relation, without | frozenset(relation.shape.columns), at))


def _column(
    name: str, relation: RowSource, several: Sequence[RowSource], scope: SelectScope, at: Location | None
) -> Node | None:
    """A column that a star calls otherwise: the relation's whose star it is, else that of any that may have it."""
    if len(several) > 1:
        return scope.column(name, (), at)
    relation.shape.ask(name)
    written = scope.work.naming.written
    return relation.computed(name) if relation.computed else attribute(f"{written(relation.label)}.{written(name)}", at)


def columns_of(relation: RowSource, scope: SelectScope, at: Location | None) -> Iterator[tuple[str, Node]]:
    work = scope.work
    for name in list(relation.shape.columns):
        if name == ALL:
            continue
        if relation.computed is not None:
            yield name, relation.computed(name)
        else:
            content = f"{work.naming.written(relation.label)}.{work.naming.written(name)}"
            yield name, Node("attribute", content, (), at)


def pass_on(relation: RowSource, scope: SelectScope, at: Location | None, without: frozenset[str]) -> None:
    """Of a relation whose columns nobody knows everything goes on, and whatever is asked for by name."""
    block = scope.block
    assert block is not None
    known = frozenset(relation.shape.columns)
    block.stars.append(Star(relation, without | known, at))
    node = everything(relation, scope.work, at)
    if without:
        node = opaque(ALL_BUT, [node, *[text(name, at) for name in sorted(without)]], at)
    # One output stands for all stars of a query: of s.*, p.* it is made of both.
    if ALL in block.named:
        before = block.named[ALL].value
        parts = before.children[1:] if before.role == "opaque" and before.children[0] == text("*") else (before,)
        block.outputs = [one for one in block.outputs if one.name != ALL]
        del block.named[ALL]
        node = opaque("*", [*parts, node], at)
    block.output(ALL, node, at)
    block.supplied = lambda name: _supplied(name, scope, at)
    if relation.entity in scope.work.of_files:
        scope.work.unknown(f"{scope.work.of_files[relation.entity]}.*")
    elif relation.entity not in scope.work.inner_entities:
        scope.work.unknown(f"{scope.work.naming.shown(relation.entity or relation.label)}.*")


def _supplied(name: str, scope: SelectScope, at: Location | None) -> Node:
    """A column that was asked for by name, of those relations whose star may stand for it."""
    block = scope.block
    assert block is not None
    # Of several stars that may give it, those that surely do.
    stars = [one for one in block.stars if one.may_give(name)]
    sure = [one for one in stars if one.relation.shape.has(name)] or stars
    values = []
    for one in sure:
        one.relation.shape.ask(name)
        label = scope.work.naming.written(one.relation.label)
        content = f"{label}.{scope.work.naming.written(name)}"
        given = one.relation.computed
        values.append(given(name) if given else Node("attribute", content, (), one.location))
    return values[0] if len(values) == 1 else opaque(name, values, at)


def _left_out(marks: exp.Star | None, relation: RowSource, scope: SelectScope) -> frozenset[str]:
    """The columns of a relation that EXCEPT takes away: EXCEPT (b.x) takes that of B alone (rule Q36)."""
    some = marks.args.get("except_") or () if marks is not None else ()
    return frozenset(name for one in some if (name := _of_relation(one, relation, scope)))


def _renamed(marks: exp.Star | None, relation: RowSource, scope: SelectScope) -> dict[str, str]:
    """The columns of a relation that RENAME calls otherwise."""
    some = marks.args.get("rename") or () if marks is not None else ()
    found = {_of_relation(one.this, relation, scope): scope.work.naming.part(one.args["alias"]) for one in some}
    found.pop("", None)
    return found


def _of_relation(one: Any, relation: RowSource, scope: SelectScope) -> str:
    """The column that a name behind EXCEPT or RENAME means, if it may be one of a relation, else ""."""
    naming = scope.work.naming
    if not isinstance(one, exp.Column):
        return naming.part(one) if isinstance(one, exp.Identifier) else naming.known(one.name, quoted=False)
    qualifier = tuple(naming.part(part) for part in one.parts[:-1])
    # What is no relation is a struct, which goes without one of its fields and stays.
    meant = scope.relation(qualifier) if qualifier else relation
    return naming.part(one.this) if meant is relation else ""

"""DDL: what it says of entities, and the moves that come with it (rule Q20).

CREATE TABLE t (a INT, b AS (a + 1))      T has A and B and no others; B is an update of T from itself
ALTER TABLE t RENAME TO u                 all of T goes to U; from here on nothing is known of T
ALTER TABLE t SWAP WITH u                 all of each goes to the other
DROP TABLE t                              nothing is known of T: who makes it again makes another
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.model.dictionary import EntityEntry
from mdw.model.query import ALL, Read
from mdw.model.tree import Location
from mdw.readers.nodes import attribute, opaque
from mdw.readers.sql.building import Building
from mdw.readers.sql.defaults import default_of, filled_once
from mdw.readers.sql.expressions import value
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.scopes import RowSource, SelectScope, Star, whole_row
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.tables import FLEETING, called_here, entity_named, entity_of, made_anew, table_name
from mdw.readers.sql.telling import attribute_entry, columns, commented, computed_by, key_of
from mdw.readers.sql.type_names import type_name
from mdw.readers.sql.work import Work


def create_table(one: Any, target: str, work: Work, found: Outcome) -> None:
    """A table without a query: its columns; computed ones are made of others of the row."""
    if not isinstance(one.this, exp.Schema):
        _like(one, target, work, found)
        return
    shape = Shape(complete=True)
    for like in one.this.find_all(exp.LikeProperty):
        create_alike(like.this, target, work, found)
        liked = work.dictionary.known(target)
        shape.columns.update(liked.columns)
        # (LIKE t) has whatever T has: where nobody knows all of that, of neither.
        shape.complete = shape.complete and liked.complete
    definitions = columns(one)
    for part in definitions:
        shape.columns[work.naming.part(part if isinstance(part, exp.Identifier) else part.this)] = None
    work.dictionary.put(target, shape)
    formulas(one, target, shape, work)


def formulas(one: Any, target: str, shape: Shape, work: Work) -> None:
    """What the columns that are declared are computed by."""
    for part in columns(one):
        _computed(part, target, shape, work)


def _computed(part: Any, target: str, shape: Shape, work: Work) -> None:
    """A computed column: an update of the table from itself."""
    for constraint in part.args.get("constraints") or ():
        formula = computed_by(constraint.args.get("kind"))
        if formula is not None:
            block = work.building(target, inner=False, location=work.place(part))
            block.change, block.others = "UPDATING", "CARRY"
            block.reads.append(Read(target, location=block.location))
            scope = SelectScope(work, block=block)
            scope.relations.append(RowSource((), target, shape, target))
            block.output(work.naming.part(part.this), value(formula, scope), block.location)


def _like(holder: Any, target: str, work: Work, found: Outcome) -> None:
    """CREATE TABLE ... LIKE: the columns of another, none of its rows."""
    for one in holder.find_all(exp.LikeProperty):
        create_alike(one.this, target, work, found)


def create_alike(table: Any, target: str, work: Work, found: Outcome) -> None:
    """A table with the columns of another."""
    source, shape, _ = entity_of(table, SelectScope(work))
    found.reads[source] = None
    work.dictionary.put(target, Shape(shape.columns, complete=shape.complete))
    _told_alike(source, target, work)


def _told_alike(source: str, target: str, work: Work) -> None:
    """What is told of one entity is told of its copy."""
    entry = work.telling.entry(source)
    if entry is not None:
        work.telling.put(replace(entry, name=target, file=work.places.file))


def inherited(target: str, others: list[str], work: Work) -> None:
    """A table has the columns of those it inherits from, before its own (PostgreSQL)."""
    own, entry = work.dictionary.known(target), work.telling.entry(target)
    above = [work.dictionary.known(one) for one in others]
    columns = [name for shape in (*above, own) for name in shape.columns]
    work.dictionary.put(target, Shape(columns, complete=all(shape.complete for shape in above)))
    if entry is not None:
        told = [work.telling.entry(one) for one in others]
        attributes = {part.name: part for one in (*told, entry) if one is not None for part in one.attributes}
        whole = entry.whole and all(one is not None and one.whole for one in told)
        work.telling.put(replace(entry, attributes=tuple(attributes.values()), whole=whole))


def clone(table: Any, target: str, work: Work, found: Outcome, *, inner: bool, shape: Shape | None = None) -> None:
    """A copy of a table with all its rows, or of those of its columns that a ``shape`` has."""
    source, _, _ = entity_of(table, SelectScope(work))
    block = all_of(source, target, work, work.place(table), inner=inner, shape=shape)
    found.filling.append(block)
    work.dictionary.put(target, work.shape_of([block]))
    _told_alike(source, target, work)


def historied(one: Any, table: str, work: Work, found: Outcome) -> None:
    """SYSTEM_VERSIONING = ON (HISTORY_TABLE = h): what rows were before they were changed goes to H."""
    for told in one.find_all(exp.WithSystemVersioningProperty):
        if told.args.get("on") and isinstance(told.this, exp.Table):
            target = entity_named(table_name(told.this, work), work)
            block = all_of(table, target, work, work.place(told.this), inner=False)
            if work.dictionary.shape(target) is None:
                work.dictionary.put(target, work.shape_of([block]))
            found.reads[table] = found.writes[target] = None
            found.filling.append(block)


def all_of(
    source: str, target: str, work: Work, at: Location | None, *, inner: bool, shape: Shape | None = None
) -> Building:
    """The block by which all of one entity goes to another, or the columns of a ``shape``."""
    block = work.building(target, inner=inner, location=at)
    block.reads.append(Read(source, location=at))
    shape = shape or work.dictionary.known(source)
    written = work.naming.written
    for name in shape.columns:
        if name != ALL:
            block.output(name, attribute(f"{written(source)}.{written(name)}", at), at)
    # What else it has goes as well: as one star, and by name when somebody asks for it.
    if not shape.complete:
        relation = RowSource((), source, shape, source)
        block.stars.append(Star(relation, frozenset(shape.columns), at))
        block.output(ALL, attribute(f"{written(source)}.{ALL}", at), at)

        def supplied(name: str) -> Any:
            shape.ask(name)
            return attribute(f"{written(source)}.{written(name)}", at)

        block.supplied = supplied
        work.unknown(f"{work.naming.shown(source)}.*")
    return block


def anything_of(source: str, target: str, work: Work, *, inner: bool) -> Building:
    """The block by which whatever one entity has may be in whatever another has.

    For texts of which a part is not known (rule Q31): they name both, and nobody knows which column goes where.
    """
    block = work.building(target, inner=inner)
    block.reads.append(Read(source, location=block.location))
    shape = work.dictionary.known(source)
    every = whole_row(RowSource((), source, shape, source), work, block.location)

    def supplied(_: str) -> Any:
        return opaque("?", every, block.location)

    for name in work.dictionary.known(target).columns:
        block.output(name, supplied(name), block.location)
    star = RowSource((), source, Shape(), source)
    block.stars.append(Star(star, frozenset(block.named), block.location))
    block.output(ALL, supplied(ALL), block.location)
    block.supplied = supplied
    work.unknown(f"{work.naming.shown(source)}.*")
    return block


def alter(one: Any, work: Work) -> Outcome:
    """ALTER TABLE: columns that come, and names and contents that move."""
    found = Outcome("alter")
    table = entity_named(table_name(one.this, work), work) if isinstance(one.this, exp.Table) else ""
    found.target = table
    for action in one.args.get("actions") or ():
        if isinstance(action, exp.AlterRename):
            renamed(table, action.this, work, found)
        elif isinstance(action, exp.SwapTable):
            swapped(table, action.this, work, found)
        elif isinstance(action, exp.RenameColumn):
            _column_renamed(table, action.this.this, action.args["to"].this, action, work)
        else:
            # MySQL's and Hive's CHANGE a b INT says of a column what it is called, too.
            before, after = action.args.get("rename_from"), action.args.get("rename_to")
            if isinstance(action, exp.AlterColumn) and after is not None:
                _column_renamed(table, action.this, after, action, work)
                action.set("this", after.copy())
            elif isinstance(action, exp.ModifyColumn) and before is not None:
                _column_renamed(table, before, action.this.this, action, work)
            _altered(table, action, work)
        if isinstance(action, exp.AlterColumn) and isinstance(using := action.args.get("using"), exp.Expr):
            # TYPE date USING to_date(b): as an UPDATE of all rows.
            given = exp.EQ(this=exp.column(action.this.copy()), expression=using.copy())
            work.change(exp.Update(this=one.this.copy(), expressions=[given]), work, Frame(table))
    historied(one, table, work, found)
    return found


def _altered(table: str, action: Any, work: Work) -> None:
    """What an ALTER tells of columns and keys."""
    telling = work.telling
    parts = action.expressions if isinstance(action, exp.Schema) else [action]
    for part in parts:
        if isinstance(part, exp.ColumnDef):
            _added(table, part, work)
        elif isinstance(part, exp.AddConstraint):
            keys, references = zip(*[key_of(one, table, work) for one in part.expressions], strict=True)
            key, foreign = sum(keys, ()), sum(references, ())
            telling.add(EntityEntry(table, key=key, references=foreign))
        elif isinstance(part, exp.ModifyColumn):
            entry = attribute_entry(part.this, work)
            telling.change(table, entry.name, type=entry.type, default=entry.default, required=entry.required)
        elif isinstance(part, exp.AlterColumn):
            telling.change(table, work.naming.part(part.this), **_changed(part, work))
        elif isinstance(part, exp.Drop) and part.args.get("kind") == "COLUMN":
            for one in part.args.get("tables") or ():
                name = work.naming.part(one.parts[-1])
                telling.drop(table, name)
                work.dictionary.known(table).columns.pop(name, None)


def _added(table: str, part: Any, work: Work) -> None:
    """A column that comes: the rows there are have its default."""
    entry = attribute_entry(part, work)
    shape = work.dictionary.known(table)
    shape.columns[entry.name] = None
    work.telling.add(EntityEntry(table, (entry,), file=work.places.file, dialect=work.flavour.name))
    _computed(part, table, shape, work)
    if entry.default or entry.identity:
        block = work.building(table, inner=table in work.temporary.values(), location=work.place(part))
        block.change, block.others = "UPDATING", "CARRY"
        block.reads.append(Read(table, location=block.location))
        told = work.telling.entry(table)
        assert told is not None
        block.output(entry.name, default_of(entry, told, work), block.location)


def _changed(part: Any, work: Work) -> dict[str, Any]:
    """What ALTER COLUMN tells anew."""
    parser = work.flavour.parser
    told: dict[str, Any] = {}
    if part.args.get("default") is not None:
        told["default"] = part.args["default"].sql(dialect=parser)
    elif part.args.get("drop") and part.args.get("allow_null") is None:
        told["default"] = ""
    if part.args.get("dtype") is not None:
        told["type"] = type_name(part.args["dtype"], parser)
    if isinstance(part.args.get("comment"), exp.Expr):
        told["description"] = part.args["comment"].name
    if part.args.get("allow_null") is not None:
        told["required"] = not part.args.get("drop")
    return told


def comment(one: Any, work: Work) -> Outcome:
    """COMMENT ON: what an entity or an attribute means."""
    names, column, text = commented(one, work)
    found = Outcome("comment")
    if names and (column or str(one.args.get("kind") or "").upper() in ("TABLE", "VIEW", "MATERIALIZED VIEW")):
        found.target = entity_named(names, work)
        if column:
            work.telling.change(found.target, column, description=text)
        else:
            work.telling.add(EntityEntry(found.target, description=text))
    return found


def _column_renamed(table: str, was: Any, called: Any, action: Any, work: Work) -> None:
    shape = work.dictionary.known(table)
    before, after = work.naming.part(was), work.naming.part(called)
    if before == after:
        return
    written, at = work.naming.written, work.place(action)
    block = work.building(table, inner=table in work.temporary.values(), location=at)
    block.change, block.others = "UPDATING", "CARRY"
    block.reads.append(Read(table, location=at))
    block.output(after, attribute(f"{written(table)}.{written(before)}", at), at)
    names = [after if name == before else name for name in shape.columns]
    work.dictionary.put(table, Shape(names, complete=shape.complete))
    work.telling.rename(table, before, after)


def renamed(table: str, to: Any, work: Work, found: Outcome) -> None:
    """A name moves, and with it what was built under it."""
    names = table_name(to, work)
    entity, called = called_here(entity_named(names, work), work), called_here(table, work)
    if len(names) == 1 and "." in called and "." not in entity:
        entity = f"{called.rpartition('.')[0]}.{entity}"
    entity, inner = made_anew(entity, work)
    inner = inner or (called == table and table in work.temporary.values())
    found.kind, found.target = "rename", entity
    found.reads[table] = None
    found.writes[entity] = None
    work.telling.move(table, entity)
    # Whoever reads the new name reads what was built under the old one, here or in other files. So the name moves by a
    # block, and who has read the old one before still reads that.
    unresolved = dict(work.unresolved)
    block = all_of(table, entity, work, work.place(to), inner=inner)
    # All columns move by name, known or not.
    work.unresolved = unresolved
    filled_once([block])
    found.filling.append(block)
    work.dictionary.put(entity, work.shape_of([block]))
    work.dictionary.drop(table)
    work.temporary.pop(f"{FLEETING}{called}", None)
    replaced(entity, work)


def swapped(table: str, to: Any, work: Work, found: Outcome) -> None:
    """Two tables change their contents."""
    other = entity_named(table_name(to, work), work)
    found.kind = "swap"
    found.reads.update({table: None, other: None})
    one, two = made_anew(table, work), made_anew(other, work)
    found.target = one[0]
    for (entity, inner), source in ((one, other), (two, table)):
        found.writes[entity] = None
        block = all_of(source, entity, work, work.place(to), inner=inner)
        filled_once([block])
        found.filling.append(block)
        if entity not in (table, other):
            work.dictionary.put(entity, work.shape_of([block]))
        replaced(entity, work)


def drop(one: Any, work: Work) -> Outcome:
    """DROP: from here on nothing is known of it."""
    kind = str(one.args.get("kind") or "").lower()
    found = Outcome(f"drop {kind}".strip())
    for table in one.args.get("tables") or ([one.this] if one.this is not None else []):
        if not isinstance(table, exp.Table) or kind not in ("table", "view"):
            continue
        names = table_name(table, work)
        found.target = entity_named(names, work)
        # A temporary table is known with its schema and without (see `statements.made`).
        for key in (".".join(names), names[-1], f"{FLEETING}{called_here(found.target, work)}"):
            work.temporary.pop(key, None)
        work.dictionary.drop(found.target)
        work.telling.drop(found.target)
    return found


def truncate(one: Any, work: Work) -> Outcome:
    """TRUNCATE: its rows are gone, its columns are not."""
    tables = [table for table in one.expressions if isinstance(table, exp.Table)]
    found = Outcome("truncate", entity_named(table_name(tables[0], work), work) if tables else "")
    for table in tables:
        _emptied(entity_named(table_name(table, work), work), work, work.place(one))
    return found


def replaced(entity: str, work: Work, *, itself: bool = False) -> None:
    """What an entity had is gone where it is made anew (rule Q25); told where the script has used it before.

    ``itself``: it is made of what it was.
    """
    if (itself or entity in work.used) and entity not in work.temporary.values():
        _emptied(entity, work, None)
        # What the statement itself writes comes behind.
        work.blocks.insert(0, work.blocks.pop())


def _emptied(entity: str, work: Work, at: Location | None) -> None:
    """The block that takes all rows away; no block of the statement's own: triggers of deletions do not run for it."""
    block = work.building(entity, inner=entity in work.temporary.values(), location=at)
    block.change = "DELETING"
    block.reads.append(Read(entity, location=block.location))

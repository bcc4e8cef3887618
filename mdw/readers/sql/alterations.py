"""ALTER TABLE: columns that come and change, and the moves of names and contents (rule Q20).

ALTER TABLE t RENAME TO u                 all of T goes to U; from here on nothing is known of T
ALTER TABLE t SWAP WITH u                 all of each goes to the other
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.model.dictionary import WHOLE, EntityEntry
from mdw.model.query import Read
from mdw.readers.nodes import attribute
from mdw.readers.sql.defaults import default_of, filled_once
from mdw.readers.sql.definitions import all_of, changing_places, computed, historied, replaced
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.tables import FLEETING, called_here, entity_named, made_anew, table_name
from mdw.readers.sql.telling import attribute_entry, key_of
from mdw.readers.sql.type_names import type_name
from mdw.readers.sql.uniqueness import unique_keys
from mdw.readers.sql.work import Work


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
            unique = tuple(unique_keys(part, work))
            telling.add(EntityEntry(table, key=key, references=foreign, unique=unique))
        elif isinstance(part, exp.ModifyColumn):
            entry = attribute_entry(part.this, work)
            facts = {name: getattr(entry, name) for name in ("type", "default", "required", "collation")}
            telling.change(table, entry.name, **facts)
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
    added = EntityEntry(table, (entry,), file=work.places.file, dialect=work.flavour.name, definition=WHOLE)
    work.telling.add(added)
    computed(part, table, shape, work)
    if entry.default or entry.identity:
        block = work.building(table, inner=table in work.temporary.values(), location=work.place(part))
        block.change, block.others = "UPDATING", "CARRY"
        block.reads.append(Read(table, location=block.location))
        known = work.telling.entry(table)
        assert known is not None
        block.output(entry.name, default_of(entry, known, work, block), block.location)


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
        told["collation"] = part.args["collate"].name if part.args.get("collate") else ""
    if isinstance(part.args.get("comment"), exp.Expr):
        told["description"] = part.args["comment"].name
    if part.args.get("allow_null") is not None:
        told["required"] = not part.args.get("drop")
    return told


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
        elif table != other and not inner:
            changing_places([block])
        replaced(entity, work)

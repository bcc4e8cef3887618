"""DDL: what it says of entities that come and go (rule Q20); what ALTER changes of them is in `alterations`.

CREATE TABLE t (a INT, b AS (a + 1))      T has A and B and no others; B is an update of T from itself
DROP TABLE t                              nothing is known of T: who makes it again makes another
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.model.dictionary import PARTLY, WHOLE, EntityEntry
from mdw.model.query import ALL, Read
from mdw.model.tree import Location
from mdw.readers.nodes import attribute, opaque
from mdw.readers.sql.building import Building
from mdw.readers.sql.expressions import value
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.phrases.definition import alike
from mdw.readers.sql.scopes import RowSource, SelectScope, Star, whole_row
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.tables import FLEETING, called_here, entity_named, entity_of, table_name
from mdw.readers.sql.telling import columns, commented, computed_by
from mdw.readers.sql.work import Work


def create_table(one: Any, target: str, work: Work, found: Outcome) -> None:
    """A table without a query: its columns; computed ones are made of others of the row."""
    if not isinstance(one.this, exp.Schema):
        _like(one, target, work, found)
        return
    shape = Shape(complete=True)
    for like in one.this.find_all(exp.LikeProperty):
        create_alike(like.this, target, work, found, like)
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
        computed(part, target, shape, work)


def computed(part: Any, target: str, shape: Shape, work: Work) -> None:
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
        create_alike(one.this, target, work, found, one)


def create_alike(table: Any, target: str, work: Work, found: Outcome, like: Any = None) -> None:
    """A table with the columns of another; LIKE may say what else of it."""
    source, shape, _ = entity_of(table, SelectScope(work))
    found.reads[source] = None
    work.dictionary.put(target, Shape(shape.columns, complete=shape.complete))
    options = {f"{one.this} {one.args['value']}".upper() for one in (like.expressions if like is not None else ())}
    _told_alike(source, target, work, options)


def _told_alike(source: str, target: str, work: Work, options: Collection[str] = ()) -> None:
    """What is told of one entity is told of its copy; PostgreSQL's has no defaults but where LIKE says so."""
    entry = work.telling.entry(source)
    if entry is None:
        return
    entry = replace(entry, name=target, file=work.places.file)
    if work.flavour.name in BARE and not options:
        bare = [replace(one, default="", computed="", identity=False) for one in entry.attributes]
        entry = replace(entry, attributes=tuple(bare))
    elif options and options != {"INCLUDING ALL"}:
        entry = replace(entry, definition=PARTLY)
    work.telling.put(entry if alike(work.said) else replace(entry, definition=PARTLY))


BARE = frozenset(("postgres", "redshift", "materialize", "risingwave"))
"""Dialects in which a table that is made like another has its columns alone."""


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
        known = entry.definition == WHOLE and all(one is not None and one.definition == WHOLE for one in told)
        definition = WHOLE if known else PARTLY
        work.telling.put(replace(entry, attributes=tuple(attributes.values()), whole=whole, definition=definition))


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


def changing_places(blocks: Sequence[Building]) -> None:
    """Let blocks by which tables hand one another their rows say that each had rows before (rule Q19).

    Else a table that nothing else fills would have none but those that come back to it.
    """
    for block in blocks:
        first, *rest = block.reads
        block.change = "UPDATING"
        block.reads = [Read(block.target, location=first.location), first._replace(join="CROSS JOIN"), *rest]


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


def drop(one: Any, work: Work) -> Outcome:
    """DROP: from here on nothing is known of it."""
    kind = str(one.args.get("kind") or "").lower()
    found = Outcome(f"drop {kind}".strip())
    for table in one.args.get("tables") or ([one.this] if one.this is not None else []):
        if not isinstance(table, exp.Table) or kind not in ("table", "view"):
            continue
        names = table_name(table, work)
        found.target = entity_named(names, work)
        # A temporary table is known with its schema and without (see `creations.made`).
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

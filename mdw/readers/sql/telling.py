"""DDL -> entries of the data dictionary: types, keys, defaults and descriptions, as far as a script tells them.

    CREATE TABLE t (id INT IDENTITY PRIMARY KEY, region TEXT DEFAULT 'EU')
        EntityEntry("T", (ID: INT, identity, required; REGION: TEXT, default 'EU'), whole=True, key=("ID",))

What the script tells is merged with what was told before, by other files or by a dictionary. What it makes anew is told
by it alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.model.dictionary import FIELDS, PARTLY, SHARED, WHOLE, AttributeEntry, EntityEntry, Reference, Told, merged
from mdw.model.name import alike, canonical
from mdw.readers.sql.cascades import told as cascading
from mdw.readers.sql.fired import RENEWS
from mdw.readers.sql.merging import merged_by
from mdw.readers.sql.phrases.definition import DefinedColumn, DefinedTable, table_definition
from mdw.readers.sql.pieces import TokenType
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.tables import entity_of
from mdw.readers.sql.type_names import type_name
from mdw.readers.sql.uniqueness import unique_keys
from mdw.readers.sql.work import Work


class Telling:
    """What is told of entities as a script goes on: what was told before, then its own DDL."""

    def __init__(self, before: Told) -> None:
        self.own: dict[str, EntityEntry] = {}
        self._before = before
        # Of what is made here nothing counts that was told before.
        self._made: set[str] = set()

    def entry(self, entity: str) -> EntityEntry | None:
        """What is told of an entity so far."""
        own = self.own.get(entity)
        # Before is asked by any ending of the name, and may be called otherwise.
        before = self._before.entity(entity) if entity not in self._made else None
        return merged(replace(before, name=entity), own) if own and before else own or before

    def watched(self, entity: str) -> EntityEntry | None:
        """What others told of something that is made here: they may make triggers of it."""
        return self._before.entity(entity) if entity in self._made else None

    def with_fields(self, entity: str) -> EntityEntry | None:
        """The attributes of an entity that have fields, as others told them, wherever it is made."""
        # What it is told besides of what is made here would count for nothing, and is not asked for.
        return self._before.entity(f"{FIELDS}{entity}" if entity in self._made else entity)

    def typed(self, entity: str, attribute: str) -> str:
        """The type of an attribute as the script itself tells it, "" if it does not."""
        own = self.own.get(entity)
        found = own.attribute(attribute) if own else None
        return found.type if found else ""

    def alone(self, entity: str) -> bool:
        """Whether an entity is made here and, as far as anybody knows, nowhere else."""
        if entity not in self._made:
            return False
        told = self._before.entity(entity)
        return (told is None or not told.file) and not self._shared(entity)

    def maybe_there(self, entity: str) -> bool:
        """Whether others make an entity as well that was neither made nor dropped here yet."""
        return entity not in self._made and self._shared(entity)

    def _shared(self, entity: str) -> bool:
        shared = self._before.entity(SHARED)
        return shared is not None and any(alike(entity, canonical(name)) for name in shared.columns)

    def put(self, entry: EntityEntry) -> None:
        """From here on this is told of the entity, and nothing else."""
        known = self.own.get(entry.name)
        self._made.add(entry.name)
        # Of the triggers nobody knows whether they are gone with what was there before.
        triggers = tuple(sorted({*known.triggers, *entry.triggers})) if known else entry.triggers
        self.own[entry.name] = replace(entry, triggers=triggers)

    def add(self, entry: EntityEntry) -> None:
        """This is told of the entity, too."""
        known = self.own.get(entry.name)
        self.own[entry.name] = merged(known, entry) if known else entry

    def change(self, entity: str, attribute: str, **facts: Any) -> None:
        """Something else is told of an attribute, whatever was told before."""
        known = self.own.get(entity, EntityEntry(entity))
        found = known.attribute(attribute) or AttributeEntry(attribute)
        kept = [one for one in known.attributes if one.name != attribute]
        place = known.columns.index(attribute) if attribute in known.columns else len(kept)
        kept.insert(place, replace(found, **facts))
        # Of what others told of it nothing is doubted by that.
        self.own[entity] = replace(known, attributes=tuple(kept), definition=known.definition or WHOLE)

    def drop(self, entity: str, attribute: str = "") -> None:
        """Nothing is told of an entity, or of an attribute, any more."""
        known = self.own.pop(entity, None)
        if not attribute:
            self._made.add(entity)
        elif known:
            kept = tuple([one for one in known.attributes if one.name != attribute])
            self.own[entity] = replace(known, attributes=kept)

    def rename(self, entity: str, before: str, after: str) -> None:
        """An attribute has another name."""
        known = self.own.get(entity)
        if known:
            names = {before: after}
            attributes = tuple([replace(one, name=names.get(one.name, one.name)) for one in known.attributes])
            key, *unique = [tuple([names.get(name, name) for name in one]) for one in (known.key, *known.unique)]
            self.own[entity] = replace(known, attributes=attributes, key=key, unique=tuple(unique))

    def move(self, entity: str, name: str) -> None:
        """An entity has another name."""
        known = self.own.pop(entity, None)
        self._made |= {entity, name}
        if known:
            self.own[name] = replace(known, name=name)


def table_entry(one: Any, entity: str, work: Work) -> EntityEntry:
    """What CREATE tells of its entity; whole where it lists all its columns itself and has no query."""
    parts = one.this.expressions if isinstance(one.this, exp.Schema) else []
    attributes = tuple([attribute_entry(part, work) for part in columns(one)])
    stated = one.find(exp.CollateProperty)
    if stated is not None:
        attributes = tuple([replace(part, collation=part.collation or stated.this.name) for part in attributes])
    keys = [name for part in parts for name in _keys(part, work)]
    definition, keyed = "", tuple[str, ...]()
    kind = str(one.args.get("kind") or "").lower()
    said = table_definition(work.said, work.flavour.name) if kind == "table" and attributes else None
    if kind == "table" and attributes and one.expression is None:
        attributes, definition, keyed = _defined(attributes, said, work)
    return EntityEntry(
        entity,
        attributes,
        whole=bool(attributes)
        and one.expression is None
        and not any(isinstance(part, exp.LikeProperty) for part in parts),
        kind=kind,
        key=tuple(keys) or keyed,
        references=tuple([reference for part in parts for reference in _references(part, entity, work)]),
        unique=tuple([key for part in parts for key in unique_keys(part, work)]),
        description=_described(one.args.get("properties")),
        triggers=(*merged_by(one.args.get("properties"), work), *_renewed(said, work)),
        file=work.places.file,
        dialect=work.flavour.name,
        definition=definition,
    )


def _renewed(found: DefinedTable | None, work: Work) -> list[str]:
    """The columns that MySQL writes anew with each change of a row, as `EntityEntry.triggers` says it."""
    return [f"{RENEWS}{_called(one, work)}" for one in (found.columns if found is not None else ()) if one.renewed]


def _defined(
    attributes: tuple[AttributeEntry, ...], found: DefinedTable | None, work: Work
) -> tuple[tuple[AttributeEntry, ...], str, tuple[str, ...]]:
    """The attributes with all that the words of their definition say, whether each word is known, and the key (Q32)."""
    if found is None:
        return attributes, PARTLY, ()
    known = {_called(one, work): one for one in found.columns}
    whole = found.whole and all(one.name in known for one in attributes)
    keyed = tuple([name for name, one in known.items() if one.keyed])
    return tuple([_as_defined(one, known.get(one.name)) for one in attributes]), WHOLE if whole else PARTLY, keyed


def _called(one: DefinedColumn, work: Work) -> str:
    return work.naming.known(one.name.text, quoted=one.name.token_type is TokenType.IDENTIFIER)


def _as_defined(one: AttributeEntry, definition: DefinedColumn | None) -> AttributeEntry:
    """What the walk over the tree told, with what only the words say."""
    if definition is None:
        return one
    identity, required = one.identity or definition.identity, one.required or definition.required
    default = one.default or ("" if one.computed else definition.default)
    said = (identity, required, definition.fills, default)
    if said == (one.identity, one.required, one.fills, one.default):
        return one
    return replace(one, identity=identity, required=required, fills=definition.fills, default=default)


def columns(one: Any) -> list[Any]:
    """The columns that CREATE defines: SQLite's need no type; Hive's by which a table is parted come last."""
    parts = one.this.expressions if isinstance(one.this, exp.Schema) else []
    found = [part for part in parts if isinstance(part, (exp.ColumnDef, exp.Identifier))]
    properties = one.args.get("properties")
    parting = properties.find(exp.PartitionedByProperty) if found and properties is not None else None
    more = parting.this.expressions if parting is not None and isinstance(parting.this, exp.Schema) else []
    return [*found, *[part for part in more if isinstance(part, exp.ColumnDef)]]


def attribute_entry(part: Any, work: Work) -> AttributeEntry:
    """What the definition of a column tells."""
    if isinstance(part, exp.Identifier):
        return AttributeEntry(name := work.naming.part(part), label=_label(name, part))
    parser = work.flavour.parser
    told: dict[str, Any] = {"type": type_name(part.args["kind"], parser) if part.args.get("kind") else ""}
    if told["type"].upper() in SERIAL:
        told["identity"] = True
    for constraint in part.args.get("constraints") or ():
        kind = constraint.args.get("kind")
        if isinstance(kind, exp.DefaultColumnConstraint):
            told["default"] = kind.this.sql(dialect=parser)
        elif isinstance(kind, exp.CommentColumnConstraint):
            told["description"] = kind.this.name
        elif isinstance(kind, exp.CollateColumnConstraint):
            told["collation"] = kind.this.name
        elif isinstance(kind, exp.CaseSpecificColumnConstraint):
            told["collation"] = "nocase" if kind.args.get("not_") else "binary"
        elif isinstance(kind, exp.Properties):
            told["description"] = _described(kind)
        elif isinstance(kind, (exp.NotNullColumnConstraint, exp.PrimaryKeyColumnConstraint)):
            told["required"] = not kind.args.get("allow_null")
        elif isinstance(kind, IDENTITIES) and kind.args.get("expression") is None:
            told["identity"] = True
        elif (formula := computed_by(kind)) is not None:
            told["computed"] = formula.sql(dialect=parser)
    name = work.naming.part(part.this)
    # Another table may have a column of that name in other letters.
    return AttributeEntry(name, label=_label(name, part.this), **told)


def _label(name: str, spelled: exp.Expr) -> str:
    return "" if spelled.name == name.strip("`") else spelled.name


SERIAL = frozenset(("SERIAL", "BIGSERIAL", "SMALLSERIAL"))
"""Types that are numbers the database counts."""
IDENTITIES = (exp.GeneratedAsIdentityColumnConstraint, exp.AutoIncrementColumnConstraint)


def computed_by(kind: Any) -> Any:
    """The formula of a computed column, None for a constraint that is none."""
    if isinstance(kind, exp.ComputedColumnConstraint):
        return kind.this
    return kind.expression if isinstance(kind, exp.GeneratedAsIdentityColumnConstraint) else None


def commented(one: Any, work: Work) -> tuple[list[str], str, str]:
    """What COMMENT ON describes: the parts of a table's name, the column if it is one, and the description."""
    naming = work.naming
    text = one.expression.name if isinstance(one.expression, exp.Expr) else ""
    if isinstance(one.this, exp.Column):
        *table, column = [naming.part(part) for part in one.this.parts]
        return table, column, text
    parts = one.this.parts if isinstance(one.this, exp.Table) else ()
    return [naming.part(part) for part in parts if isinstance(part, exp.Identifier)], "", text


def key_of(constraint: Any, entity: str, work: Work) -> tuple[tuple[str, ...], tuple[Reference, ...]]:
    """The primary key and the foreign keys that ADD CONSTRAINT tells of an entity."""
    return tuple(_keys(constraint, work)), tuple(_references(constraint, entity, work))


def _keys(part: Any, work: Work) -> Iterator[str]:
    """The columns of a primary key, told with the column or for the whole table."""
    if isinstance(part, exp.Constraint):
        for inner in part.expressions:
            yield from _keys(inner, work)
    elif isinstance(part, exp.PrimaryKey):
        yield from _named(part.expressions, work)
    elif isinstance(part, exp.ColumnDef):
        kinds = [one.args.get("kind") for one in part.args.get("constraints") or ()]
        if any(isinstance(kind, exp.PrimaryKeyColumnConstraint) for kind in kinds):
            yield work.naming.part(part.this)


def _references(part: Any, entity: str, work: Work) -> Iterator[Reference]:
    if isinstance(part, exp.Constraint):
        for inner in part.expressions:
            yield from _references(inner, entity, work)
    elif isinstance(part, exp.ForeignKey) and part.args.get("reference") is not None:
        yield _reference(tuple(_named(part.expressions, work)), part.args["reference"], entity, work)
    elif isinstance(part, exp.ColumnDef):
        for one in part.args.get("constraints") or ():
            kind = one.args.get("kind")
            to = kind.args.get("reference") if isinstance(kind, exp.ForeignKey) else kind
            if isinstance(to, exp.Reference):
                yield _reference((work.naming.part(part.this),), to, entity, work)


def _reference(names: tuple[str, ...], to: Any, own: str, work: Work) -> Reference:
    table = to.this.this if isinstance(to.this, exp.Schema) else to.this
    before = dict(work.read)
    entity = entity_of(table, SelectScope(work))[0]
    # A key is no reading.
    work.read.clear()
    work.read.update(before)
    referred = tuple(_named(to.this.expressions, work)) if isinstance(to.this, exp.Schema) else ()
    found = Reference(names, entity, referred)
    for entry in cascading(found, to.args.get("options") or (), own):
        work.telling.add(entry)
    return found


def _named(parts: list[Any], work: Work) -> Iterator[str]:
    for part in parts:
        found = part if isinstance(part, exp.Identifier) else part.find(exp.Identifier)
        if found is not None:
            yield work.naming.part(found)


def _described(properties: Any) -> str:
    """What the properties of a table or a column say of it."""
    for one in properties.expressions if properties is not None else ():
        if isinstance(one, exp.SchemaCommentProperty):
            return str(one.this.name)
        if isinstance(one, exp.Property) and one.name.lower() in ("description", "comment"):
            return str(one.args["value"].name)
    return ""

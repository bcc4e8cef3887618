"""Names as a database or a project writes them -> entries of the data dictionary, with canonical names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mdw.model.dictionary import NAMESAKES, AttributeEntry, EntityEntry, EntityNames, namesakes
from mdw.readers.sql.dialects import flavour_of
from mdw.readers.sql.naming import Identifiers


def entry_of(entry: EntityEntry, dialect: str, *, exact: bool = True) -> EntityEntry:
    """The same entry with the canonical names of a dialect; InputError if there is no such dialect.

    The entity's name is as SQL writes it, ``db.schema."My Table"``. Names of attributes are as the database keeps them
    (``exact``), or as people write them without quotes.

    >>> from mdw.model.dictionary import AttributeEntry
    >>> told = EntityEntry('main."Orders"', (AttributeEntry("id"), AttributeEntry("Country")))
    >>> found = entry_of(told, "postgres")
    >>> found.name, found.columns, entry_of(told, "postgres", exact=False).columns
    ('MAIN.`Orders`', ('ID', '`Country`'), ('ID', 'COUNTRY'))
    """
    naming = Identifiers(flavour_of(dialect).folding)

    def own(names: Sequence[str]) -> tuple[str, ...]:
        return tuple([naming.known(name, quoted=exact) for name in names])

    attributes = tuple([_called(one, naming.known(one.name, quoted=exact)) for one in entry.attributes])
    references = tuple(
        [
            replace(one, attributes=own(one.attributes), entity=naming.path(one.entity), referred=own(one.referred))
            for one in entry.references
        ]
    )
    name = naming.path(entry.name)
    return replace(entry, name=name, attributes=attributes, key=own(entry.key), references=references, dialect=dialect)


def _called(one: AttributeEntry, name: str) -> AttributeEntry:
    """An entry by its canonical name; how it was spelled stays its label."""
    return replace(one, name=name, label=label_of(name, one.name))


def label_of(name: str, spelling: str) -> str:
    """The label of an attribute that is spelled so: none where its name says it."""
    return "" if spelling == name.strip("`") else spelling


class GivenSchema:
    """The columns of tables as people give them: by name in order, or with their types; see `mdw.scan_sql`.

    >>> given = GivenSchema({"sales.orders": {"id": "INT"}, "items": ["id", "price"]}, "duckdb")
    >>> given.entity("SALES.ORDERS").attributes[0].type, given.entity("ITEMS").columns
    ('INT', ('ID', 'PRICE'))
    """

    def __init__(self, schema: Mapping[str, Sequence[str]], dialect: str) -> None:
        self._dialect = dialect
        self._naming = Identifiers(flavour_of(dialect).folding)
        self._given = {self._naming.path(name): columns for name, columns in schema.items()}
        self._names = EntityNames(self._given)
        self._made: dict[str, EntityEntry] = {}

    def entity(self, name: str) -> EntityEntry | None:
        """What is told of an entity, made when it is first asked for: most scripts use few tables of a schema."""
        if name.startswith(NAMESAKES):
            return namesakes(name, self._names)
        known = self._names.meant(name)
        if known and known not in self._made:
            self._made[known] = self._entry(known, self._given[known])
        return self._made.get(known)

    def _entry(self, name: str, columns: Sequence[str]) -> EntityEntry:
        types = columns if isinstance(columns, Mapping) else {}
        names = [self._naming.known(column, quoted=False) for column in columns]
        attributes = tuple(
            [
                AttributeEntry(own, str(types.get(column, "")), label=label_of(own, column))
                for own, column in zip(names, columns, strict=True)
            ]
        )
        return EntityEntry(name, attributes, whole=True, dialect=self._dialect)

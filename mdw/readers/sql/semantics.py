"""Views of measures and dimensions over several tables, as a query of all that they name.

    CREATE SEMANTIC VIEW v
      TABLES (o AS core.orders PRIMARY KEY (id), i AS core.items)
      RELATIONSHIPS (i (order_id) REFERENCES o)
      FACTS (i.net AS price * (1 - discount))
      DIMENSIONS (o.day AS order_date)
      METRICS (i.revenue AS SUM(net))

    CREATE VIEW v AS
      SELECT i.price * (1 - i.discount) AS net, o.order_date AS day, SUM(i.price * (1 - i.discount)) AS revenue
      FROM core.orders AS o FULL JOIN core.items AS i ON i.order_id = o.id GROUP BY o.order_date

A name without a table is of the table that its definition is of: a fact where that has one of the name, else a column.
Who asks says which tables are joined, so a row of any may come alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from mdw.readers.sql.phrases.words import Words, behind_name, closed, made_words, name_at, parted, spoken, tops
from mdw.readers.sql.pieces import TokenType, word_of

Parse = Callable[[Words], Any]
Key = tuple[str, str]
CLAUSES = frozenset(("TABLES", "RELATIONSHIPS", "FACTS", "DIMENSIONS", "METRICS"))
TELLING = {"WITH": ("SYNONYMS", "CORTEX", "TAG"), "COMMENT": ("=",), "LABELS": ("=",)}
"""What stands behind a definition and tells of it, each with what is behind its first word."""
DEEPEST = 30
"""Definitions within definitions, at most."""


@dataclass(frozen=True)
class Definition:
    """A fact, a dimension or a metric: of which table, what it is called, and what it is."""

    table: str
    name: exp.Identifier
    value: exp.Expr
    kind: str

    @property
    def key(self) -> Key:
        """By what others mean it."""
        return self.table, self.name.name.upper()


@dataclass(frozen=True)
class Relationship:
    """Two tables by their names, and the pairs of columns that are equal; none where it is no matter of equality."""

    one: str
    other: str
    pairs: tuple[tuple[exp.Identifier, exp.Identifier], ...]


@dataclass
class Semantics:
    """What a view is made of; tables by the names they have in it, in capitals.

    ``default`` is the table of columns that are of none, where there is one.
    """

    default: str = ""

    tables: dict[str, exp.Expr] = field(default_factory=dict)
    keys: dict[str, list[exp.Identifier]] = field(default_factory=dict)
    relationships: list[Relationship] = field(default_factory=list)
    definitions: dict[Key, Definition] = field(default_factory=dict)

    def define(self, one: Definition) -> None:
        """Note a definition."""
        self.definitions[one.key] = one


def semantic_view(words: Words, parse: Parse) -> exp.Create | None:
    """The view that Snowflake's CREATE SEMANTIC VIEW makes; None of any other statement."""
    # SEMANTIC VIEW is one word, and so is PRIMARY KEY.
    kind = next((at for at, said in enumerate(spoken(words[:4])) if said.startswith("SEMANTIC")), 0)
    starts = [at for at in tops(words, CLAUSES) if spoken(words[at + 1 : at + 2]) == ["("]]
    if word_of(words[0]) != "CREATE" or not kind or not starts:
        return None
    name = name_at(words, kind + 1)
    found = Semantics()
    for at in starts:
        for item in parted(words[at + 2 : closed(words, at + 1) - 1]):
            if item:
                _read(word_of(words[at]), item, found, parse)
    query = query_of(found)
    return exp.Create(this=table_of(words[name : behind_name(words, name)], parse), kind="VIEW", expression=query)


def _read(clause: str, item: Words, found: Semantics, parse: Parse) -> None:
    if clause == "TABLES":
        _logical_table(item, found, parse)
    elif clause == "RELATIONSHIPS":
        _relationship(item, found)
    else:
        _definition(clause, item, found, parse)


def table_of(words: Words, parse: Parse) -> exp.Expr:
    """The tree of a table, or of a query in parentheses."""
    found: exp.Expr = parse([*made_words(words[0], "SELECT * FROM"), *words]).args["from_"].this
    return found


def _logical_table(words: Words, found: Semantics, parse: Parse) -> None:
    """o AS core.orders PRIMARY KEY (id) WITH SYNONYMS ('sales')"""
    named = spoken(words[1:2]) == ["AS"]
    at = 2 if named else 0
    end = closed(words, at) if spoken(words[at : at + 1]) == ["("] else behind_name(words, at)
    table = table_of(words[at:end], parse)
    label = _name(words[0] if named else words[end - 1])
    table.set("alias", exp.TableAlias(this=label))
    found.tables[label.name.upper()] = table
    key = next((at for at in range(end, len(words) - 1) if words[at].token_type is TokenType.PRIMARY_KEY), 0)
    if key:
        found.keys[label.name.upper()] = _names(words, key + 1)


def _name(token: Any) -> exp.Identifier:
    return exp.Identifier(this=token.text, quoted=token.token_type is TokenType.IDENTIFIER)


def _names(words: Words, at: int) -> list[exp.Identifier]:
    """The columns of a list; none where one of them is no name, as in (ASOF day)."""
    items = parted(words[at + 1 : closed(words, at) - 1])
    return [_name(item[0]) for item in items] if all(len(item) == 1 for item in items) else []


def _relationship(words: Words, found: Semantics) -> None:
    """name AS i (order_id) REFERENCES o (id)"""
    at = 2 if spoken(words[1:2]) == ["AS"] else 0
    to = next(iter(tops(words, {"REFERENCES"})), 0)
    if not to:
        return
    one, other = words[at].text.upper(), words[to + 1].text.upper()
    left = _names(words, at + 1) if spoken(words[at + 1 : at + 2]) == ["("] else []
    listed = spoken(words[to + 2 : to + 3]) == ["("]
    right = _names(words, to + 2) if listed else found.keys.get(other, [])
    pairs = tuple(zip(left, right, strict=True)) if len(left) == len(right) else ()
    found.relationships.append(Relationship(one, other, pairs))


def _definition(kind: str, words: Words, found: Semantics, parse: Parse) -> None:
    """PRIVATE i.net AS price * (1 - discount) COMMENT = 'x'"""
    start = int(word_of(words[0]) in ("PRIVATE", "PUBLIC"))
    end = behind_name(words, start)
    formula = next(iter(tops(words, {"AS"}, end)), 0)
    if not formula:
        return
    last = next(
        (
            at
            for at in tops(words, TELLING, formula + 2)
            if spoken(words[at + 1 : at + 2]) and word_of(words[at + 1]) in TELLING[word_of(words[at])]
        ),
        len(words),
    )
    value = parse([*made_words(words[0], "SELECT"), *words[formula + 1 : last]]).expressions[0]
    table = words[end - 3].text.upper() if end - start > 2 else ""
    found.define(Definition(table, _name(words[end - 1]), value, kind))


# -- as a query --------------------------------------------------------------------------------------------------------


def query_of(semantics: Semantics, joins: Sequence[exp.Join] | None = None, test: exp.Expr | None = None) -> exp.Select:
    """All that is defined, of all tables: joined in this way, or in any."""
    by_name: dict[str, list[Any]] = {}
    names: dict[str, exp.Identifier] = {}
    groups, grouped = [], False
    for one in semantics.definitions.values():
        value = _resolved(one, semantics, ())
        by_name.setdefault(one.key[1], []).append(value)
        names.setdefault(one.key[1], one.name)
        if one.kind == "DIMENSIONS":
            groups.append(value.copy())
        grouped = grouped or one.kind == "METRICS"
    # nation.name and region.name are both NAME to who asks.
    items = [
        exp.Alias(this=values[0] if len(values) == 1 else exp.func("EITHER", *values), alias=names[name].copy())
        for name, values in by_name.items()
    ]
    query = exp.Select(expressions=items)
    tables = list(_joined(semantics)) if joins is None else [(semantics.tables[semantics.default], None)]
    if tables:
        # The first stands alone, whatever its rows have to do with others.
        query.set("from_", exp.From(this=tables[0][0]))
        query.set("joins", joins or [exp.Join(this=table, side="FULL", on=on) for table, on in tables[1:]])
    if test is not None:
        query.set("where", exp.Where(this=_qualified(test, "", semantics, ())))
    if grouped and groups:
        query.set("group", exp.Group(expressions=groups))
    return query


def _resolved(one: Definition, semantics: Semantics, within: tuple[Key, ...]) -> exp.Expr:
    """What a definition is, made of columns of tables alone."""
    # A name that it shares with a column means the column: o.city AS city.
    return _qualified(one.value, one.table, semantics, (*within, one.key))


def _qualified(value: exp.Expr, own: str, semantics: Semantics, within: tuple[Key, ...]) -> exp.Expr:
    def made(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
            return node
        if node.args.get("db"):
            # A table that is joined to one that is joined: customer.nation.name.
            if node.table.upper() in semantics.tables and node.text("db").upper() in semantics.tables:
                node.set("db", None)
            return node
        table = node.table.upper() or own
        known = semantics.definitions.get((table, node.name.upper()))
        if known is None and not table:
            known = next((other for key, other in semantics.definitions.items() if key[1] == node.name.upper()), None)
        if known is not None and known.key not in within and len(within) < DEEPEST:
            return exp.Paren(this=_resolved(known, semantics, within))
        label = semantics.tables.get(table or semantics.default)
        if label is not None:
            node.set("table", label.args["alias"].this.copy())
        return node

    return value.copy().transform(made)


def _joined(semantics: Semantics) -> Iterator[tuple[exp.Expr, exp.Expr | None]]:
    """The tables, each behind one that it has to do with where there is one, with what their rows have to do."""
    before: list[str] = []
    rest = list(semantics.tables)
    while rest:
        name = next((one for one in rest if not before or any(_between(one, before, semantics))), rest[0])
        rest.remove(name)
        ways = list(_between(name, before, semantics))
        before.append(name)
        # Where there are several ways it is for those to say who ask which they mean.
        pairs = _equal(ways[0], semantics) if len(ways) == 1 else []
        yield semantics.tables[name], exp.and_(*pairs) if pairs else exp.func("RELATED")


def _between(name: str, others: list[str], semantics: Semantics) -> Iterator[Relationship]:
    for one in semantics.relationships:
        if (one.one == name and one.other in others) or (one.other == name and one.one in others):
            yield one


def _equal(one: Relationship, semantics: Semantics) -> list[exp.Expr]:
    left, right = (semantics.tables[name].args["alias"].this for name in (one.one, one.other))
    return [
        exp.EQ(
            this=exp.Column(this=first.copy(), table=left.copy()),
            expression=exp.Column(this=second.copy(), table=right.copy()),
        )
        for first, second in one.pairs
    ]

"""Databricks's metric views: what YAML says of dimensions and measures, as the query that it stands for.

CREATE VIEW v WITH METRICS LANGUAGE YAML AS $$
  source: core.orders
  filter: state = 'done'
  joins: [{name: c, source: core.customer, on: source.cust = c.id}]       (each on lines of its own)
  dimensions: [{name: city, expr: c.city}]
  measures: [{name: total, expr: SUM(amount)}, {name: mean, expr: MEASURE(total) / COUNT(1)}]
$$

CREATE VIEW v AS SELECT c.city AS city, SUM(source.amount) AS total, MEASURE(SUM(source.amount)) / COUNT(1) AS mean
FROM core.orders AS source LEFT JOIN core.customer AS c ON source.cust = c.id
WHERE source.state = 'done' GROUP BY c.city
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sqlglot import exp

from mdw.readers.sql.phrases.words import Words, behind_name, bracketed, made_words, name_at, placed, spoken
from mdw.readers.sql.pieces import TokenType, word_of
from mdw.readers.sql.plain_yaml import Yaml, read_yaml
from mdw.readers.sql.semantics import Definition, Parse, Semantics, query_of, table_of

SOURCE = "source"
"""What the table is called that a metric view is of."""
Tokenize = Callable[[str], Any]
KINDS = (("dimensions", "DIMENSIONS"), ("fields", "DIMENSIONS"), ("measures", "METRICS"))


def metric_view(words: Words, parse: Parse, tokenize: Tokenize) -> exp.Create | None:
    """The view that CREATE VIEW ... WITH METRICS makes; None of any other statement, and of what YAML does not tell."""
    said = spoken(words)
    body = next((token for token in words if token.token_type is TokenType.RAW_STRING), None)
    if said[0] != "CREATE" or "METRICS" not in said or "VIEW" not in said[:5] or body is None:
        return None
    told = read_yaml(body.text)
    if not isinstance(told, dict) or not isinstance(told.get(SOURCE), str):
        return None
    reading = _MetricTexts(body, parse, tokenize)
    found = Semantics(default=SOURCE.upper())
    found.tables[SOURCE.upper()] = reading.table(str(told[SOURCE]), SOURCE)
    joins = list(reading.joins(told, SOURCE, found))
    for key, kind in KINDS:
        for name, text in _named(told.get(key), "expr"):
            value = reading.expression(text)
            if value is not None:
                found.define(Definition("", exp.to_identifier(name, quoted=True), value, kind))
    query = query_of(found, joins, reading.expression(str(told.get("filter") or "")))
    at = name_at(words, said.index("VIEW") + 1)
    return exp.Create(this=table_of(words[at : behind_name(words, at)], parse), kind="VIEW", expression=query)


def _named(items: Yaml | None, key: str) -> Iterator[tuple[str, str]]:
    """The names of items that have one, each with what a key of it says."""
    for one in items if isinstance(items, list) else ():
        if isinstance(one, dict) and one.get("name") and isinstance(one.get(key), str):
            yield str(one["name"]), str(one[key])


class _MetricTexts:
    """Texts of a metric view as trees; all of them stand where its body does."""

    def __init__(self, body: Any, parse: Parse, tokenize: Tokenize) -> None:
        self._body, self._parse, self._tokenize = body, parse, tokenize

    def _words(self, text: str) -> Words:
        return placed(self._tokenize(text), self._body)

    def expression(self, text: str) -> exp.Expr | None:
        """The tree of an expression."""
        words = self._words(text)
        return self._parse([*made_words(self._body, "SELECT"), *words]).expressions[0] if words else None

    def table(self, text: str, label: str) -> exp.Expr:
        """A table or a query, called by a label."""
        words = self._words(text)
        query = words and word_of(words[0]) in ("SELECT", "WITH", "FROM")
        opened = bracketed(words, self._body) if query else words
        found = table_of(opened, self._parse)
        found.set("alias", exp.TableAlias(this=exp.to_identifier(label)))
        return found

    def joins(self, told: dict[str, Yaml], parent: str, found: Semantics) -> Iterator[exp.Join]:
        """The joins that a metric view says, and those within them."""
        joins = told.get("joins")
        for one in joins if isinstance(joins, list) else ():
            if not isinstance(one, dict) or not isinstance(one.get(SOURCE), str) or not one.get("name"):
                continue
            label = str(one["name"])
            found.tables[label.upper()] = table = self.table(str(one[SOURCE]), label)
            using = one.get("using")
            if isinstance(using, list):
                pairs = [exp.EQ(this=exp.column(c, parent), expression=exp.column(c, label)) for c in map(str, using)]
                on: exp.Expr | None = exp.and_(*pairs)
            else:
                on = self.expression(str(one.get("on") or ""))
            yield exp.Join(this=table, side="LEFT", on=on if on is not None else exp.func("RELATED"))
            yield from self.joins(one, label, found)

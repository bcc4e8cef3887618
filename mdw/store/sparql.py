"""The front end of the engine: SPARQL text -> what it does, read by a grammar of our own before the engine sees it.

Whatever calls other servers is refused here, however it is spelled, and so is a path that may begin and end anywhere.
The engine remains the judge of what the standard allows beyond that (SPARQL 1.1 Query and Update).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from operator import itemgetter
from typing import Any

from lark import Lark, Tree
from lark.exceptions import UnexpectedInput

from mdw.model.errors import QueryError
from mdw.model.visible import visible
from mdw.rdf.documents import line_of
from mdw.resources import GRAMMARS, keeping, kept

try:
    from lark_cython import plugins
except ImportError:  # there is no wheel of it for every machine: lark alone parses the same, more slowly
    plugins = {}

DEEPEST = 100
"""Parts within parts of a text; far beyond this the engine runs out of stack."""
LONGEST = {"expression": 2_000, "property": 2_000, "group": 500, "union": 200, "path": 200}
"""Parts of one expression, one group of patterns …, for the same reason."""

SHARED = 100
"""Patterns of one group that speak of one variable; in which order to look for them the engine thinks over too long."""
APART = "put some of them into a SELECT of their own"
SHORT = 1_000
"""Characters of a text that cannot hold anything too long or too deep, if it nests as few brackets as usual."""

_TELLING = re.compile(r"service|load|from|[+*]|(?:[{(\[][^})\]]*){20}", re.IGNORECASE)
"""What a query that calls servers, names graphs, walks paths of any length or nests deep has in its text somewhere."""
_ENGINE = re.compile(r"error at (\d+):(\d+): expected (.*)")
_REASON = re.compile(r"[A-Z](?:[^,\[\]\"]| \* )* [a-z][^,\[\]\"]*")
"""What the engine says of a place, and the sentences in it."""
_DONE = {"query": "answered", "update": "carried out"}
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


@dataclass(frozen=True, slots=True)
class Operation:
    """A query or an update: its text with its code point escapes written out (19.2), and its tree.

    There is no tree where nothing in the text could be refused, whatever it says: the engine alone reads it.
    """

    text: str
    tree: Tree[Any] | None = None

    @property
    def names_dataset(self) -> bool:
        """Whether it says itself which graphs it looks into."""
        parts = self.tree.iter_subtrees() if self.tree else ()
        return any(node.data in ("dataset", "with", "using") for node in parts)


def read_query(sparql: str, calls: Collection[str] = ()) -> Operation:
    """The query in a text; QueryError if it has none, nests too deep, or calls a server that ``calls`` does not name.

    >>> read_query("SELECT * { ?s ?p 'SERVICE' }").names_dataset
    False
    """
    return _read(sparql, "query", calls)


def read_update(sparql: str, calls: Collection[str] = ()) -> Operation:
    """The same of an update."""
    return _read(sparql, "update", calls)


def explain(query: Operation) -> None:
    """QueryError, with line and caret, if the grammar knows what is wrong with a query that the engine cannot read."""
    _parsed(query.text, "query")


def refused(text: str, what: str, error: BaseException) -> QueryError:
    """What the engine says against a query or an update, with a caret below the place where it says one.

    Of what it expected there only sentences are told: the rest are the words of its own grammar.
    """
    said = line_of(error)
    found = _ENGINE.search(said)
    if not found:
        return QueryError(f"the {what} cannot be {_DONE[what]}: {said}")
    lines = text.split("\n")
    line = min(int(found[1]), len(lines))
    column = min(int(found[2]), len(lines[line - 1]) + 1)
    reasons = [one for one in _REASON.findall(found[3]) if not one.isupper()]
    # The engine tells a character of the last line end as one behind it.
    place = sum(len(one) + 1 for one in lines[: line - 1]) + column - 1
    reason = "; ".join(reasons) or "from here on it cannot be read"
    reason = reason if reason[:2].isupper() else f"{reason[0].lower()}{reason[1:]}"
    return _placed(text, place, f"the {what} cannot be {_DONE[what]}: {reason}")


def refuse_free_paths(operation: Operation) -> None:
    """QueryError if a path of any length (``+``, ``*``) joins two variables that nothing else says anything of.

    Such a path asks for everything that reaches anything: minutes, from some hundred thousand triples on.
    """
    if operation.tree is None or next(operation.tree.find_data("repeated"), None) is None:
        return
    said, paths = _variables(operation.tree)
    for start, end in paths:
        if not said[start] and not said[end]:
            hint = f"say something more of {start} or {end}, or give one of them a value"
            place = _leftmost(next(operation.tree.find_data("repeated")))
            raise _placed(operation.text, place, f"a path of any length may begin and end anywhere: {hint}")


def with_using(update: Operation, default: Sequence[str], named: Sequence[str]) -> str:
    """The text of an update whose patterns look into these graphs (SPARQL 1.1 Protocol, 2.2.3).

    QueryError if it says USING or WITH itself.

    >>> with_using(read_update("DELETE WHERE { ?s ?p ?o }"), ["urn:g"], [])
    'DELETE { ?s ?p ?o } USING <urn:g> WHERE { ?s ?p ?o }'
    """
    if not default and not named:
        return update.text
    if update.names_dataset:
        raise QueryError("the update says USING or WITH: then the request may not name graphs as well")
    clause = "".join(f"USING <{graph}> " for graph in default) + "".join(f"USING NAMED <{graph}> " for graph in named)
    pieces, last = [], 0
    assert update.tree
    for operation in _trees(update.tree):
        places = {token.type: token for token in _tokens(operation)}
        if where := places.get("WHERE"):
            copied = f"{update.text[places['OPEN'].start_pos : places['CLOSE'].end_pos]} " if "OPEN" in places else ""
            pieces += [update.text[last : where.start_pos], copied, clause]
            last = where.start_pos
    return "".join([*pieces, update.text[last:]])


def _read(sparql: str, what: str, calls: Collection[str]) -> Operation:
    text = _plain(sparql)
    # To parse costs more than most queries do. What could be refused shows in the words of the text; that words within
    # strings show too only costs time.
    if what == "query" and not _TELLING.search(text) and len(text) <= SHORT:
        return Operation(text)
    tree = _parsed(text, what)
    _refuse(tree, calls, text)
    return Operation(text, tree)


@cache
def _lark() -> Lark:
    grammar = GRAMMARS / "sparql.lark"
    with keeping(kept(grammar)) as place:
        return Lark.open(
            str(grammar),
            parser="lalr",
            start=["query", "update"],
            maybe_placeholders=False,
            cache=place,
            _plugins=plugins,
        )


def _parsed(text: str, start: str) -> Tree[Any]:
    try:
        return _lark().parse(text, start)
    except UnexpectedInput as error:
        raise _error(text, start, error) from None


def _error(text: str, what: str, error: UnexpectedInput) -> QueryError:
    """What cannot be read, with its line and a caret below the place."""
    at_end = getattr(getattr(error, "token", None), "type", "") == "$END"
    place = len(text.rstrip()) if at_end else error.pos_in_stream or 0
    return _placed(text, place, f"the {what} cannot be read from here on")


def _placed(text: str, place: int, said: str) -> QueryError:
    """An error with its line and a caret below the place, which is so many characters into the text."""
    before = text[:place]
    line, column = before.count("\n") + 1, place - before.rfind("\n")
    shown = text.split("\n")[line - 1]
    cut = max(0, column - 60)
    # Characters that are shown escaped are so many; the caret stands below the place all the same.
    lead = visible(shown[cut : column - 1])
    caret = "".join(one if one == "\t" else " " for one in lead) + "^"
    lines = f"line {line}, column {column}: {said}\n    {visible(shown[cut : cut + 100])}\n    {caret}"
    return QueryError(lines, line=line, column=column)


def _leftmost(node: Tree[Any]) -> int:
    """Where the words of a part begin."""
    pending: list[Any] = [node]
    places = []
    while pending:
        one = pending.pop()
        if isinstance(one, Tree):
            pending += one.children
        elif one.start_pos is not None:
            places.append(int(one.start_pos))
    return min(places, default=0)


def _refuse(tree: Tree[Any], calls: Collection[str], text: str) -> None:
    """QueryError for what calls other servers, and for what would exhaust the engine."""
    pending: list[tuple[Tree[Any], int]] = [(tree, 1)]
    while pending:
        node, depth = pending.pop()
        if depth > DEEPEST:
            raise _placed(text, _leftmost(node), f"the text has parts more than {DEEPEST} deep in one another")
        if len(node.children) > (longest := LONGEST.get(node.data, len(node.children))):
            said = f"a part of the text ({node.data}) has more than {longest} parts itself"
            raise _placed(text, _leftmost(node), said)
        if node.data == "group" and (often := _shared(node)):
            said = f"more than {SHARED} patterns of one group speak of {often}: {APART}"
            raise _placed(text, _leftmost(node), said)
        if node.data in ("service", "load"):
            keyword, called = _tokens(node)[:2]
            if called.type != "IRIREF" or called.value[1:-1] not in calls:
                said = f"a query may not call other servers: {keyword.value.upper()} is refused"
                raise _placed(text, int(keyword.start_pos), said)
        pending += [(child, depth + 1) for child in _trees(node)]


def _shared(group: Tree[Any]) -> str:
    """A variable of which very many patterns of a group speak, "" if there is none."""
    met: Counter[str] = Counter()
    subject: list[str] = []
    for part in _trees(group):
        if part.data in ("subject", "node"):
            subject = [*_names(part)]
        elif part.data == "property":
            for one in islice(_trees(part), 1, None):
                met.update({*subject, *_names(one)})
    variable, count = max(met.items(), key=itemgetter(1), default=("", 0))
    return variable if count > SHARED else ""


def _variables(tree: Tree[Any]) -> tuple[Counter[str], list[tuple[str, str]]]:
    """How often anything is said of each variable, and the two ends of each path of any length between variables."""
    # `?a p+ ?b . ?b q 1`: nothing is said of a, something of b, so the path has few places to start at. That b is met
    # as the end of the path itself does not count: it is taken off again.
    said: Counter[str] = Counter()
    paths: list[tuple[str, str]] = []
    for node in tree.iter_subtrees():
        if node.data in ("values", "bind", "bind_as", "named", "object", "verb"):
            said.update(_names(node))
        start = ""
        for child in _trees(node):
            if child.data in ("subject", "node"):
                start = next(_names(child), "")
            elif child.data == "property":
                ends = [end for one in child.find_data("object") for end in _names(one)]
                verb = next(_trees(child))
                if start and ends and next(verb.find_data("repeated"), None) is not None:
                    paths += [(start, end) for end in ends]
                    said.subtract(ends)
                elif start:
                    said.update([start])
    return said, paths


def _names(node: Tree[Any]) -> Iterator[str]:
    return (f"?{token.value[1:]}" for token in _tokens(node) if token.type == "VAR")


def _trees(node: Tree[Any]) -> Iterator[Tree[Any]]:
    return (child for child in node.children if isinstance(child, Tree))


def _tokens(node: Tree[Any]) -> list[Any]:
    """The words of a part itself; either parser has a class of its own for them."""
    return [child for child in node.children if not isinstance(child, Tree)]


def _plain(sparql: str) -> str:
    return _ESCAPE.sub(lambda found: _character(found[1] or found[2]), sparql) if "\\" in sparql else sparql


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code <= 0x10FFFF else ""

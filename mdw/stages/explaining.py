"""A place in a file -> the statement that stands there, with all that was understood of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from mdw.language.derive import derive
from mdw.language.questions import AskedPlace, asked_place, several
from mdw.language.unparse import layout, unparse
from mdw.model.answers.explained import MAPPING, ExplainedStatement, FilledAttribute, ReadAs, ReadEntity, StatementPlace
from mdw.model.answers.help import MISNAMED, assumed_of, help_of, without_columns
from mdw.model.answers.statements import SqlStatement
from mdw.model.errors import QuestionError, did_you_mean
from mdw.model.expressions import Attr
from mdw.model.name import entity_of, local_of, plain
from mdw.model.query import ALL, ONE_ROW, RoutinePlace
from mdw.model.rules import Rules
from mdw.model.text import expression_text
from mdw.model.tree import Location, Node
from mdw.model.walks import with_leaves
from mdw.stages.reporting import ToldTables
from mdw.stages.unpassable import unpassable
from mdw.store import scripts, trees
from mdw.store.dictionary import absent
from mdw.store.engine import Store

FILLING = ("name", "dialect", "population", "others")
"""The parts of a mapping that do not say which rows there are."""


def explain(store: Store, place: str) -> ExplainedStatement:
    """FILE:LINE -> the innermost statement of that line; QuestionError if there is none, with what is near."""
    asked = asked_place(place)
    asked = asked._replace(file=_file(asked.file, scripts.all_files(store)))
    held = list(scripts.statements(store, [asked.file]))
    if not held:
        return _of_text(store, asked)
    here = _innermost(held, asked)
    if not here:
        raise _none_there(asked, [StatementPlace.of(one) for one in held])
    return _explained(store, here[0], here[1:])


def _file(asked: str, files: Sequence[str]) -> str:
    """The file that is meant: of this name, or the only one whose path ends in it, or in which it ends."""
    if asked in files:
        return asked
    found = [one for one in files if one.endswith(f"/{asked}")] or [one for one in files if asked.endswith(f"/{one}")]
    if len(found) > 1:
        raise several(asked, found)
    if not found:
        last = {_last(one): one for one in files}
        close = get_close_matches(asked, files, 3) or [last[one] for one in get_close_matches(_last(asked), last, 3)]
        raise QuestionError(f"nothing was read from a file {asked}{did_you_mean(close)}", missing=True)
    return found[0]


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _innermost(held: Sequence[SqlStatement], asked: AskedPlace) -> list[SqlStatement]:
    """The statements of a line that hold no other of it, in order; of one with a column those that stand there."""
    on = [one for one in held if _start(one).line <= asked.line <= _end(one).line]
    at = Location(asked.file, asked.line, asked.column)
    here = [one for one in on if _start(one) <= at < _end(one)] if asked.column else on
    # `CALL fill(SELECT ...)` is explained whole: an argument is no statement of its own.
    here = [one for one in here if not any(other.kind == "call" and _holds(other, one) for other in here)]
    inner = [one for one in here if not any(_holds(one, other) for other in here)]
    return sorted(inner, key=_start)


def _holds(one: SqlStatement, other: SqlStatement) -> bool:
    return (
        one is not other
        and _start(one) <= _start(other)
        and _end(other) <= _end(one)
        and len(other.text) < len(one.text)
    )


def _start(one: SqlStatement) -> Location:
    return one.start or one.location


def _end(one: SqlStatement) -> Location:
    return one.end or one.location


def _none_there(asked: AskedPlace, held: Sequence[StatementPlace]) -> QuestionError:
    """The error for a line without statement, with the last before it and the first behind it."""
    line = asked.line
    before = [one for one in held if one.location.line <= line][-1:]
    after = [one for one in held if one.location.line > line][:1]
    near = [f"{one.location.file}:{one.location.line} ({one.kind})" for one in (*before, *after)]
    if not near:
        return QuestionError(f"no statement was read from {asked.file}", missing=True)
    what = f"no statement stands at {asked.file}:{line}{f':{asked.column}' if asked.column else ''}"
    return QuestionError(f"{what}; the nearest: {', '.join(near)}", missing=True)


# -- mapping text ------------------------------------------------------------------------------------------------------


def _of_text(store: Store, asked: AskedPlace) -> ExplainedStatement:
    """The mapping of mapping text that stands at a line."""
    held = scripts.lines(store, asked.file)
    above = [name for name, line in held if line <= asked.line][-1:]
    for name, tree in trees.trees(store, above):
        places = [one.location for one in tree.walk() if one.location]
        if places and asked.line <= max(places).line:
            return _explained(store, _as_statement(tree, derive(tree, name)))
    near = [StatementPlace(Location(asked.file, line, 1), f"mapping {name}", "") for name, line in held]
    raise _none_there(asked, near)


def _as_statement(tree: Node, rules: Rules) -> SqlStatement:
    head, places = rules.head, [one.location for one in tree.walk() if one.location]
    reads = tuple(dict.fromkeys((head.driving, *(join.entity for join in head.joins))))
    start, end = min(places), max(places)
    told = (MAPPING, "whole", head.target, (), reads, (head.target,), (), "", start, "", unparse(tree), start, end)
    return SqlStatement(*told)  # type: ignore[arg-type]


# -- what was understood -----------------------------------------------------------------------------------------------


def _explained(store: Store, one: SqlStatement, beside: Sequence[SqlStatement] = ()) -> ExplainedStatement:
    found = _read_as(store, one)
    rules = {name: derive(tree, name) for name, tree in found.items()}
    reads = tuple(_reads(one, rules, ToldTables(store)))
    misnamed = absent(store, [f"{read.entity}.{name}" for read in reads for name in read.attributes if not read.local])
    return ExplainedStatement(
        replace(one, reads=tuple(read.entity for read in reads)),
        reads,
        tuple(_mappings(one, found, rules)),
        (*assumed_of(one), *without_columns(misnamed)),
        (*help_of(one, [read.entity for read in reads if not read.told]), *[MISNAMED] * bool(misnamed)),
        _routines(store, [one.within] if one.within else []),
        _routines(store, one.calls),
        tuple(map(StatementPlace.of, _calling(store, one))),
        tuple(map(StatementPlace.of, beside)),
    )


def _calling(store: Store, one: SqlStatement) -> Sequence[SqlStatement]:
    """What calls the routine that a statement makes, or else that it stands in."""
    return scripts.calling(store, _start(one)) or (scripts.calling(store, one.within.location) if one.within else ())


def _routines(store: Store, some: Sequence[RoutinePlace]) -> tuple[StatementPlace, ...]:
    """Where routines are made, each with how its text begins."""
    held = scripts.statements(store, {one.location.file for one in some}) if some else ()
    made = {_start(one): one for one in held}
    return tuple(
        StatementPlace.of(made[one.location]) if one.location in made else StatementPlace(one.location, "", one.name)
        for one in some
    )


def _read_as(store: Store, one: SqlStatement) -> dict[str, Node]:
    if one.kind == MAPPING:
        names = [name for name, line in scripts.lines(store, one.location.file) if line <= one.location.line][-1:]
        return dict(trees.trees(store, names))
    return scripts.read_as(store, one)


def _reads(one: SqlStatement, rules: Mapping[str, Rules], known: ToldTables) -> Iterator[ReadEntity]:
    """What a statement reads, with the attributes it uses; not what is local to it alone."""
    own = {some.head.target for some in rules.values() if some.head.inner}
    used: dict[str, dict[str, None]] = {}
    for some in rules.values():
        given = [
            source for population in some.populations for clause in population.clauses for source in clause.sources
        ]
        for source in (*some.head.sources, *given):
            used.setdefault(entity_of(source.attribute), {})[local_of(source.attribute)] = None
    for entity in dict.fromkeys((*one.reads, *used)):
        if entity not in (*own, ONE_ROW, ""):
            names = [name for name in used.get(entity, ()) if name != ALL]
            told = one.kind == MAPPING or known.tell(entity)
            yield ReadEntity(entity, tuple(sorted(names)), told, known.local(entity))


def _mappings(one: SqlStatement, found: Mapping[str, Node], rules: Mapping[str, Rules]) -> Iterator[ReadAs]:
    """The mappings of a statement: what fills tables first, those of its own script before those of others' calls."""
    file = one.location.file
    met: set[tuple[object, ...]] = set()
    ordered = sorted(
        found, key=lambda name: (rules[name].head.inner, not name.startswith(file), rules[name].head.line, name)
    )
    for name in ordered:
        tree, head = found[name], rules[name].head
        filled = tuple(_filled(rules[name]))
        sort = tree.location, head.inner, head.update, tuple(local_of(one.attribute) for one in filled)
        yield ReadAs(
            name, head.target, head.inner, sort in met, unpassable(head), filled, tuple(_rows(tree)), unparse(tree)
        )
        met.add(sort)


def _filled(rules: Rules) -> Iterator[FilledAttribute]:
    for population in rules.populations:
        for clause in population.clauses:
            value = with_leaves(
                clause.expression, lambda leaf: Attr(plain(leaf.name)) if isinstance(leaf, Attr) else leaf
            )
            place = Location(rules.head.file, clause.line, clause.column)
            yield FilledAttribute(population.target, expression_text(value), clause.text, place)


def _rows(tree: Node) -> Iterator[str]:
    """The joins and conditions of a mapping, each as text."""
    for node in tree.children:
        if node.role not in FILLING:
            yield "\n".join(line.text for line in layout(Node("mapping", "", (node,))))

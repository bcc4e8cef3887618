"""Attributes that nobody names: a star that could not be expanded passes on whatever is asked for, by name (rule Q22).

``CREATE VIEW b AS SELECT * FROM nobody`` fills B.`*` from NOBODY.`*`. Asked of B.X, the same rules say that it comes
from NOBODY.X. What a star leaves out it does not pass on: `SELECT * EXCEPT (x)` fills B.`*` by ALL_BUT.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from mdw.model.expressions import Attr, Call, Const, Expression
from mdw.model.name import entity_of, local_of, plain, row_of
from mdw.model.query import ALL, ALL_BUT
from mdw.model.rules import DIRECT, Clause, Head, Population, Source, unique
from mdw.model.walks import attributes_of, with_leaves

Filled = dict[tuple[str, str], Population]
"""Populations by mapping and target."""


def star_of(attribute: str) -> str:
    """The attribute that stands for all of an entity's.

    >>> star_of("B.X")
    'B.`*`'
    """
    return f"{entity_of(attribute)}.{ALL}"


def is_star(attribute: str) -> bool:
    """Whether an attribute stands for all of an entity's."""
    return attribute.endswith(ALL) and local_of(attribute) == ALL


def filled(populations: Mapping[tuple[str, str], Population], names: Iterable[str]) -> Filled:
    """What stars make of the attributes named, and of those that these then come from, and so on up."""
    stars: defaultdict[str, list[Population]] = defaultdict(list)
    for one in populations.values():
        if is_star(one.target):
            stars[one.target].append(one)
    found: Filled = {}
    pending = list(names) if stars else []
    while pending:
        name = pending.pop()
        for star in stars.get(star_of(name), ()) if not is_star(name) else ():
            key = star.mapping, name
            # Where a statement does name it the star does not mean it: of `SELECT a AS x, * FROM s` x is a's.
            if key in populations or key in found or (given := _named(star, local_of(name))) is None:
                continue
            found[key] = given
            pending += [source.attribute for clause in given.clauses for source in clause.sources]
    return found


def fed(populations: Mapping[tuple[str, str], Population], asked: Iterable[str]) -> Filled:
    """What stars make of the attributes asked, and of those that these then feed, and so on down.

    What is made of all attributes, and is no star itself, is made of each that is asked, too.
    """
    uses: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for key, one in populations.items():
        for clause in one.clauses:
            for source in clause.sources:
                if source.subtype in DIRECT:
                    uses[source.attribute][key] = None
    found: Filled = {}
    pending, met = list(asked), set(asked)
    while pending:
        name = pending.pop()
        reached = {target for _, target in uses.get(name, ())}
        for mapping, target in uses.get(star_of(name), ()) if not is_star(name) else ():
            if is_star(target):
                # It goes on under its name; what does not take all it may take (`EXCEPT`) may not take this.
                key = mapping, f"{entity_of(target)}.{local_of(name)}"
                given = None if key in populations else _named(populations[mapping, target], local_of(name))
                if given is None or not _uses(given, name):
                    continue
            else:
                # `COUNT(DISTINCT *) AS n` is made of x as well; of several attributes asked one after the other.
                key = mapping, target
                given = _of_all(found.get(key, populations[key]), name)
            found[key] = given
            reached.add(key[1])
        pending += reached - met
        met |= reached
    return found


def grouped(head: Head, named: Iterable[str]) -> Head:
    """The head of a mapping whose star stands for these names: what groups by all groups by each of them."""
    keys = [key.name for key in head.group or () if isinstance(key, Attr) and is_star(key.name)]
    more = [_called(key, name) for key in keys for name in sorted(named)]
    if head.group is None or not more:
        return head
    sources = tuple([Source(plain(key), "GROUP_BY", row_of(key) if "@" in key else "") for key in more])
    return replace(head, group=unique((*head.group, *map(Attr, more))), sources=unique((*head.sources, *sources)))


def _uses(one: Population, name: str) -> bool:
    return any(source.attribute == name for clause in one.clauses for source in clause.sources)


def _named(star: Population, name: str) -> Population | None:
    """The population of that name that a star stands for; None where it leaves the name out."""
    clauses = [given for part in star.clauses if (given := _starred(part, name)) is not None]
    return replace(star, target=_called(star.target, name), clauses=tuple(clauses)) if clauses else None


def _starred(one: Clause, name: str) -> Clause | None:
    """The clause of a star, with those of its sources alone that may have the name."""
    expression = _having(one.expression, name)
    if expression is None:
        return None
    if isinstance(expression, Call) and expression.function != "*":
        # What is made of all is made of any of them, whatever it is called.
        return one
    mentioned = set(attributes_of(expression))
    sources = [part for part in one.sources if part.name in mentioned]
    if isinstance(expression, Attr):
        sources = [part._replace(subtype="IDENTITY") for part in sources]
    called = tuple([part._replace(attribute=_called(part.attribute, name)) for part in sources])
    given = with_leaves(expression, lambda leaf: Attr(_called(leaf.name, name)) if isinstance(leaf, Attr) else leaf)
    return one._replace(expression=given, sources=called)


def _having(star: Expression, name: str) -> Expression | None:
    """The part of a star that may have the name; None if none has."""
    if not isinstance(star, Call) or star.function not in ("*", ALL_BUT):
        return star
    if star.function == ALL_BUT:
        return star.arguments[0] if Const("string", name) not in star.arguments[1:] else None
    parts = [one for part in star.arguments if (one := _having(part, name)) is not None]
    return Call("*", tuple(parts)) if len(parts) > 1 else next(iter(parts), None)


def _of_all(one: Population, name: str) -> Population:
    """What is made of all attributes of an entity, made of one of them too."""

    def clause(part: Clause) -> Clause:
        stars = [one for one in part.sources if one.attribute == star_of(name) and one.subtype in DIRECT]
        if not stars:
            return part
        more = [
            source._replace(attribute=name, subtype=max(source.subtype, "TRANSFORMATION", key=DIRECT.index))
            for source in stars
        ]
        rows = {source.name: source._replace(attribute=name).name for source in stars}

        def leaf(given: Expression) -> Expression:
            if not isinstance(given, Attr) or given.name not in rows:
                return given
            return Call("*", (given, Attr(rows[given.name])))

        return part._replace(expression=with_leaves(part.expression, leaf), sources=unique((*part.sources, *more)))

    return replace(one, clauses=tuple(map(clause, one.clauses)))


def _called(attribute: str, name: str) -> str:
    return f"{row_of(attribute)}.{name}" if local_of(attribute) == ALL else attribute

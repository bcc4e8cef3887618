"""An example row for a condition: the source's row and a row for each join needed, with values that satisfy it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import islice

from mdw.conditions.atoms import EQUAL, LESS, MORE, UNKNOWN, Atom
from mdw.conditions.diagram import TRUE
from mdw.conditions.products import boxes
from mdw.conditions.regions import NULL, Regions
from mdw.conditions.samples import sample
from mdw.conditions.solver import Solver
from mdw.conditions.tree import Cube
from mdw.conditions.typed import anything, at_place, kind_of
from mdw.conditions.values import NOTHING, Lookup, Value, evaluate
from mdw.lineage.judge.partners import keys
from mdw.lineage.rows.variables import Variables
from mdw.lineage.rows.view import Joined, JoinedRow, Own, Partner
from mdw.model.answers.ends import Plain
from mdw.model.answers.ends import Row as Shown
from mdw.model.expressions import YES, Compare, Const, Variable
from mdw.model.name import entity_of_row, row_of
from mdw.model.name import plain as plain_name
from mdw.model.walks import variables_of

TRIED = 12
"""Alternatives of a condition tried, the simplest first."""
COMPARED = 1_000
"""Comparisons in all alternatives tried: Z3 is told of each anew, a millisecond for one."""

Values = dict[int, Const]
Kinds = Callable[[int], str]
"""The kind of the type that is told of a variable's attribute; "" where none is."""


def example(
    crossing: Variables, solver: Solver, cubes: Iterable[Cube], entity: str
) -> tuple[Shown, tuple[tuple[str, Shown], ...]] | None:
    """The source's row and the joined rows by entity, for the first product that one is found for.

    ``A = 1 AND J.K = K AND J.N > 5``: the row has A = 1, K = 1, say; the row of J has K = 1 and N = 6.
    """
    left = COMPARED
    for cube in islice((such for one in cubes for such in _such_as_exist(crossing, one)), TRIED):
        left -= len(_atoms(crossing, cube))
        if left < 0:
            break
        # What rules say of a kind may not go together with what is told: then some value is better than none.
        for kinds in _told(crossing, entity):
            values = _values(crossing, solver, cube, kinds)
            if values is not None and (found := _rows(crossing, cube, values, entity)):
                return found
    return None


def _told(crossing: Variables, entity: str) -> Iterator[Kinds]:
    """What types tell of the kinds of variables, then nothing."""

    def kind(variable: int) -> str:
        label = crossing.label(variable)
        if isinstance(label, Own):
            return kind_of(crossing.universe.type(f"{entity}.{label.local}"))
        return kind_of(crossing.universe.type(label.attribute)) if isinstance(label, Partner) else ""

    yield kind
    yield lambda _: ""


def _such_as_exist(crossing: Variables, cube: Cube) -> Iterable[Cube]:
    """The parts of a product in which the joined rows are such as can exist (rule Q10)."""
    diagram, met = crossing.diagram, TRUE
    for label in [one for v, mask in cube.items() if isinstance(one := crossing.label(v), Joined) and mask != UNKNOWN]:
        for _, row in sorted(label.rows):

            def value_of(local: str, label: Joined = label, row: str = row) -> Value:
                name = f"{row}.{local}"
                other = crossing.partner(label.mapping, name)
                return next(
                    (value for value, key in label.pairs if key == name), other if other.number in cube else None
                )

            met = diagram.both(met, crossing.exists(entity_of_row(row), value_of))
    if met == TRUE:
        return (cube,)
    for variable, mask in cube.items():
        met = diagram.both(met, diagram.allow(variable, mask))
    return boxes(diagram, met)


def _values(crossing: Variables, solver: Solver, cube: Cube, kinds: Kinds) -> Values | None:
    """A value for each variable of the product, so that every part of it holds."""
    found: Values = {}
    # Values that nothing compares are chosen each by itself; the others only together.
    compared = {one.number for label in _atoms(crossing, cube) for one in variables_of(label.condition)}
    for key, known in keys(crossing, cube).items():
        cube = {**cube, key: cube.get(key, known) & known}
    for variable, mask in cube.items():
        if isinstance(crossing.label(variable), (Own, Partner)) and variable not in compared:
            value = _one_of(crossing, variable, mask, kinds(variable))
            if value is None:
                return None
            found[variable] = value
    if compared:
        together = _together(crossing, solver, cube, compared, kinds)
        if together is None:
            return None
        found |= together
    # What Z3 took for numbers was given texts, and functions were free to it: only what holds evaluated is shown.
    return found if _hold(crossing, cube, found) else None


def _atoms(crossing: Variables, cube: Cube) -> list[Atom]:
    return [label for variable in cube if isinstance(label := crossing.label(variable), Atom)]


def _one_of(crossing: Variables, variable: int, mask: int, kind: str) -> Const | None:
    regions = crossing.regions(variable)
    # Where nothing but NULL is excluded and no rule says of what kind it is, it is any value at all.
    found = (
        next(anything(kind)) if one.kind == "any" else sample(one, regions, kind=kind) for one in regions.members(mask)
    )
    values = [value for value in found if value is not None]
    # A limit below 0 is true to the rules, but reads oddly.
    plain = (value for value in values if value.kind != "number" or not value.text.startswith("-"))
    return next(plain, values[0] if values else NOTHING if mask & NULL else None)


def _together(crossing: Variables, solver: Solver, cube: Cube, compared: set[int], kinds: Kinds) -> Values | None:
    """Values of the variables that are compared with each other, by Z3."""
    diagram = crossing.diagram
    node = TRUE
    for variable in sorted({*cube, *compared}):
        label = crossing.label(variable)
        if isinstance(label, Atom) or variable in compared:
            node = diagram.both(node, diagram.allow(variable, cube.get(variable, diagram.domains[variable])))
    model = solver.example(node)
    if model is None:
        return None
    counted = _counted(crossing, cube)
    found: Values = {}
    others: defaultdict[Regions, dict[Fraction, Const]] = defaultdict(dict)
    for variable in sorted(compared):
        place, regions = model[variable], crossing.regions(variable)
        # What is compared is of one kind, whichever of them tells it.
        alike = {kind for one in compared if crossing.regions(one) is regions and (kind := kinds(one))}
        kind = alike.pop() if len(alike) == 1 else ""
        value: Const | None
        if isinstance(place, Const):
            value = place
        elif regions in counted:
            value = at_place(kind, place)
        else:
            # Equal places stand for equal values, others for others.
            known = others[regions]
            used = {one.text for one in known.values()}
            mask = cube.get(variable, diagram.domains[variable])
            value = known.get(place) or _other_than(used, regions, mask, kind)
            known |= {} if value is None else {place: value}
        if value is None:
            return None
        found[variable] = value
    return found


def _counted(crossing: Variables, cube: Cube) -> set[Regions]:
    """The classes of no known kind that are taken for numbers, because something computes with them or orders them."""
    found = set()
    for variable, mask in cube.items():
        label = crossing.label(variable)
        if isinstance(label, Atom):
            # `A = B` and `A != B` of two attributes say nothing of a kind; `A < B` and `A = B + 1` are of numbers.
            sides = isinstance(label.condition, Compare) and {type(label.condition.left), type(label.condition.right)}
            if sides != {Variable} or mask & ~UNKNOWN not in (EQUAL, LESS | MORE):
                found |= {crossing.regions(one.number) for one in variables_of(label.condition)}
    return {one for one in found if not one.kinds}


def _other_than(used: set[str], regions: Regions, mask: int, kind: str) -> Const | None:
    """A value of a value set that is none of those used; a text, where rules do not leave the kind open."""
    if not regions.kinds:
        return next((one for one in anything(kind) if one.text not in used), None)
    for region in regions.members(mask):
        if region.point is None and region.kind == "string" and (value := sample(region, regions, used, kind)):
            return value
    return None


def _hold(crossing: Variables, cube: Cube, values: Values) -> bool:
    """Whether every part of the product is true of the values for certain."""
    terms, lookup = crossing.terms, _lookup(values)
    terms.doubts.clear()
    for variable, mask in cube.items():
        label = crossing.label(variable)
        if isinstance(label, Atom):
            if terms.holds(label.condition, mask, lookup) != TRUE or terms.doubts:
                terms.doubts.clear()
                return False
        elif variable in values and crossing.regions(variable).bit(values[variable]) & ~mask:
            return False
    terms.doubts.clear()
    return True


def _rows(
    crossing: Variables, cube: Cube, values: Values, entity: str
) -> tuple[Shown, tuple[tuple[str, Shown], ...]] | None:
    """The values as rows; None if a row that must not be there is among them."""
    own: dict[str, Const] = {}
    partners: dict[JoinedRow, dict[str, Const]] = {}
    joins = [(label, mask) for v, mask in cube.items() if isinstance(label := crossing.label(v), Joined)]
    for variable, value in values.items():
        label = crossing.label(variable)
        if isinstance(label, Own):
            own[f"{entity}.{label.local}"] = value
        elif isinstance(label, Partner):
            partners.setdefault((label.mapping, row_of(label.attribute)), {})[plain_name(label.attribute)] = value
    wanted = []
    for label, mask in joins:
        pairs = _pairs(label, values)
        if pairs is None:
            return None
        if mask == UNKNOWN:
            wanted.append(pairs)
            continue
        for attribute, value in pairs:
            partners.setdefault((label.mapping, row_of(attribute)), {})[plain_name(attribute)] = value
    every = [own, *partners.values()]
    # What a join must not find is looked for in all rows shown: an example that shows it would contradict itself.
    for pairs in wanted:
        if any(all(row.get(plain_name(attribute)) == value for attribute, value in pairs) for row in every):
            return None
    by_row = sorted(partners.items(), key=lambda one: one[0])
    shown = dict.fromkeys((entity_of_row(of), _plain(row)) for (_, of), row in by_row)
    return _plain(own), tuple(shown)


def _pairs(label: Joined, values: Values) -> list[tuple[str, Const]] | None:
    """What the joined row has in its keys."""
    found = []
    for value, attribute in label.pairs:
        known = evaluate(value, _lookup(values))
        if not isinstance(known, Const) or known == NOTHING:
            return None
        found.append((attribute, known))
    return found


def _lookup(values: Values) -> Lookup:
    return lambda symbol: values.get(symbol.number) if isinstance(symbol, Variable) else None


def _plain(row: dict[str, Const]) -> Shown:
    return tuple((name, plain(value)) for name, value in sorted(row.items()))


def plain(value: Const) -> Plain:
    """A constant as a value of Python."""
    if value == NOTHING:
        return None
    if value.kind == "date":
        return date.fromisoformat(value.text)
    if value.kind == "number":
        number = Decimal(value.text)
        return int(number) if number == number.to_integral_value() else number
    if value.kind == "boolean":
        return value == YES
    return value.text

"""Value set -> condition: what the literals of a diagram say, as short as it can be written."""

from __future__ import annotations

from collections.abc import Iterable

from mdw.conditions.atoms import NO, OPERATORS, UNKNOWN, YES
from mdw.conditions.cuts import Region
from mdw.conditions.masks import mask_of, places_of
from mdw.conditions.regions import NULL, Regions
from mdw.conditions.values import constant_at
from mdw.model.collations import bare
from mdw.model.expressions import FALSE as NEVER
from mdw.model.expressions import TRUE as ALWAYS
from mdw.model.expressions import And, Compare, Condition, Const, Expression, In, IsNull, Like, Not, Or
from mdw.model.text import to_text


def conjunction(every: list[Condition]) -> Condition:
    """AND, flattened and in a stable order."""
    flat: list[Condition] = []
    for part in every:
        flat += part.parts if isinstance(part, And) else (part,)
    known = {Not(IsNull(side)) for part in flat if isinstance(part, Compare) for side in (part.left, part.right)}
    # "A IS NOT NULL AND A = 1" says no more than "A = 1".
    flat = [one for one in dict.fromkeys(flat) if one not in known]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def disjunction(parts: list[Condition]) -> Condition:
    """OR, flattened, shortest part first."""
    flat: list[Condition] = []
    for part in parts:
        flat += part.parts if isinstance(part, Or) else (part,)
    # "A OR (A AND B)" says no more than "A".
    flat = [one for one in flat if not (isinstance(one, And) and any(other in one.parts for other in flat))]
    flat = sorted(dict.fromkeys(flat), key=by_length)
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def by_length(part: Condition) -> tuple[int, str]:
    """What puts conditions in order, the shortest first."""
    text = to_text(part)
    return len(text), text


def values_condition(subject: Expression, mask: int, regions: Regions) -> Condition:
    """The condition that the subject's value lies in the value set, as short as it can be written.

    >>> from mdw.model.expressions import Attr
    >>> regions = Regions.over(Const("number", "1"), Const("number", "5"))
    >>> at_least_1 = regions.compare(">=", Const("number", "1"))[0]
    >>> to_text(values_condition(Attr("A.X"), at_least_1, regions)), to_text(values_condition(Attr("A.X"), 1, regions))
    ('A.X >= 1', 'A.X IS NULL')
    """
    known = regions.domain & ~NULL & ~regions.kin
    inside = mask & known
    # What a collation takes for a constant, and nothing but that, is told by the constant.
    for some in regions.families().values() if mask & regions.kin else ():
        inside |= some & ~regions.kin if 0 != some & mask == some & regions.kin else 0
    if mask & NULL:
        if not inside:
            return IsNull(subject)
        return Or((values_condition(subject, inside, regions), IsNull(subject)))
    if not inside:
        return NEVER
    if inside == known:
        return Not(IsNull(subject))
    # Where databases differ value sets are no text; what the rules compare stands beside them as atoms.
    if regions.open:
        asked = [Compare(op, subject, constant) for op, constant in regions.asked(inside)]
        return conjunction([*asked]) if asked else Not(IsNull(subject))
    # The shortest true text is wanted: = and IN, else != and NOT IN, else LIKE, else ranges.
    if not inside & ~regions.points:
        return _one_of(subject, _points(regions.members(inside)))
    if not known & ~inside & ~regions.points:
        return _none_of(subject, _points(regions.members(known & ~inside)))
    for pattern in regions.told:
        true, false = regions.like(pattern)
        if inside == true:
            return Like(subject, pattern)
        if inside == false:
            return Not(Like(subject, pattern))
    return _runs(subject, inside, regions)


def atom_condition(condition: Condition, mask: int) -> Condition:
    """An atom with the values allowed; where it may be unknown, some operand is NULL."""
    # By what collation texts are compared the database knows.
    if isinstance(condition, Compare):
        left, right = bare(condition.left), bare(condition.right)
        op = OPERATORS.get(mask & ~UNKNOWN)
        known: Condition = Compare(op, left, right) if op else ALWAYS
        if not op and mask & ~UNKNOWN:
            known = And((Not(IsNull(left)), Not(IsNull(right))))
        if not mask & ~UNKNOWN:
            known = NEVER
        subjects: tuple[Expression, ...] = (left, right)
    else:
        if isinstance(condition, Like):
            condition = Like(bare(condition.subject), condition.pattern)
        known = {YES: condition, NO: Not(condition), YES | NO: ALWAYS}.get(mask & ~UNKNOWN, NEVER)
        subjects = (condition.subject,) if isinstance(condition, Like) else ()
    if not mask & UNKNOWN:
        return known
    nulls = tuple(IsNull(subject) for subject in subjects if not isinstance(subject, Const))
    return Or((known, *nulls)) if known != NEVER else Or(nulls)


def _points(regions: list[Region]) -> list[Const]:
    return [constant_at(region.kind, region.point) for region in regions]


def _one_of(subject: Expression, constants: list[Const]) -> Condition:
    return Compare("=", subject, constants[0]) if len(constants) == 1 else In(subject, tuple(constants))


def _none_of(subject: Expression, constants: list[Const]) -> Condition:
    return Compare("!=", subject, constants[0]) if len(constants) == 1 else Not(In(subject, tuple(constants)))


def _runs(subject: Expression, inside: int, regions: Regions) -> Condition:
    """Value sets with intervals: neighbouring regions become one range."""
    parts: list[Condition] = []
    points: list[Const] = []
    said = 0
    places = {region: place for place, region in enumerate(regions.regions, 1)}
    # Intervals first: what one of them says of texts already is not said again as a point.
    for first, last in sorted(regions.runs(inside), key=lambda run: run[0] is run[1] and run[0].point is not None):
        if first is last and first.point is not None:
            if not said >> places[first] & 1:
                points.append(constant_at(first.kind, first.point))
        elif first.kind == "string" and first is last and first.low is None and first.high is None:
            texts, passes = _texts(subject, first, inside, regions)
            parts.append(conjunction(texts) if texts else Not(IsNull(subject)))
            said |= passes
        else:
            parts.append(_range(subject, first, last, regions))
    if points:
        parts.append(_one_of(subject, points))
    parts = list(dict.fromkeys(parts))
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def _range(subject: Expression, first: Region, last: Region, regions: Regions) -> Condition:
    bounds = regions.bounds(first, last)
    parts: list[Condition] = [Compare(op, subject, constant_at(first.kind, point)) for op, point in bounds]
    if first.kind == "string":
        parts += [Like(subject, p) if p in first.patterns else Not(Like(subject, p)) for p in regions.told]
    return conjunction(parts) if parts else Not(IsNull(subject))


def _texts(subject: Expression, like: Region, inside: int, regions: Regions) -> tuple[list[Condition], int]:
    """The patterns that texts of a region fit or do not fit, and the texts left out; and the value set that says.

    Only what is not ``inside`` is shut out, and by as few parts as will do: who is LIKE "TD%" is not LIKE "CA%".
    """
    numbered = [(place, one) for place, one in enumerate(regions.regions, 1) if one.kind == "string" and not one.kin]
    texts = mask_of(place for place, _ in numbered)
    points = {place: constant_at("string", one.point) for place, one in numbered if one.point is not None}
    shut: dict[Condition, int] = {}
    # Patterns that fit come last: they say most, so they had better stay.
    for pattern in sorted(regions.told, key=lambda one: (one in like.patterns, one)):
        true, false = regions.like(pattern)
        fits = pattern in like.patterns
        meant: Condition = Like(subject, pattern) if fits else Not(Like(subject, pattern))
        shut[meant] = texts & ~(true if fits else false)
    # Single texts that no pattern shuts out must be named; of the patterns those go that shut out nothing else.
    left_out = points.keys() - set(places_of(inside | _united(shut.values())))
    needed = texts & ~inside & ~mask_of(left_out)
    for part in list(shut):
        rest = {one: mask for one, mask in shut.items() if one != part}
        if not needed & ~_united(rest.values()):
            shut = rest
    if not shut and not left_out and regions.domain & ~texts & ~NULL & ~inside:
        # All texts, and nothing of another kind: a part about texts says so.
        left_out = set(points)
    found = sorted(shut, key=to_text)
    if left_out:
        found.append(_none_of(subject, [points[place] for place in sorted(left_out)]))
    return found, texts & ~_united(shut.values()) & ~mask_of(left_out)


def _united(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found

"""Tree -> rules: what a mapping's parse tree says, as values the engine works with.

What a node of an expression or condition means is `mdw.language.meaning`'s affair; here mappings are put together:

    WITH CASE WHEN S.T = "a" THEN S.X ELSE 0 END IF S.K > 1      two clauses: S.X IF S.K > 1 AND S.T = "a", 0 IF S.K > 1
    FROM S ... LEFT JOIN S AS O ON O.K = S.P                     a join of the row S@O by (S.P, S@O.K)

Names become canonical, numbers and dates get their one spelling; places and texts are kept where answers quote them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from mdw.language.arms import all_of, all_said, source_of
from mdw.language.collating import strictly
from mdw.language.leaves import named_in
from mdw.language.meaning import Meaning
from mdw.language.totals import asked_of_totals, or_total
from mdw.language.unasked import unasked
from mdw.language.wording import shown_condition
from mdw.model.collations import nature_of
from mdw.model.errors import InputError
from mdw.model.expressions import Aggregate, And, Attr, Compare, Condition, Expression, Window
from mdw.model.function_names import PICKING
from mdw.model.name import canonical, in_role, row_of
from mdw.model.rules import Clause, Head, Join, JoinKind, Policy, Population, Rules, Source, head_sources, unique
from mdw.model.tree import CopyNode, Location, Node
from mdw.model.walks import attributes_of, parts, with_parts

JOINING: Mapping[str, JoinKind] = {
    "INNER JOIN": "inner",
    "LEFT JOIN": "left",
    "RIGHT JOIN": "right",
    "FULL JOIN": "full",
    "CROSS JOIN": "cross",
    "SEMI JOIN": "semi",
    "ANTI JOIN": "anti",
    "MARK JOIN": "mark",
}
SETS = ("ROLLUP", "CUBE", "GROUPING SETS")
CHOOSING = frozenset(("distinct", "ordering", "limit"))
REST: Mapping[str, Policy] = {"CARRY": "carry", "OPEN": "open", "CLOSED": "closed"}


def derive(tree: Node, name: str) -> Rules:
    """The rules of one mapping tree; ``name`` identifies the mapping in answers and in the store."""
    # Looked for once: most clauses are not there.
    own = {node.role: node for node in tree.children[::-1]}
    population = _child(tree, "population")
    target, driving = _child(population, "targetentity"), _child(population, "drivingentity")
    scope = _Scope(tree, driving)
    dialect, filtering, grouping = own.get("dialect"), own.get("filter"), own.get("grouping")
    meaning = Meaning(named_in(scope.rows), name, dialect.content if dialect else "")
    joins = tuple(_joins(tree, meaning, scope))
    condition = filtering.first("condition") if filtering else None
    passing = meaning.condition(condition) if condition else None
    group = _grouping(grouping, meaning) if grouping else None
    having = _having([own[role] for role in ("having", "qualify") if role in own], meaning)
    populations = tuple([_population(node, name, meaning) for node in population.all("populate")])
    sets = grouping is not None and bool(grouping.children) and grouping.children[0].role in SETS
    if sets:
        populations = tuple([or_total(one, group or (), meaning) for one in populations])
        having = having and asked_of_totals(having, group or (), meaning)
    elif having is not None and group:
        having = _of_group(having, group)
    update = population.children[0].role in ("UPDATING", "DELETING")
    first, role = _entity(driving), scope.role_of(driving)
    deciding = head_sources(joins, passing, populations, group, having)
    others = unasked(joins, [] if update else [(first, in_role(first, role))], populations, deciding) if joins else ()
    choosing = [node for node in tree.children if node.role in CHOOSING]
    head = Head(
        mapping=name,
        target=_entity(target),
        driving=first,
        joins=joins,
        filter=passing,
        filter_text=shown_condition(condition) if condition else "",
        filter_line=_line(filtering) if filtering else 0,
        update=update,
        file=tree.location.file if tree.location else "",
        line=_line(tree),
        sources=unique((*deciding, *others, *_sorting(choosing, meaning))),
        role=role,
        group=group,
        having=having,
        policy=_policy(own.get("others"), population),
        nulls=_nulls(own.get("others")),
        inner=target.children[0].role == "inner",
        sets=sets,
        picks=any(node.role == "limit" or (node.role == "distinct" and _keys(node)) for node in choosing),
    )
    return Rules(head, populations)


class _Scope:
    """The roles a mapping reads entities in: by role, or by entity where there is none, the row."""

    def __init__(self, tree: Node, driving: Node) -> None:
        read = [driving, *[node for node in tree.children if node.role == "join"]]
        entities = [_entity(node) for node in read]
        entities += [_entity(_child(node, "toentity")) for node in tree.all("navigation")]
        self.rows = {name: name for name in entities}
        # An entity that is read once needs no role: its name tells its row.
        self._several = {name for name in entities if entities.count(name) > 1} if len(entities) > 1 else ()
        for node, entity in zip(read, entities, strict=False):
            if role := _role(node):
                self.rows[role] = in_role(entity, role) if entity in self._several else entity

    def names_of(self, join: Join) -> list[str]:
        """What the mapping calls the row of a join."""
        return [name for name, row in self.rows.items() if row == join.row]

    def role_of(self, node: Node) -> str:
        """The role in which a ``drivingentity`` or ``join`` node reads its entity, where it takes one."""
        return _role(node) if self._several and _entity(node) in self._several else ""


def condition_of(node: Node) -> Condition:
    """The condition a ``condition`` node, or any below it, stands for outside of a mapping."""
    return Meaning().condition(node)


def name_of(tree: Node, stem: str, ordinal: int = 1) -> str:
    """The mapping's name: its header, else ``stem:TARGET FROM DRIVING``, numbered from the second of a pair on."""
    header = tree.first("name")
    if header is not None:
        return canonical_header(header.text)
    target, driving = ends(tree)
    return f"{stem}:{target} FROM {driving}" + (f" ({ordinal})" if ordinal > 1 else "")


def canonical_header(text: str) -> str:
    """The name a MAPPING header gives, as written without back quotes."""
    return text.strip("`") if text.count("`") == 2 and text.startswith("`") else text


def ends(tree: Node) -> tuple[str, str]:
    """Target and driving entity of a mapping tree, canonical."""
    population = _child(tree, "population")
    return _entity(_child(population, "targetentity")), _entity(_child(population, "drivingentity"))


def _joins(tree: Node, meaning: Meaning, scope: _Scope) -> Iterator[Join]:
    for node in tree.children:
        if node.role in ("navigation", "join"):
            join = _join(node, meaning, scope)
            # An ON may ask by EXISTS for what was joined before: so marks are known join by join, in their order.
            if join.kind == "mark":
                meaning.marks |= dict.fromkeys(scope.names_of(join), join.mark(meaning.mapping))
            yield join


def _population(node: Node, mapping: str, meaning: Meaning) -> Population:
    if type(node) is CopyNode:
        value, uses = meaning.copy(node.source)
        return Population(mapping, canonical(node.filled), (_clause(value, None, "", node.with_at, uses),))
    target = canonical(_child(node, "attribute").text)
    clauses: list[Clause] = []
    for part in node.children:
        if part.role == "with":
            clauses += _clauses(part, meaning)
    return Population(mapping, target, tuple(clauses))


def _clauses(node: Node, meaning: Meaning) -> list[Clause]:
    """A WITH as clauses: one for each value its expression may have."""
    written, arms, at = node.first("condition"), meaning.choices(_child(node, "expression")), node.location
    if written is None and len(arms) == 1:
        # Most are copies or one computation: what is only one value has no test.
        return [_clause(arms[0].value, None, "", at, arms[0].uses)]
    condition, text = (meaning.condition(written), shown_condition(written)) if written else (None, "")
    found = []
    for arm in arms:
        tests = [test for test in (condition, arm.test) if test is not None]
        deciding = [source_of(name, "CONDITIONAL") for test in tests for name in attributes_of(test)]
        # Of several values each has a place of its own, the words that give it.
        place = at if len(arms) == 1 else arm.place.location or at
        uses = unique((*arm.uses, *deciding))
        found.append(_clause(arm.value, all_of(tests), all_said([text, arm.text]), place, uses))
    return found


def _clause(
    value: Expression, test: Condition | None, text: str, at: Location | None, uses: tuple[Source, ...]
) -> Clause:
    return _made((value, test, text, at.line if at else 0, at.column if at else 0, uses))


# Each population has one: made as a tuple it takes half the time.
_made: Callable[[tuple[Any, ...]], Clause] = partial(tuple.__new__, Clause)


def _join(node: Node, meaning: Meaning, scope: _Scope) -> Join:
    if node.role == "join":
        return _joined(node, meaning, scope)
    entity = _entity(_child(node, "toentity"))
    pairs = []
    for using in node.all("using"):
        left, right = (meaning.names(side.text) for side in using.children)
        # Either side may be written first; rules have the attribute that is in the row already on the left.
        pairs.append((right, left) if row_of(left) == entity else (left, right))
    return Join(entity, "left", tuple(pairs), _line(node), loose=nature_of(meaning.collation) != "binary")


def _joined(node: Node, meaning: Meaning, scope: _Scope) -> Join:
    """A JOIN: its equalities of attributes as pairs, the rest of its ON as a condition."""
    entity, role, written = _entity(node), scope.role_of(node), node.first("condition")
    row = in_role(entity, role)
    kind = JOINING[node.children[0].role]
    if written is None:
        return Join(entity, kind, (), _line(node), role)
    pairs: list[tuple[str, str]] = []
    rest: list[Condition] = []
    loose = False
    for part in _conjuncts(meaning.condition(written)):
        match strictly(part):
            case Compare("=", Attr(left), Attr(right)) as plain if (row_of(left) == row) != (row_of(right) == row):
                pairs.append((right, left) if row_of(left) == row else (left, right))
                loose |= part != plain
            case _:
                rest.append(part)
    # The text is that of the whole ON: reasons quote it as the mapping has it.
    left_over = None if not rest else rest[0] if len(rest) == 1 else And(tuple(rest))
    text = shown_condition(written)
    return Join(entity, kind, tuple(pairs), _line(node), role, left_over, text, loose)


def _conjuncts(condition: Condition) -> Iterator[Condition]:
    if isinstance(condition, And):
        for part in condition.parts:
            yield from _conjuncts(part)
    else:
        yield condition


def _grouping(node: Node, meaning: Meaning) -> tuple[Expression, ...]:
    return tuple([meaning.value(key) for key in node.children if key.role not in SETS])


def _having(found: Sequence[Node], meaning: Meaning) -> Condition | None:
    """What groups, and rows with the values of windows, must meet."""
    conditions = [meaning.condition(_child(node, "condition")) for node in found]
    return None if not conditions else conditions[0] if len(conditions) == 1 else And(tuple(conditions))


def _of_group(item: Condition, keys: Sequence[Expression]) -> Condition:
    """What groups must meet with the key for MAX(key), which is the key of every row of the group."""

    def own(one: Expression | Condition) -> Expression | Condition:
        if isinstance(one, Aggregate) and one.function in PICKING and one.argument in keys:
            return one.argument
        # In a window it is another thing: MAX(key) OVER () is of all groups.
        return one if isinstance(one, Window) else with_parts(one, [own(part) for part in parts(one)])

    return own(item)  # type: ignore[return-value]


def _policy(others: Node | None, population: Node) -> Policy | None:
    """What becomes of attributes that nothing is said of: a change of rows carries them."""
    if others is None:
        return "carry" if population.children[0].role == "UPDATING" else None
    said = others.children[0].role if others.children else others.content.upper()
    return REST[said.partition("(")[0].rstrip()]


def _nulls(others: Node | None) -> tuple[str, ...]:
    """The attributes that OTHERS CLOSED lists, by their own names."""
    listed = others.content.partition("(")[2] if others is not None else ""
    return tuple(map(canonical, LISTED.findall(listed)))


LISTED = re.compile(r"`[^`]+`|\w+")
"""A name of a list."""


def _sorting(choosing: Iterable[Node], meaning: Meaning) -> Iterator[Source]:
    """What decides by order which rows are taken: ORDER BY, LIMIT and the keys of DISTINCT ROWS ON (rule Q13)."""
    for node in choosing:
        yield from (source_of(name, "SORT") for key in _keys(node) for name in attributes_of(meaning.value(key)))


def _keys(node: Node) -> list[Node]:
    """What rows are ordered by, counted by, or told apart by."""
    return [key for key in node.children if key.role != "DISTINCT"]


def _role(node: Node) -> str:
    found = node.first("role")
    return canonical(found.text) if found else ""


def _entity(node: Node) -> str:
    """The entity of a node: its only child or, beside a keyword or a role, its ``entity``."""
    return canonical((node.first("entity") or node.children[0]).text)


def _child(node: Node, role: str) -> Node:
    found = node.first(role)
    if found is None:
        raise InputError(f"a {node.role} without {role}", location=node.location)
    return found


def _line(node: Node) -> int:
    return node.location.line if node.location else 0

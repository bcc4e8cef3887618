"""Which mappings cannot have made rows with some values, by what `lineage` says of these (`tracing.md`, rule T41).

A mapping is left out only where an answer says so of an attribute that it fills in every row it makes: by a copy of the
row that drives it, or by a constant. Of other attributes an answer speaks of values, and rows may come without.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mdw.language.mapping import read_condition
from mdw.language.questions import when_text
from mdw.model.answers.answer import Lineage
from mdw.model.answers.reasons import Dropped, Reason
from mdw.model.errors import InputError, QuestionError
from mdw.model.expressions import Attr, Const
from mdw.model.name import local_of
from mdw.model.rules import Head, Population, Rules
from mdw.model.tree import Location, Node
from mdw.render.tree_values import bare
from mdw.render.words import called, place
from mdw.stages.asking import Asking, lineage
from mdw.store.engine import Store
from mdw.tracing.queries import ColumnValues, NotRun

PLAIN = ("condition", "conditioncomp", "comparison", "expression", "AND", "OR", "NOT", "computation")
"""What stands in a condition that compares and computes nothing."""
LEAVES = ("attribute", "string", "value", "date", "truth", "null")
OPERATORS = (
    *("=", "!=", "<", "<=", ">", ">=", "AND", "OR", "NOT", "IN", "NOT IN", "BETWEEN", "NOT BETWEEN"),
    *("IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT TRUE", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"),
)


def excluded(
    store: Store,
    rules: Sequence[Rules],
    values: Mapping[str, ColumnValues] | str,
    unbound: frozenset[str] = frozenset(),
) -> dict[str, NotRun]:
    """Of mappings into one entity those that no row with these values comes from, and why.

    ``values`` are by column, or a condition; ``unbound`` are columns that say nothing, since a change may have set them
    (rule T35).
    """
    columns = {bare(local_of(one.target)): one.target for some in rules for one in some.populations}
    when = values if isinstance(values, str) else _bound(values, columns, unbound)
    if not when or (unbound and isinstance(values, str)):
        return {}
    found: dict[str, NotRun] = {}
    for attribute, some in _questions(rules):
        pending = [one for one in some if one.head.mapping not in found]
        if not pending:
            continue
        try:
            answer = lineage(store, Asking(attribute, when, shown=False, inner=True))
        except QuestionError:  # a value or a name that no condition can hold
            continue
        for one in pending:
            if (why := _because(answer, one.head)) is not None:
                found[one.head.mapping] = _not_run(one.head, why)
    return found


def _questions(rules: Sequence[Rules]) -> Iterator[tuple[str, list[Rules]]]:
    """Attributes to be asked for, each with the mappings of which an answer tells: few questions, each mapping once."""
    telling = {
        one.head.mapping: {population.target for population in one.populations if _tells(population, one.head)}
        for one in rules
    }
    left = [one for one in rules if telling[one.head.mapping]]
    while left:
        names = [name for one in left for name in telling[one.head.mapping]]
        attribute = max(sorted(set(names)), key=names.count)
        yield attribute, [one for one in left if attribute in telling[one.head.mapping]]
        left = [one for one in left if attribute not in telling[one.head.mapping]]


def _tells(population: Population, head: Head) -> bool:
    """Whether every row that a mapping makes takes the attribute from the row that drives it, or from a constant."""
    if head.sets or any(join.kind in ("right", "full") for join in head.joins):
        return False
    if population.clauses[-1].condition is not None:
        return False
    # Of what constants alone write an answer tells that it is unwritten, and not why.
    if not any(isinstance(one.expression, Attr) for one in population.clauses):
        return False
    return all(
        isinstance(one.expression, (Attr, Const)) and all(source.read_from == head.row for source in one.sources
        if source.subtype == "IDENTITY")
        for one in population.clauses
    )  # fmt: skip


def _because(answer: Lineage, head: Head) -> list[Dropped] | None:
    """The steps whose rules tell that a mapping makes no such row; None if it may, or if they compute."""
    mine = head.mapping
    kept = [one for one in (*answer.steps, *answer.undecided) if one.mapping == mine and one.target == answer.attribute]
    written = any(one.mapping == mine for one in answer.constants) or any(
        one.mapping == mine for one in answer.generated
    )
    dropped = [one for one in answer.dropped if one.step.mapping == mine and one.step.target == answer.attribute]
    direct = [one for one in dropped if one.step.kind == "direct"]
    if any(one.kind == "direct" for one in kept) or written or not direct:
        return None
    return direct if all(_sure(one, mine) for one in direct) else None


def _sure(one: Dropped, mapping: str) -> bool:
    """Whether rules of the mapping itself contradict the values, and none of them computes.

    Databases round and the engine does not; and what contradicts further up may only take a value away, not the row.
    """
    if not one.complete or not one.groups or one.dead_end:
        return False
    rules = [rule for group in one.groups for rule in group.rules]
    links = [link for group in one.groups for link in group.chain if link.kind != "contradiction"]
    if any(rule.mapping not in ("", mapping) for rule in rules):
        return False
    return all(link.kind == "copy" or _plain(link.text) for link in links) and all(
        rule.kind == "question" or not rule.mapping or _plain(rule.condition) for rule in rules
    )


def _plain(text: str) -> bool:
    """Whether a rule only compares attributes and constants: a condition, or what is populated (`T.A WITH 1`)."""
    try:
        tree = read_condition(text.replace(" WITH ", " = ", 1))
    except InputError:
        return False
    return all(map(_compares, tree.walk()))


def _compares(node: Node) -> bool:
    if node.children:
        return node.role in PLAIN and not (node.role == "computation" and len(node.children) > 1)
    return node.role in LEAVES or node.role in OPERATORS


def _not_run(head: Head, dropped: Sequence[Dropped]) -> NotRun:
    because: list[Reason] = [*dict.fromkeys(rule for one in dropped for rule in one.because)]
    where = Location(head.file, head.line, 1) if head.file else None
    words = {"population": "has"}
    asks = [
        f"{place(one.location) or one.mapping} {words.get(one.kind or '', 'asks for')} {one.condition}"
        for one in because
        if one.mapping
    ]
    links = [link for one in dropped for group in one.groups for link in group.chain]
    has = dict.fromkeys(link.text for link in links if link.kind == "rule" and not link.mapping)
    said = " and ".join(dict.fromkeys(asks))
    if has:
        said += f" and the row has {' AND '.join(has).replace(f'{head.target}.', '')}"
    return NotRun(head.mapping, called(head.mapping, where), tuple(one.to_dict() for one in because), said)


def _bound(values: Mapping[str, ColumnValues], columns: Mapping[str, str], unbound: frozenset[str]) -> str:
    """The values as a condition."""
    by_name = {name.casefold(): attribute for name, attribute in columns.items() if name not in unbound}
    told = {by_name[name.casefold()]: one for name, one in values.items() if name.casefold() in by_name}
    return " AND ".join(_told(name, one) for name, one in told.items())


def _told(attribute: str, values: ColumnValues) -> str:
    if values.least is not None:
        low, high = (when_text({attribute: one}).partition(" = ")[2] for one in (values.least, values.most))
        return f"{attribute} >= {low} AND {attribute} <= {high}"
    some = values.some
    return when_text({attribute: some[0] if len(some) == 1 else list(some)})

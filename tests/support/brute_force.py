"""Active lineage by brute force: every path on its own, its rows as Z3 variables. Simple, slow, apart from the engine.

A row is one pair (is NULL, value) per attribute. Crossing a mapping backwards invents the row of its driving entity
and one row per join, and says what the mapping makes of them: the target row, attribute by attribute. A path can
carry a row exactly when all that is said on the way can hold together. A step is kept when it lies on such a path
from an end: a golden source, or a row that is made of golden rows and has a constant or an attribute nothing fills.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date
from fractions import Fraction
from functools import reduce
from itertools import count, product
from typing import Any, TypeVar

import z3
from reading import condition

from mdw.model.expressions import (
    Aggregate,
    And,
    Attr,
    Call,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Like,
    Not,
    Or,
    Window,
)
from mdw.model.function_names import PICKING
from mdw.model.name import entity_of, entity_of_row, local_of, plain
from mdw.model.rules import DIRECT, Clause, Join, Policy, Population, Rules, Source, aggregating

Value = tuple[Any, Any]
"""Whether it is NULL, and what it is otherwise."""
Truth = tuple[Any, Any]
"""When a condition is true, and when it is false; neither is unknown."""
Row = dict[str, Value]
Keys = Sequence[Expression]
Sample = Mapping[str, str | int | None]
"""Plain values for the attributes of one row; a string stands for itself."""

EFFORT = 2_000_000
"""Units of Z3's own for one condition; what takes more is possible, and nothing that must be found."""
NO, YES = z3.BoolVal(False), z3.BoolVal(True)
CONTEXT = z3.main_ctx()


class TooManyPathsError(Exception):
    """More paths than brute force is meant for."""


# Z3's own And, Or and Not ask each part of what sort it is, again and again: most of the time of all laws. What is
# known beforehand is left out.


def all_of(*parts: Any) -> Any:
    """That all of these hold."""
    return _together(z3.Z3_mk_and, parts, YES, NO)


def any_of(*parts: Any) -> Any:
    """That one of these holds."""
    return _together(z3.Z3_mk_or, parts, NO, YES)


def no(part: Any) -> Any:
    """That this does not hold."""
    if part is YES or part is NO:
        return NO if part is YES else YES
    return z3.BoolRef(z3.Z3_mk_not(CONTEXT.ref(), part.as_ast()), CONTEXT)


def _together(make: Any, parts: Iterable[Any], nothing: Any, everything: Any) -> Any:
    """Parts in one; ``nothing`` adds nothing to others, beside ``everything`` no other counts."""
    told = [part for part in parts if part is not nothing]
    if len(told) < 2:
        return told[0] if told else nothing
    if any(part is everything for part in told):
        return everything
    given = (z3.Ast * len(told))(*(part.as_ast() for part in told))
    return z3.BoolRef(make(CONTEXT.ref(), len(told), given), CONTEXT)


Leaf = TypeVar("Leaf", Attr, Const, Window, Aggregate)


@dataclass
class Found:
    """What some path that can carry a row goes through or ends in; steps and constants by mapping, ends and line.

    ``passed`` are steps that can carry a row to the question, ``steps`` those on a path that can do so from its end,
    ``coming`` the same by golden source.
    """

    passed: set[tuple[str, str, str, int]] = field(default_factory=set)
    steps: set[tuple[str, str, str, int]] = field(default_factory=set)
    golden: set[str] = field(default_factory=set)
    interrupted: set[str] = field(default_factory=set)
    constants: set[tuple[str, str, int]] = field(default_factory=set)
    reached: set[str] = field(default_factory=set)
    accepted: dict[str, set[int]] = field(default_factory=dict)
    coming: dict[str, set[tuple[str, str, str, int]]] = field(default_factory=dict)
    paths: int = 0


@dataclass
class _Said:
    """Takes down what a solver is told."""

    parts: list[Any]

    def add(self, *parts: Any) -> None:
        self.parts += parts


class BruteForce:
    """Paths of a small warehouse, walked one by one with one solver.

    ``spelled``: what texts and quotients are is known; ``joined``: rows joined must be such as mappings make.
    """

    def __init__(
        self,
        rules: Sequence[Rules],
        kinds: Mapping[str, str],
        policy: Policy,
        *,
        spelled: bool = False,
        joined: bool = False,
        limit: int = 3000,
    ) -> None:
        self._rules = rules
        self._kinds = kinds
        self._policy = policy
        self._spelled = spelled
        self._joined_exist = joined
        self._limit = limit
        self._solver: Any = z3.Solver()
        self._solver.set("random_seed", 0)
        self._solver.set("rlimit", EFFORT)
        self._fresh = count()
        self._picked: Aggregate | None = None
        self._grouped: tuple[Rules, Row, dict[Aggregate, Row]] | None = None
        self._codes: dict[str, int] = {}
        self._told: set[str] = set()
        self._schema: dict[str, list[str]] = {}
        for name in kinds:
            self._schema.setdefault(entity_of(name), []).append(name)
        self._populated = {one.head.target for one in rules}
        self._filled = {population.target for one in rules for population in one.populations}
        self._mentioned = set(mentioned(rules))

    def trace(
        self, asked: str, initial: Condition | None, samples: Mapping[str, Sequence[Sample]] | None = None
    ) -> Found:
        """Everything on a simple path that can carry a row; ``accepted`` says which sample rows can start one."""
        found = Found()
        row = self._row(entity_of(asked))
        self._solver.push()
        if self._spelled:
            self._say_texts(initial)
        if initial is not None:
            self._solver.add(self.truth(initial, row)[0])
        if self._solver.check() == z3.sat:
            self._walk(asked, row, (asked,), (), found, samples or {})
        self._solver.pop()
        return found

    def allows(self, entity: str, text: str, sample: Sample) -> bool:
        """Whether a row meets a condition as an answer shows it, whatever the other rows it speaks of."""
        if text in ("TRUE", "FALSE", ""):
            return text == "TRUE"
        shown = condition(text)
        assert shown is not None
        row = self._row(entity)
        kinds = {name: self._kinds[re.sub("^(OTHER_)+", "", name)] for name in _of(shown) if name not in row}
        others = {name: self.unknown(kind) for name, kind in kinds.items()}
        self._solver.push()
        self._solver.add(self.truth(shown, row | others)[0], self.fixed(row, sample))
        answer = self._solver.check()
        self._solver.pop()
        return bool(answer == z3.sat)

    # -- walking -----------------------------------------------------------------------------------------------

    def _walk(
        self,
        attribute: str,
        row: Row,
        way: tuple[str, ...],
        steps: tuple[tuple[str, str, str, int], ...],
        found: Found,
        samples: Mapping[str, Sequence[Sample]],
    ) -> None:
        found.reached.add(attribute)
        if attribute not in self._filled:
            if self._exists(entity_of(attribute), row, ()):
                ends = found.interrupted if entity_of(attribute) in self._populated else found.golden
                ends.add(attribute)
                found.coming.setdefault(attribute, set()).update(steps)
                self._arrive(steps, found)
                self._try_samples(attribute, row, found, samples)
            return
        for rules, population, number in self._clauses(attribute):
            clause = population.clauses[number]
            if clause.sourceless and self._passes(rules, population, number, row):
                found.constants.add((population.mapping, attribute, clause.line))
                self._arrive(steps, found)
            for used in dict.fromkeys(s for s in clause.sources if s.subtype in DIRECT):
                source = used.attribute
                if source in way:
                    continue
                self._solver.push()
                rows = self._cross(rules, population, number, used, row)
                if self._possible():
                    step = (population.mapping, source, attribute, clause.line)
                    found.passed.add(step)
                    self._walk(source, _plainly(rows[used.read_from]), (*way, source), (*steps, step), found, samples)
                self._solver.pop()

    def _arrive(self, steps: Iterable[tuple[str, str, str, int]], found: Found) -> None:
        found.steps.update(steps)
        found.paths += 1
        if found.paths > self._limit:
            raise TooManyPathsError

    def _try_samples(self, attribute: str, row: Row, found: Found, samples: Mapping[str, Sequence[Sample]]) -> None:
        for number, sample in enumerate(samples.get(entity_of(attribute), ())):
            accepted = found.accepted.setdefault(attribute, set())
            if number not in accepted:
                self._solver.push()
                self._solver.add(self.fixed(row, sample))
                if self._solver.check() == z3.sat:
                    accepted.add(number)
                self._solver.pop()

    def _clauses(self, attribute: str) -> Iterator[tuple[Rules, Population, int]]:
        for rules in self._rules:
            for population in rules.populations:
                if population.target == attribute:
                    yield from ((rules, population, number) for number in range(len(population.clauses)))

    def _passes(self, rules: Rules, population: Population, number: int, row: Row) -> bool:
        """Whether a constant comes with a row that there is."""
        self._solver.push()
        rows = self._cross(rules, population, number, None, row)
        possible = self._made_of(rules, rows, ())
        self._solver.pop()
        return possible

    def _exists(self, entity: str, row: Row, seen: tuple[str, ...]) -> bool:
        """Whether the row is one of a golden entity, or made of such rows from driving row to driving row."""
        if entity not in self._populated:
            return self._possible()
        for rules in self._rules:
            for lead in _leads(rules) if rules.head.target == entity and entity not in seen else ():
                self._solver.push()
                rows = self._cross(rules, None, 0, None, row, lead)
                made = self._made_of(rules, rows, (*seen, entity), lead)
                self._solver.pop()
                if made:
                    return True
        return False

    def _there(self, row: Row, entity: str, kind: str, seen: tuple[str, ...]) -> Any:
        """That some mapping makes a row joined, if there is one; round a cycle it may be any."""
        if entity not in self._populated or entity in seen:
            return YES
        missing = [] if kind in ("inner", "cross", "semi") else [all_of(*(null for null, _ in row.values()))]
        return any_of(
            *missing,
            *(self._making(one, _plainly(row), (*seen, entity)) for one in self._rules if one.head.target == entity),
        )

    def _making(self, rules: Rules, row: Row, seen: tuple[str, ...]) -> Any:
        """That a mapping makes the row of rows that are there."""
        said, before = _Said([]), (self._solver, self._joined_exist, self._picked, self._grouped)
        self._solver, self._joined_exist = said, False
        rows = self._cross(rules, None, 0, None, row)
        self._solver, self._joined_exist, self._picked, self._grouped = before
        kinds = {join.row: join.kind for join in rules.head.joins}
        of_none = self._of_none(rules)
        there = (
            []
            if of_none
            else [self._there(one, entity_of_row(name), kinds.get(name, "right"), seen) for name, one in rows.items()]
        )
        return all_of(*said.parts, *there)

    def _made_of(self, rules: Rules, rows: dict[str, Row], seen: tuple[str, ...], lead: str = "") -> bool:
        """Whether the driving row of what was crossed is there; of an aggregate that nothing groups none need be."""
        lead = lead or rules.head.row
        if self._of_none(rules):
            return self._possible()
        return self._possible() and self._exists(entity_of_row(lead), _plainly(rows[lead]), seen)

    def _of_none(self, rules: Rules) -> bool:
        """Whether a mapping makes a row even of no rows."""
        head, grouped = rules.head, any(source.subtype == "GROUP_BY" for source in rules.head.sources)
        clauses = [clause for population in rules.populations for clause in population.clauses]
        aggregated = any(_aggregated(clause.expression) for clause in clauses)
        return head.group == () or (head.group is None and not grouped and aggregated)

    def _possible(self) -> bool:
        """Whether some row may meet what was said; where what functions are is known, whether one surely does."""
        answer = self._solver.check()
        return bool(answer == z3.sat if self._spelled else answer != z3.unsat)

    # -- crossing a mapping ------------------------------------------------------------------------------------

    def _cross(
        self,
        rules: Rules,
        population: Population | None,
        number: int,
        used: Source | None,
        target: Row,
        lead: str = "",
    ) -> dict[str, Row]:
        """Say that the mapping made the target row, through this clause if any, by the use of a source's row.

        What is said of the target binds the row used only as far as keys go: those of a window and of the grouping.
        ``lead``: a row that is there beside the one used, the driving row or one that a right join has alone.
        """
        head = rules.head
        joins = [join for join in head.joins if join.kind not in ("anti", "mark")]
        rows = {row: self._row(entity_of_row(row), row) for row in (head.row, *(join.row for join in joins))}
        every = {name: value for one in rows.values() for name, value in one.items()}
        # A row that is one of all, even of none, is not asked for by what is asked of those.
        needed = used.read_from if used else None if head.group == () else lead or head.row
        expression = population.clauses[number].expression if population else None
        window = _partition(expression, used.name) if expression and used else None
        told = [keys for keys in (window, head.group) if keys is not None]
        # Who comes by MAX has the value that it gives.
        self._picked = expression if used and _takes(expression, used.name) else None
        if self._joined_exist and head.joins and (used or head.group != ()):
            for row, kind in ((head.row, "right"), *((join.row, join.kind) for join in joins)):
                if row != needed:
                    self._solver.add(self._there(rows[row], entity_of_row(row), kind, ()))
        if used or head.group != ():
            met = YES
            for place, join in enumerate(joins):
                before = [head.row, *(one.row for one in joins[:place] if one.kind != "semi")]
                met = self._joined(join, met, before, rows, every, needed)
            self._solver.add(met)
            if head.filter is not None:
                self._solver.add(self.truth(head.filter, every)[0])
        if head.group is not None and (used or head.group != ()):
            self._grouped = rules, every, {}
        if head.having is not None:
            implicit = head.group is None and any(map(aggregating, rules.populations))
            self._solver.add(self.truth(_bound(head.having, [(), *told] if implicit else told), every)[0])
        if used and used.test is not None:
            self._solver.add(self.truth(used.test, every)[0])
        if population is not None and expression is not None:
            own = [keys for keys in (window,) if keys is not None] if head.group is None else told
            self._solver.add(self._chosen(population.clauses, number, every, own))
            if not _aggregated(expression) or expression == self._picked:
                self._solver.add(same(target[population.target], self.value(_bound(expression, told), every)))
        self._say_made(rules, target, every, told)
        self._picked = self._grouped = None
        if window is not None and head.group is None:
            self._by_another(rules, (population, number), target, every, window)
        return rows

    def _say_made(self, rules: Rules, target: Row, every: Row, told: Sequence[Keys]) -> None:
        """Say that the target row is made of these rows."""
        filled = {one.target: one for one in rules.populations}
        for name, value in target.items():
            self._solver.add(self._made(filled.get(name), name, value, rules, every, told))

    def _by_another(
        self, rules: Rules, clause: tuple[Population | None, int], target: Row, every: Row, keys: Keys
    ) -> None:
        """Say that the target row is made of some row of the partition (Q16)."""
        other = self._another(rules, every, keys)
        population, number = clause
        if population is not None:
            self._solver.add(self._chosen(population.clauses, number, other))
        self._say_made(rules, target, other, ())

    def _of_group(self, aggregate: Aggregate, name: str) -> Value:
        """What an aggregation gives that takes it of some row of the group (Q14); one row for each aggregation."""
        assert self._grouped is not None
        rules, every, known = self._grouped
        if aggregate not in known:
            self._grouped = None
            known[aggregate] = self._another(rules, every, rules.head.group or ())
            self._grouped = rules, every, known
        return known[aggregate][name]

    def _another(self, rules: Rules, every: Row, keys: Keys) -> Row:
        """A row with the same keys, which met joins and filter as well."""
        head = rules.head
        joins = [join for join in head.joins if join.kind not in ("anti", "mark")]
        rows = {row: self._row(entity_of_row(row), row) for row in (head.row, *(join.row for join in joins))}
        other = {name: value for one in rows.values() for name, value in one.items()}
        met = YES
        for place, join in enumerate(joins):
            before = [head.row, *(one.row for one in joins[:place] if one.kind != "semi")]
            met = self._joined(join, met, before, rows, other, None)
        self._solver.add(met)
        if self._joined_exist and head.joins:
            for row, kind in ((head.row, "right"), *((join.row, join.kind) for join in joins)):
                self._solver.add(self._there(rows[row], entity_of_row(row), kind, ()))
        if head.filter is not None:
            self._solver.add(self.truth(head.filter, other)[0])
        for key in keys:
            self._solver.add(same(self.value(key, every), self.value(key, other)))
        return other

    def _joined(
        self, join: Join, met: Any, before: Sequence[str], rows: Mapping[str, Row], every: Row, needed: str | None
    ) -> Any:
        """That a join finds a row, or what becomes of those before it (``met`` says how) and of its own if not."""
        asked = [self.truth(Compare("=", Attr(left), Attr(right)), every)[0] for left, right in join.on]
        asked += [self.truth(join.rest, every)[0]] if join.rest is not None else []
        found = [all_of(*asked)]
        if join.kind in ("left", "full") and needed != join.row:
            found.append(all_of(*(null for null, _ in rows[join.row].values())))
        found = [all_of(met, any_of(*found))]
        if join.kind in ("right", "full") and needed not in before:
            found.append(all_of(*(null for row in before for null, _ in rows[row].values())))
        return any_of(*found)

    def _chosen(self, clauses: Sequence[Clause], number: int, every: Row, told: Sequence[Keys] = ()) -> Any:
        """The clause's IF is true and no earlier one is."""
        own = clauses[number].condition
        parts = [YES if own is None else self.truth(_bound(own, told), every)[0]]
        parts += [
            NO if earlier.condition is None else no(self.truth(_bound(earlier.condition, told), every)[0])
            for earlier in clauses[:number]
        ]
        return all_of(*parts)

    def _made(
        self,
        population: Population | None,
        name: str,
        value: Value,
        rules: Rules,
        every: Row,
        told: Sequence[Keys],
    ) -> Any:
        """What the mapping says of one attribute of the target row."""
        if population is None:
            return self._unpopulated(name, value, rules, every, told)
        if rules.head.group is None and any(_aggregated(clause.expression) for clause in population.clauses):
            return YES
        cases, none = [], []
        for number, clause in enumerate(population.clauses):
            chosen = self._chosen(population.clauses, number, every, told)
            given = _bound(clause.expression, told)
            cases.append(chosen if self._untold(given) else all_of(chosen, same(value, self.value(given, every))))
            none.append(no(self._chosen(population.clauses, number, every, told)))
        return any_of(*cases, all_of(*none, value[0]))

    def _untold(self, given: Expression) -> bool:
        """Whether a value is made of rows of which nothing is known."""
        if given == self._picked:
            return False
        totals = any(not self._of_one(one) for one in _leaves(given, Aggregate))
        return totals or any(True for _ in _leaves(given, Window))

    def _of_one(self, one: Aggregate) -> bool:
        """Whether an aggregation takes its value of one row of a group; a key may be a text of another spelling."""
        keys = () if self._grouped is None else self._grouped[0].head.group or ()
        known = self._grouped is not None and one.function in PICKING
        return known and isinstance(one.argument, Attr) and one.argument not in keys

    def _unpopulated(self, name: str, value: Value, rules: Rules, every: Row, told: Sequence[Keys]) -> Any:
        policy = rules.head.policy or self._policy
        if policy == "closed" and rules.head.closes(name):
            return value[0]
        carried = f"{rules.head.driving}.{local_of(name)}"
        if policy == "carry" and {name, carried} <= self._mentioned:
            own = Attr(f"{rules.head.row}.{local_of(name)}")
            return same(value, self.value(_bound(own, told), every))
        return YES

    # -- values ------------------------------------------------------------------------------------------------

    def _row(self, entity: str, row: str = "") -> Row:
        names = self._schema[entity]
        return {f"{row or entity}.{local_of(name)}": self.unknown(self._kinds[name]) for name in names}

    def unknown(self, kind: str) -> Value:
        """A value nothing is known of."""
        number = next(self._fresh)
        if kind == "boolean":
            value = z3.Int(f"x{number}")
            self._solver.add(any_of(*(value == self._code(one) for one in ("TRUE", "FALSE"))))
            return z3.Bool(f"null{number}"), value
        return z3.Bool(f"null{number}"), z3.Real(f"x{number}") if kind == "number" else z3.Int(f"x{number}")

    def fixed(self, row: Row, sample: Sample) -> Any:
        """The row has the sample's values."""
        parts = []
        for name, known in sample.items():
            null, value = row[name]
            if known is None:
                parts.append(null)
            else:
                spelled = str(known).upper() if isinstance(known, bool) else known
                parts += [no(null), value == (self._code(spelled) if isinstance(spelled, str) else spelled)]
        return all_of(*parts)

    def _code(self, text: str) -> int:
        return self._codes.setdefault(text, len(self._codes))

    def value(self, expression: Expression, row: Row) -> Value:
        """What an expression gives for a row."""
        if isinstance(expression, Aggregate) and expression == self._picked:
            return self.value(expression.argument, row)
        match expression:
            case Attr(name):
                return row[name]
            case Const("number", text):
                exact = Fraction(text)
                return NO, z3.RealVal(f"{exact.numerator}/{exact.denominator}")
            case Const("date", text):
                return NO, z3.IntVal(date.fromisoformat(text).toordinal())
            case Const("null", _):
                return YES, z3.IntVal(0)
            case Const(_, text):
                return NO, z3.IntVal(self._code(text))
            case Compute(op, left, right):
                return self._computed(op, self.value(left, row), self.value(right, row))
            case Concat(parts):
                whole = reduce(self._joined_text, [self.value(part, row) for part in parts])
                self._say_ends(parts, whole, row)
                return whole
            case Call(function, arguments):
                values = [self.value(part, row) for part in arguments]
                found = self._function(function, values)
                if function == "SUBSTR":
                    self._say_start(values[0], int(arguments[2].text), found)  # type: ignore[union-attr]
                return found
            case Aggregate(_, Attr(name)) if self._of_one(expression):
                return self._of_group(expression, name)
            case Aggregate() | Window():
                return self.unknown(self._kind(expression))

    def _kind(self, expression: Expression) -> str:
        """The kind of a value that comes from other rows."""
        function = expression.function if isinstance(expression, Window) else expression
        if isinstance(function, Aggregate) and function.function in ("SUM", "AVG", "COUNT"):
            return "number"
        return next(self._kinds[plain(name)] for name in _of(function))

    def _joined_text(self, left: Value, right: Value) -> Value:
        return self._function("||", [left, right])

    def _say_ends(self, parts: Sequence[Expression], whole: Value, row: Row) -> None:
        """That a text put together ends as the constants at its ends do, of each constant it may be."""
        first, last = (parts[end].text if isinstance(parts[end], Const) else "" for end in (0, -1))  # type: ignore[union-attr]
        between = [part for part in parts if not isinstance(part, Const)]
        if not between or any(part.kind != "string" for part in parts if isinstance(part, Const)):
            return
        for text in sorted(self._told):
            rest = text[len(first) : len(text) - len(last)]
            if first + rest + last != text:
                self._solver.add(any_of(whole[0], whole[1] != self._code(text)))
            elif (
                rest
                and len(parts) == 2
                and isinstance(between[0], Attr)
                and self._kinds[plain(between[0].name)] == "string"
            ):
                self._solver.add(
                    any_of(whole[0], (whole[1] == self._code(text)) == (row[between[0].name][1] == self._code(rest)))
                )

    def _say_start(self, whole: Value, length: int, start: Value) -> None:
        """What the first characters are of each constant a text may be, and what text has these and no more."""
        either = any_of(whole[0], start[0])
        for text in sorted(self._told):
            self._solver.add(any_of(either, whole[1] != self._code(text), start[1] == self._code(text[:length])))
            if len(text) > length:
                self._solver.add(any_of(either, start[1] != self._code(text)))
            elif len(text) < length:
                self._solver.add(any_of(either, start[1] != self._code(text), whole[1] == self._code(text)))

    def _say_texts(self, initial: Condition | None) -> None:
        """What the constants are, put together in twos and threes."""
        clauses = [clause for one in self._rules for population in one.populations for clause in population.clauses]
        if not any(isinstance(clause.expression, (Concat, Call)) for clause in clauses):
            return
        conditions = [clause.condition for clause in clauses] + [one.head.filter for one in self._rules]
        given = [*(clause.expression for clause in clauses), *conditions, initial]
        whole = {_spelled(one) for clause in clauses for one in _leaves(clause.expression, Concat)} - {None}
        once = {one.text for item in given for one in _leaves(item, Const) if one.kind == "string"} | whole
        added = {one.text for clause in clauses for one in _leaves(clause.expression, Const) if one.kind == "string"}
        self._told = once
        twice = {a + b for a, b in product(once, repeat=2)}
        pairs = {*product(once, repeat=2), *product(twice, added), *product(added, twice)}
        for a, b in pairs:
            null, joined = self._joined_text((NO, z3.IntVal(self._code(a))), (NO, z3.IntVal(self._code(b))))
            self._solver.add(no(null), joined == self._code(a + b))

    def _computed(self, op: str, left: Value, right: Value) -> Value:
        null = any_of(left[0], right[0])
        if op == "/" and self._spelled:
            return any_of(null, right[1] == 0), left[1] / right[1]
        if op == "/":
            sort = left[1].sort()
            nothing = z3.Function("no quotient", sort, sort, z3.BoolSort())
            quotient = z3.Function("quotient", sort, sort, sort)
            return any_of(null, nothing(left[1], right[1])), quotient(left[1], right[1])
        return null, left[1] + right[1] if op == "+" else left[1] - right[1] if op == "-" else left[1] * right[1]

    def _function(self, name: str, arguments: Sequence[Value]) -> Value:
        sorts = [value.sort() for _, value in arguments]
        known = z3.Function(f"{name}/{sorts}", *sorts, z3.IntSort())
        return any_of(*(null for null, _ in arguments)), known(*(value for _, value in arguments))

    def truth(self, condition: Condition, row: Row) -> Truth:
        """When a condition is true of a row and when it is false."""
        match condition:
            case Compare(op, left, right):
                (null_a, a), (null_b, b) = self.value(left, row), self.value(right, row)
                known = no(any_of(null_a, null_b))
                holds = _compared(op, a, b)
                return all_of(known, holds), all_of(known, no(holds))
            case In(subject, constants):
                return self.truth(Or(tuple(Compare("=", subject, one) for one in constants)), row)
            case IsNull(subject):
                null, _ = self.value(subject, row)
                return null, no(null)
            case Not(part):
                true, false = self.truth(part, row)
                return false, true
            case And(parts):
                pairs = [self.truth(part, row) for part in parts]
                return all_of(*(true for true, _ in pairs)), any_of(*(false for _, false in pairs))
            case Or(parts):
                pairs = [self.truth(part, row) for part in parts]
                return any_of(*(true for true, _ in pairs)), all_of(*(false for _, false in pairs))
            case Like():
                raise NotImplementedError("brute force knows no patterns")


def _leads(rules: Rules) -> list[str]:
    """The rows of which one is there whenever a mapping makes a row: the driving row, and those of right joins."""
    return [rules.head.row, *(join.row for join in rules.head.joins if join.kind in ("right", "full"))]


def _plainly(row: Row) -> Row:
    """A row under the plain names of its attributes."""
    return {plain(name): value for name, value in row.items()}


Asked = TypeVar("Asked", Condition, Expression)


def _bound(item: Asked, told: Sequence[Keys]) -> Asked:
    """What is said of the row made, as far as it is said of the row used: by each of the keys."""
    for keys in told:
        item = _by_keys(item, keys)
    return item


def _by_keys(item: Any, keys: Keys) -> Any:
    if item in keys or isinstance(item, (Const, Aggregate, Window, str)):
        return item
    if isinstance(item, Attr):
        return Aggregate("MIN", item)
    if isinstance(item, tuple):
        return tuple(_by_keys(part, keys) for part in item)
    changed = {one.name: _by_keys(getattr(item, one.name), keys) for one in fields(item)}
    return type(item)(**changed)


def _partition(expression: Expression, name: str) -> Keys | None:
    """The keys of the window that takes an attribute's value from another row."""
    windows = [one for one in _leaves(expression, Window) if name in _of(one.function)]
    return windows[0].keys if windows else None


def same(left: Value, right: Value) -> Any:
    """Both NULL, or the same value."""
    return any_of(all_of(left[0], right[0]), all_of(no(left[0]), no(right[0]), left[1] == right[1]))


def mentioned(rules: Iterable[Rules]) -> Iterator[str]:
    """Every attribute some rule mentions."""
    for one in rules:
        for population in one.populations:
            yield population.target
            for clause in population.clauses:
                yield from (source.attribute for source in clause.sources)
        for join in one.head.joins:
            yield from (plain(name) for pair in join.on for name in pair)
            yield from map(plain, _of(join.rest))
        for item in (one.head.filter, one.head.having, *(one.head.group or ())):
            yield from map(plain, _of(item))


def _leaves(item: object, kind: type[Leaf]) -> Iterator[Leaf]:
    """Every attribute, or every constant, inside an expression, a condition or rules."""
    if isinstance(item, kind):
        yield item
    elif isinstance(item, tuple):
        for part in item:
            yield from _leaves(part, kind)
    elif is_dataclass(item):
        for one in fields(item):
            yield from _leaves(getattr(item, one.name), kind)


def _spelled(item: Concat) -> str | None:
    """The text that constants put together are; None if there is anything else among them."""
    texts = [part.text for part in item.parts if isinstance(part, Const)]
    return "".join(texts) if len(texts) == len(item.parts) else None


def _of(item: Condition | Expression | None) -> Iterator[str]:
    match item:
        case Attr(name):
            yield name
        case Compare(_, left, right) | Compute(_, left, right):
            yield from _of(left)
            yield from _of(right)
        case Aggregate(_, one):
            yield from _of(one)
        case Call(_, every) | Concat(every):
            for part in every:
                yield from _of(part)
        case Window(function, keys):
            for part in (function, *keys):
                yield from _of(part)
        case In(subject, _) | Like(subject, _) | IsNull(subject):
            yield from _of(subject)
        case Not(part):
            yield from _of(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _of(part)
        case _:
            return


def _aggregated(expression: Expression) -> bool:
    match expression:
        case Aggregate():
            return True
        case Compute(_, left, right):
            return _aggregated(left) or _aggregated(right)
        case _:
            return False


def _takes(expression: Expression | None, name: str) -> bool:
    """Whether a value is the least or the greatest of an attribute's as it is."""
    return (
        isinstance(expression, Aggregate)
        and expression.function in ("MIN", "MAX")
        and isinstance(expression.argument, (Attr, Compute, Concat))
        and name in _of(expression.argument)
    )


def _compared(op: str, a: Any, b: Any) -> Any:
    if op in ("=", "!="):
        return a == b if op == "=" else a != b
    if op in ("<", ">"):
        return a < b if op == "<" else a > b
    return a <= b if op == "<=" else a >= b

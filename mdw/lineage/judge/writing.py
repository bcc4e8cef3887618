"""Trees of literals in words: the text of the mapping language, and SQL with EXISTS for joined rows."""

from __future__ import annotations

from collections.abc import Sequence

from mdw.conditions.atoms import UNKNOWN, YES, Atom
from mdw.conditions.tree import Every, Literal, Some, Tree
from mdw.conditions.wording import atom_condition, conjunction, disjunction, values_condition
from mdw.lineage.judge.naming import Names, rename, rename_expression
from mdw.lineage.judge.partners import mentioned, needs
from mdw.lineage.rows.view import Joined, JoinedRow, Own, Partner
from mdw.model.expressions import FALSE as FALSE_TEXT
from mdw.model.expressions import TRUE as TRUE_TEXT
from mdw.model.expressions import And, Attr, Compare, Condition, Const, IsNull, Or, Variable
from mdw.model.functions import speakable
from mdw.model.name import local_of
from mdw.model.standard_sql import to_sql
from mdw.model.text import expression_text, to_text
from mdw.model.walks import with_leaves


class Writing:
    """Writes trees with the names of one entity and of the rows joined to it."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._crossing = names.crossing
        self._literals: dict[Literal, Condition] = {}
        self._lengths: dict[Literal, int] = {}

    def condition(self, tree: Tree) -> Condition:
        """The tree as a condition, joins first. A missing partner is told by its key: ``P.ID IS NULL``."""
        if isinstance(tree, Literal):
            return self.literal(tree)
        if not tree.parts:
            return TRUE_TEXT if isinstance(tree, Every) else FALSE_TEXT
        parts = [self.condition(part) for part in tree.parts]
        if isinstance(tree, Some):
            return disjunction(parts)
        joins = [self._joins(part) for part in tree.parts]
        ranked = sorted(
            zip(joins, parts, strict=True), key=lambda one: (not one[0], isinstance(one[1], Or), to_text(one[1]))
        )
        return conjunction([part for _, part in ranked])

    def literal(self, literal: Literal) -> Condition:
        """One literal as a condition."""
        found = self._literals.get(literal)
        if found is None:
            found = self._literals[literal] = self._read(literal)
        return found

    def length(self, literal: Literal) -> int:
        """How long a literal's text is."""
        # Where databases differ the text says less than the value set: the smaller the set, the more it says.
        if self._open(literal.variable):
            return literal.mask.bit_count()
        found = self._lengths.get(literal)
        if found is None:
            found = self._lengths[literal] = len(self.short(self.literal(literal)))
        return found

    def _open(self, variable: int) -> bool:
        row = isinstance(self._crossing.label(variable), (Own, Partner))
        return row and self._crossing.regions(variable).open

    def short(self, condition: Condition) -> str:
        """The text without the name of the own entity."""
        own = f"{self._names.entity}."
        short = with_leaves(
            condition,
            lambda leaf: Attr(local_of(leaf.name)) if isinstance(leaf, Attr) and leaf.name.startswith(own) else leaf,
        )
        return to_text(short)

    def sql(self, tree: Tree) -> str:
        """The tree as SQL. A joined row is asked for where it is needed, and only there.

        ``K = 1 OR EXISTS (SELECT 1 FROM J WHERE T.ID = J.ID AND J.R = 2)``: with no row in J, K = 1 is still enough.
        """
        return self._sql(tree, frozenset())[0]

    def _sql(self, tree: Tree, known: frozenset[JoinedRow]) -> tuple[str, str]:
        """The SQL and its outermost operator; of the joined rows ``known`` it is spoken already."""
        if isinstance(tree, Some):
            return _joined([self._sql(part, known) for part in tree.parts], "OR")
        if isinstance(tree, Literal) and not needs(self._crossing, tree) - known:
            return self._literal(tree, known)
        parts = tree.parts if isinstance(tree, Every) else (tree,)
        # Rows that only an OR among the parts needs are left to it: there some alternative may do without them.
        asked = [needs(self._crossing, part) for part in parts if isinstance(part, Literal)]
        rows = frozenset().union(*asked) - known
        spoken = [mentioned(self._crossing, part) & rows for part in parts]
        own = [part for part, some_rows in zip(parts, spoken, strict=True) if not some_rows]
        texts = [text for part in own for text in self._conjuncts(part, known)]
        # What speaks of the same joined row must hold of that one row: it stands in one EXISTS.
        for some_rows, inner in _united([(r, [p]) for r, p in zip(spoken, parts, strict=True) if r]):
            first = sorted(inner, key=lambda part: not self._joins(part))
            within = [text for part in first for text in self._conjuncts(part, known | some_rows)]
            texts.append((self._exists(some_rows, within), ""))
        return _joined(texts, "AND")

    def _conjuncts(self, part: Tree, known: frozenset[JoinedRow]) -> list[tuple[str, str]]:
        """The SQL of a part of an AND; the keys of a join one by one, so that what two joins ask is said once."""
        if isinstance(part, Literal) and self._joins(part) and part.mask == YES:
            condition = self.literal(part)
            if isinstance(condition, And) and not needs(self._crossing, part) - known:
                return [(to_sql(one), "") for one in condition.parts if speakable(one)]
        return [self._sql(part, known)]

    def _literal(self, literal: Literal, known: frozenset[JoinedRow]) -> tuple[str, str]:
        label = self._crossing.label(literal.variable)
        if isinstance(label, Joined) and literal.mask == UNKNOWN:
            there = self._literal(Literal(literal.variable, YES), known)
            return f"NOT {self._exists(label.rows, [there])}", ""
        condition = self.literal(literal)
        if isinstance(label, Joined) and not speakable(condition):
            kept = [one for one in _parts(condition) if speakable(one)]
            condition = conjunction(kept) if kept else TRUE_TEXT
        return to_sql(condition), "OR" if isinstance(condition, Or) else "AND" if isinstance(condition, And) else ""

    def _exists(self, rows: frozenset[JoinedRow], parts: list[tuple[str, str]]) -> str:
        return f"EXISTS (SELECT 1 FROM {', '.join(self._names.tables(rows))} WHERE {_joined(parts, 'AND')[0]})"

    def _joins(self, tree: Tree) -> bool:
        return isinstance(tree, Literal) and isinstance(self._crossing.label(tree.variable), Joined)

    def _read(self, literal: Literal) -> Condition:
        label = self._crossing.label(literal.variable)
        if isinstance(label, Atom):
            return rename(atom_condition(label.condition, literal.mask), self._names)
        if isinstance(label, Joined):
            return self._join(label, literal.mask)
        attribute = Attr(self._names(Variable(literal.variable)))
        return values_condition(attribute, literal.mask, self._crossing.regions(literal.variable))

    def _join(self, label: Joined, mask: int) -> Condition:
        pairs: list[Condition] = []
        for value, attribute in label.pairs:
            sides = (rename_expression(value, self._names), Attr(self._names.partner(label.mapping, attribute)))
            if mask == UNKNOWN:
                return IsNull(sides[1])
            left, right = sorted(sides, key=lambda side: (isinstance(side, Const), expression_text(side)))
            pairs.append(Compare("=", left, right))
        return conjunction(pairs) if pairs else TRUE_TEXT


def _parts(condition: Condition) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, And) else (condition,)


def _joined(parts: Sequence[tuple[str, str]], operator: str) -> tuple[str, str]:
    """SQL texts joined by an operator, in parentheses where they have the other one."""
    # The simplest first; what is asked of joined rows last.
    every = sorted(dict.fromkeys(parts), key=lambda part: ("EXISTS (" in part[0], part[1] == "OR", part[0]))
    if len(every) < 2:
        return every[0] if every else ("FALSE" if operator == "OR" else "TRUE", "")
    return f" {operator} ".join(f"({text})" if own not in ("", operator) else text for text, own in every), operator


def _united(parts: list[tuple[frozenset[JoinedRow], list[Tree]]]) -> list[tuple[frozenset[JoinedRow], list[Tree]]]:
    """Parts that share joined rows put together."""
    found: list[tuple[frozenset[JoinedRow], list[Tree]]] = []
    for rows, some in parts:
        shared = [one for one in found if one[0] & rows]
        found = [one for one in found if not one[0] & rows]
        found.append((rows.union(*(r for r, _ in shared)), [*(p for _, inner in shared for p in inner), *some]))
    return found

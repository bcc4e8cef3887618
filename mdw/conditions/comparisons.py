"""Comparisons read into a diagram: as value sets where regions tell, else as atoms."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.functions import FOLDED, of_year, picked, picks
from mdw.conditions.joined import between, open_parts, stays_text
from mdw.conditions.kinds import read_as
from mdw.conditions.linear import FLIPPED, solved
from mdw.conditions.regions import NULL, SEVERAL, Regions
from mdw.conditions.relations import Relations, Truth
from mdw.conditions.spellings import alike, digital
from mdw.conditions.values import NOTHING, Value, evaluate
from mdw.model.collations import bare, collated, collation_of, nature_of
from mdw.model.expressions import Call, Compare, Compute, Concat, Const, Expression, IsNull, Variable
from mdw.model.function_names import FLOATING
from mdw.model.text import expression_text
from mdw.model.walks import parts

MAYBE: Truth = (TRUE, TRUE)
ZERO = Const("number", "0")
UNTOLD = "a value that no rule tells"
"""What is compared where a value is open."""
MOST = 40
"""Regions of a class of which each family of texts is held against those of another."""
VAGUE = f"which of more than {SEVERAL:,} constants of several kinds, as numbers and texts, a value is"


class Comparisons(Relations):
    """Reads comparisons into one diagram."""

    def _compare(self, op: str, left: Value, right: Value) -> Truth:
        if NOTHING in (left, right):
            return FALSE, FALSE
        # What is compared with an open value may come out either way, but not if it is NULL itself.
        if left is None or right is None:
            known = self._is_null(right if left is None else left)[1]
            self._doubt(UNTOLD)
            return known, known
        collation = collation_of(left)
        if collation is not None:
            return self._collated(op, bare(left), bare(right), collation)
        if isinstance(left, Const) and isinstance(right, Const):
            return _both_constant(op, left, right)
        if isinstance(left, Const):
            left, right, op = right, left, FLIPPED[op]
        if isinstance(left, Variable) and isinstance(right, Const):
            regions = self._regions_of(left.number)
            if regions.vague:
                return self._untold(left)
            if regions.knows(right):
                true, false = regions.compare(op, right)
                told = self.diagram.allow(left.number, true), self.diagram.allow(left.number, false)
                if not true & false:
                    return told
                # The text "01" is 1 to one database and not to another. That it is the same in every place where the
                # two are compared an atom says.
                self._doubt(f"whether a value is {op} {expression_text(right)}")
                return self._also(told, self._relation(op, left, right))
        found = self._known(op, left, right)
        if found is not None:
            return found
        # A = A is true, and unknown for NULL.
        if left == right and isinstance(left, Variable):
            known = self.diagram.allow(left.number, ~NULL)
            return (known, FALSE) if op in ("=", "<=", ">=") else (FALSE, known)
        return self._relation(op, left, right)

    def _untold(self, value: Variable) -> Truth:
        """What is compared with very many constants of several kinds may come out either way, but for NULL."""
        known = self._is_null(value)[1]
        self._doubt(VAGUE)
        return known, known

    def _collated(self, op: str, left: Expression, right: Expression, collation: str) -> Truth:
        """Values compared by a collation (rule Q35): what the same texts tell is sure, that others are equal may be.

        ``COLLATED(T) = COLLATED("EU")`` is true of "EU" and false of "US"; of "eu" an atom says which of them.
        """
        if isinstance(left, Const):
            left, right, op = right, left, FLIPPED[op]
        if isinstance(left, Const) and isinstance(right, Const):
            return _told_by(op, left, right, collation) or self._by(collation, op, left, right)
        if (
            self._counts(left)
            or self._counts(right)
            or (nature_of(collation) == "sorted" and self._no_text(left, right))
        ):
            return self._compare(op, left, right)
        if isinstance(left, Variable) and isinstance(right, Const):
            regions = self._regions_of(left.number)
            if regions.knows(right) and not regions.vague:
                true, false = regions.collated(op, right, collation)
                return self._where(left, true, false, lambda: self._by(collation, op, left, right))
        if op not in ("=", "!="):
            return self._by(collation, op, left, right)
        # What is the same is equal, whatever the collation; what is not may be.
        same, other = self._compare("=", left, right)
        told = self._by(collation, "=", left, right)
        letters = self._letters(left, right)
        true = self.diagram.both(letters, self.diagram.either(same, told[0]))
        false = self.diagram.both(other, self.diagram.either(self.diagram.negate(letters), told[1]))
        return (true, false) if op == "=" else (false, true)

    def _by(self, collation: str, op: str, left: Expression, right: Expression) -> Truth:
        """What a collation says of two values, which only the database knows."""
        return self._relation(op, collated(left, collation), collated(right, collation))

    def _counts(self, value: Expression) -> bool:
        """Whether a value is no text: a number or day, or rules compare it with such and with no texts."""
        if isinstance(value, Variable):
            kinds = self._regions_of(value.number).kinds
            return bool(kinds) and "string" not in kinds
        return value.kind != "string" if isinstance(value, Const) else isinstance(value, Compute)

    def _no_text(self, *values: Expression) -> bool:
        """Whether no rule says of values that they are texts."""
        kinds = [self._regions_of(one.number).kinds for one in values if isinstance(one, Variable)]
        return not any("string" in some for some in kinds) and not any(isinstance(one, Const) for one in values)

    def _letters(self, left: Expression, right: Expression) -> int:
        """Where two values may be texts that some collation takes for one another, as far as their value sets tell."""
        several, others = self._by_family(left), self._by_family(right)
        if several is None or others is None:
            return TRUE
        # What is of no family of a class that knows them is none of their texts.
        numbers = [one.number for one in (left, right) if isinstance(one, Variable)]
        told = several.keys() == others.keys() and all(self._regions_of(one).kin for one in numbers)
        found = FALSE
        for family, one in several.items():
            either = FALSE
            for key, other in others.items():
                vague = not told and () in (family, key)
                if vague or family == key or any(alike(a, b, "") is not False for a in family for b in key):
                    either = self.diagram.either(either, other)
            found = self.diagram.either(found, self.diagram.both(one, either))
        return found

    def _by_family(self, value: Expression) -> dict[tuple[str, ...], int] | None:
        """For each family of texts where a value is one of them, for none where it is any other; None if unknown."""
        if isinstance(value, Const):
            return {(value.text,): TRUE}
        if not isinstance(value, Variable):
            return None
        regions = self._regions_of(value.number)
        if regions.open or len(regions.regions) > MOST:
            return None
        return {one: self.diagram.allow(value.number, mask) for one, mask in regions.families().items()}

    def _known(self, op: str, left: Expression, right: Expression) -> Truth | None:
        """A comparison with a function or computation, where it says something of the values that go in."""
        if isinstance(right, Call) and right.function == "COALESCE":
            left, right, op = right, left, FLIPPED[op]
        if isinstance(left, Call) and left.function == "COALESCE":
            return self._of_first(left, lambda one: self._compare(op, one, right))
        if not isinstance(right, Const):
            return None
        match left:
            case Compute():
                return self._solved(op, left, right)
            case Concat(every) if right.kind == "string" and op in ("=", "!="):
                return self._joined(op, left, every, right.text)
            case Call("SUBSTR", _) if right.kind == "string":
                return self._picked(op, left, right)
            case Call("ABS", (one,)):
                return self._either_sign(op, one, right)
            case Call("YEAR", (Variable(number) as day,)) if self._regions_of(number).kinds == {"date"}:
                return self._of_year(op, day, right)
        return None

    def _of_first(self, call: Call, read: Callable[[Value], Truth]) -> Truth:
        """What holds of the first argument that is not NULL.

        ``COALESCE(A, B) = 1``: A = 1, or A IS NULL and B = 1.
        """
        true = false = FALSE
        before = TRUE
        for one in call.arguments:
            t, f = read(one)
            true = self.diagram.either(true, self.diagram.both(before, t))
            false = self.diagram.either(false, self.diagram.both(before, f))
            before = self.diagram.both(before, self._is_null(one)[0])
        return true, false

    def _joined(self, op: str, left: Concat, every: tuple[Expression, ...], text: str) -> Truth | None:
        """``C || "-" = "a-"`` is ``C = "a"``, and ``C || "-" = "a"`` is false: the ends of a text are sure."""
        # What spells a number may be compared as one: "0" || "5" with "5".
        if _counts(text) and not stays_text(every):
            return None
        rest = between(every, text)
        if rest is None:
            true, false = FALSE, self._is_null(left)[1]
        else:
            match open_parts(every):
                # Some databases take an empty text for NULL.
                case (Variable(number) as one,) if rest and self._regions_of(number).kinds == {"string"}:
                    true, false = self._compare("=", one, Const("string", rest))
                case _:
                    return None
        return (true, false) if op == "=" else (false, true)

    def _picked(self, op: str, call: Call, text: Const) -> Truth | None:
        """``SUBSTR(P, 1, 2) = "CA"`` is ``P LIKE "CA%"``."""
        found = picked(call)
        if op not in ("=", "!=") or found is None or not isinstance(found[0], Variable):
            return None
        subject = found[0]
        # Two characters are never "CAR".
        if len(text.text) > found[2] - found[1] + 1:
            true, false = FALSE, self.diagram.allow(subject.number, ~NULL)
        elif (pattern := picks(call, text.text)) is None:
            return None
        else:
            # Where value sets do not tell it stays a comparison, but they may still exclude some values.
            masks = self._regions_of(subject.number).like(pattern)
            true, false = (self.diagram.allow(subject.number, mask) for mask in masks)
            if masks[0] & masks[1]:
                true, false = self._also((true, false), self._relation("=", call, text))
        return (true, false) if op == "=" else (false, true)

    def _either_sign(self, op: str, value: Expression, constant: Const) -> Truth:
        """The absolute value compared: the value itself from 0 on, else what it is with the other sign."""
        both, either = self.diagram.both, self.diagram.either
        plus, minus = self._compare(">=", value, ZERO)
        own = self._compare(op, value, constant)
        turned = self._compare(op, evaluate(Compute("-", ZERO, value), lambda one: one), constant)
        return either(both(plus, own[0]), both(minus, turned[0])), either(both(plus, own[1]), both(minus, turned[1]))

    def _of_year(self, op: str, day: Variable, year: Const) -> Truth | None:
        if op == "!=":
            found = self._of_year("=", day, year)
            return found and (found[1], found[0])
        asked = of_year(op, day, year)
        if asked is None:
            return None
        true, false = TRUE, FALSE
        for one in asked:
            t, f = self._compare(one.op, one.left, one.right)
            true, false = self.diagram.both(true, t), self.diagram.either(false, f)
        return true, false

    def _solved(self, op: str, left: Compute, right: Const) -> Truth | None:
        """A comparison of a value computed from one variable, as a comparison of that variable."""
        found = solved(op, left, right)
        if isinstance(found, Compare):
            return self._compare(found.op, found.left, found.right)
        if found is None:
            return None
        known = self._is_null(left)[1]
        return (known, FALSE) if found else (FALSE, known)

    def _is_null(self, value: Value) -> Truth:
        if value is None:
            self._doubt(UNTOLD)
            return MAYBE
        if isinstance(value, Const):
            return (TRUE, FALSE) if value == NOTHING else (FALSE, TRUE)
        if isinstance(value, Variable):
            return self.diagram.allow(value.number, NULL), self.diagram.allow(value.number, ~NULL)
        if collation_of(value) is not None:
            return self._is_null(bare(value))
        if isinstance(value, Call) and value.function == "COALESCE":
            true, false = TRUE, FALSE
            for one in value.arguments:
                t, f = self._is_null(one)
                true, false = self.diagram.both(true, t), self.diagram.either(false, f)
            return true, false
        if isinstance(value, (Compute, Concat)) or (isinstance(value, Call) and value.function in NULL_OF_NULL):
            return self._part_is_null(value)
        return self.atom(IsNull(value))

    def _part_is_null(self, value: Compute | Concat | Call) -> Truth:
        """What is made of several values is NULL where one of them is, and a quotient by zero."""
        true, false = FALSE, TRUE
        for part in parts(value):
            t, f = self._is_null(part)
            true, false = self.diagram.either(true, t), self.diagram.both(false, f)
        if isinstance(value, Compute) and value.op == "/":
            zero, other = self._compare("=", value.right, ZERO)
            true, false = self.diagram.either(true, zero), self.diagram.both(false, other)
        return true, false


NULL_OF_NULL = FOLDED.keys() | FLOATING.keys()
"""Functions that give NULL where one of their arguments is NULL, and nowhere else."""


def _told_by(op: str, left: Const, right: Const, collation: str) -> Truth | None:
    """How a collation compares two constants; None where that is not known."""
    if left.kind != "string" or right.kind != "string" or left == right or (digital(left.text) and digital(right.text)):
        return _both_constant(op, left, right)
    equal = alike(left.text, right.text, collation) if op in ("=", "!=") else None
    return None if equal is None else (TRUE, FALSE) if equal == (op == "=") else (FALSE, TRUE)


def _counts(text: str) -> bool:
    return any(read_as(kind, text) is not None for kind in ("number", "date"))


@lru_cache(maxsize=1 << 12)
def _both_constant(op: str, left: Const, right: Const) -> Truth:
    regions = Regions.over(left, right)
    true, false = regions.compare(op, right)
    bit = regions.bit(left)
    return TRUE if bit & true else FALSE, TRUE if bit & false else FALSE

"""Sentences about rows as SMT-LIB 2.6 text, made from their trees alone, for any solver that reads the standard.

A value is NULL, a number, a text or a day. An attribute is a constant of that type, of the kinds that rules give it
(`mdw.conditions.sentences`). A condition is true, false or neither, as in SQL:

>>> from mdw.conditions.sentences import kinds_of
>>> above = Compare(">", Attr("S.N"), Const("number", "5"))
>>> script = Script(kinds_of([Holds(above)]).__getitem__)
>>> print(shown(script.said(Holds(above))), shown(script.said(Fails(above))), sep="\\n")
(and ((_ is number) |S.N|) (> (number-of |S.N|) 5.0))
(not (and ((_ is number) |S.N|) (> (number-of |S.N|) 5.0)))

What databases decide each in its own way (is the text "01" equal to 1?) is a Bool of its own wherever it is met.
Arithmetic is that of the real numbers. Of functions that the standard lacks only that is said that equal arguments
give equal values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations

from mdw.conditions.functions import FOLDED, picked
from mdw.conditions.kinds import KINDS, countable, read_as
from mdw.conditions.linear import FLIPPED
from mdw.conditions.patterns import WILDCARD
from mdw.conditions.sentences import MADE, Becomes, Fails, Holds, Sentence, Where
from mdw.conditions.spellings import alike
from mdw.model.collations import bare, collated, collation_of
from mdw.model.expressions import (
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
)

Term = str | tuple["Term", ...]
"""A term of SMT-LIB: a symbol, or a list of terms."""

WIDTH = 110
"""Characters a line holds, if it can be broken at all."""
VALUES = """\
(set-logic ALL)
(declare-datatype Value ((null) (number (number-of Real)) (text (text-of String)) (day (day-of Real))))"""
TRUTH = VALUES.replace("(day (day-of Real))", "(day (day-of Real)) (truth (truth-of Bool))")
ARITHMETIC = """\
; counted: the number that a database takes a text or a day for
(declare-fun counted (Value) Real)
(define-fun amount ((a Value)) Real (ite ((_ is number) a) (number-of a) (counted a)))
(define-fun result ((a Value) (b Value) (c Real)) Value (ite (or (= a null) (= b null)) null (number c)))
(define-fun plus ((a Value) (b Value)) Value (result a b (+ (amount a) (amount b))))
(define-fun minus ((a Value) (b Value)) Value (result a b (- (amount a) (amount b))))
(define-fun times ((a Value) (b Value)) Value (result a b (* (amount a) (amount b))))
(define-fun over ((a Value) (b Value)) Value
  (ite (= (amount b) 0.0) null (result a b (/ (amount a) (amount b)))))"""
TEXTS = """\
; spelled: how a database spells a number or a day
(declare-fun spelled (Value) String)
(define-fun spelling ((a Value)) String (ite ((_ is text) a) (text-of a) (spelled a)))
(define-fun joined ((a Value) (b Value)) Value
  (ite (or (= a null) (= b null)) null (text (str.++ (spelling a) (spelling b)))))
(define-fun part ((a Value) (first Int) (length Int)) Value
  (ite (= a null) null (text (str.substr (spelling a) first length))))"""
OPERATIONS = {"+": "plus", "-": "minus", "*": "times", "/": "over"}
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
NAMES = {"number": "number", "string": "text", "date": "day", "boolean": "truth"}
SPELLED = KINDS[:3]
"""What scripts call the kinds of values; of truths they speak only where rules do."""


class Script:
    """Says sentences; what must stand before them gathers meanwhile, to be read from `head` in the end.

    ``kinds`` gives the kinds that the values of an attribute may be of, at least one.
    """

    def __init__(self, kinds: Callable[[str], frozenset[str]]) -> None:
        self._kinds = kinds
        self._before: dict[str, str] = {}
        self._symbols: dict[str, str] = {}
        self._truths = False
        # By collation, and text or pattern: what is said of the texts that constants are.
        self._texts: dict[Const, None] = {}
        self._collated: dict[tuple[str, str], None] = {}

    def head(self) -> Iterator[str]:
        """The type of values, the functions used, and the attributes with their kinds."""
        truths = any("boolean" in self._kinds(name) for name in self._symbols)
        yield TRUTH if truths or self._truths else VALUES
        yield from self._before.values()
        for name, symbol in self._symbols.items():
            yield f"(declare-const {symbol} Value)"
            kinds = [_is(kind, symbol) for kind in sorted(self._kinds(name))]
            yield shown(("assert", ("or", ("=", symbol, "null"), *kinds)))
        yield from map(shown, self._told_of_texts())

    def _told_of_texts(self) -> Iterator[Term]:
        """Which of the texts met are the same to a collation, and which are not, as far as that is sure."""
        for symbol, collation in self._collated:
            for one, other in combinations(self._texts, 2):
                same = alike(one.text, other.text, collation)
                term: Term = "=", (symbol, _constant(one)), (symbol, _constant(other))
                if same is not None:
                    yield "assert", term if same else ("not", term)

    def said(self, sentence: Sentence) -> Term:
        """A sentence as a term of type Bool."""
        match sentence:
            case Holds(condition):
                return self._truth(condition, wanted=True)
            case Fails(condition):
                return "not", self._truth(condition, wanted=True)
            case Where(condition, then):
                return ("=>", self.said(Holds(condition)), self.said(then))
            case Becomes(name, cases):
                value: Term = "null"
                for asked, expression in reversed(cases):
                    given = self._value(expression)
                    value = given if asked is None else ("ite", self._truth(asked, wanted=True), given, value)
                return "=", self._symbol(name), value

    # -- conditions ----------------------------------------------------------------------------------------------

    def _truth(self, condition: Condition, *, wanted: bool) -> Term:
        """That a condition is true, or that it is false.

        Two terms, since neither is the other's NOT: of NULL ``A = 1`` and ``A != 1`` are both not true.
        """
        match condition:
            case And(parts) | Or(parts):
                terms = [self._truth(part, wanted=wanted) for part in parts]
                return _all(terms) if isinstance(condition, And) == wanted else _any(terms)
            case Not(part):
                return self._truth(part, wanted=not wanted)
            case IsNull(subject):
                null = "=", self._value(subject), "null"
                return null if wanted else ("not", null)
            case In(subject, constants):
                by = collation_of(subject)
                listed = constants if by is None else tuple([collated(one, by) for one in constants])
                terms = [self._compared("=" if wanted else "!=", subject, one) for one in listed]
                return _any(terms) if wanted else _all(terms)
            case Like(subject, _) if collation_of(subject) is not None:
                return "and", ("not", ("=", self._value(bare(subject)), "null")), self._either()
            case Like(subject, pattern) if WILDCARD.search(pattern):
                return self._like(subject, pattern, wanted=wanted)
            case Like(subject, text):
                return self._compared("=" if wanted else "!=", subject, Const("string", text))
            case Compare(op, left, right):
                return self._compared(op if wanted else OPPOSITE[op], left, right)

    def _compared(self, op: str, left: Expression, right: Expression) -> Term:
        """That two values are known and compare so."""
        collation = collation_of(left)
        if collation is not None:
            return self._by(collation, op, self._value(bare(left)), self._value(bare(right)))
        if isinstance(left, Const):
            left, right, op = right, left, FLIPPED.get(op, op)
        a, b, kinds, others = self._value(left), self._value(right), self._kinds_in(left), self._kinds_in(right)
        if isinstance(right, Const):
            # What equals a constant is of its kind.
            of = [] if op == "=" else [_is(kind, a) for kind in sorted(kinds & others)]
            ways = [_all([*of, _ordered(op, kind, a, b)]) for kind in sorted(kinds & others)]
            ways += [_all([_is(kind, a), self._across(op, kind, right)]) for kind in sorted(kinds - others)]
            return _any(ways)
        ways = [_all([_is(kind, a), _is(kind, b), _ordered(op, kind, a, b)]) for kind in sorted(kinds & others)]
        # Of two kinds it is open how they compare, once for each place where they are compared.
        if len(kinds | others) > 1:
            alike = [("and", _is(kind, a), _is(kind, b)) for kind in SPELLED]
            apart = "not", _any([("=", a, "null"), ("=", b, "null"), *alike])
            ways.append(_all([apart, self._either()]))
        return _any(ways)

    def _by(self, collation: str, op: str, a: Term, b: Term) -> Term:
        """That two values are known and compare so by a collation, of which only that is said which is sure."""
        known = ("not", ("=", a, "null")), ("not", ("=", b, "null"))
        if op not in ("=", "!="):
            return "and", *known, self._either()
        symbol = _quoted(f"as {collation or 'the collation'} takes it")
        self._before[symbol] = f"; texts that are equal to the database\n(declare-fun {symbol} (Value) Value)"
        self._collated[symbol, collation] = None
        met: Term = "=", (symbol, a), (symbol, b)
        return "and", *known, met if op == "=" else ("not", met)

    def _across(self, op: str, kind: str, constant: Const) -> Term:
        """How values of a kind compare with a constant of another: "x" equals no number, the rest stays open."""
        if op in ("=", "!=") and constant.kind == "string" and read_as(kind, constant.text) is None:
            return "true" if op == "!=" else "false"
        return self._either()

    def _like(self, subject: Expression, pattern: str, *, wanted: bool) -> Term:
        term = self._value(subject)
        known, text = _is("string", term), ("text-of", term)
        if self._kinds_in(subject) != {"string"}:
            # Numbers and days are texts to a pattern too, in the spelling of the database.
            self._before["texts"] = TEXTS
            known, text = ("not", ("=", term, "null")), ("spelling", term)
        fits = "str.in_re", text, _expression(pattern)
        return _all([known, fits if wanted else ("not", fits)])

    def _either(self) -> str:
        """True or false, as a database has it."""
        return self._fresh("Bool")

    # -- values --------------------------------------------------------------------------------------------------

    def _value(self, expression: Expression) -> Term:
        match expression:
            case Attr(name):
                return self._symbol(name)
            case Const() if countable(expression):
                self._truths |= expression.kind == "boolean"
                if expression.kind == "string":
                    self._texts[expression] = None
                return _constant(expression)
            case Compute(op, left, right):
                self._before["arithmetic"] = ARITHMETIC
                return OPERATIONS[op], self._value(left), self._value(right)
            case Concat((first, *rest)):
                self._before["texts"] = TEXTS
                text = self._value(first)
                for part in rest:
                    text = "joined", text, self._value(part)
                return text
            case Call() if taken := picked(expression):
                self._before["texts"] = TEXTS
                subject, start, end = taken
                return "part", self._value(subject), str(start - 1), str(end - start + 1)
            case Call(function, arguments) if arguments:
                symbol = _quoted(f"{function}/{len(arguments)}")
                types = " ".join(["Value"] * len(arguments))
                self._before[symbol] = f"(declare-fun {symbol} ({types}) Value)"
                given = [self._value(one) for one in arguments]
                found: Term = symbol, *given
                # What every database has gives NULL for NULL, but for COALESCE.
                null = _any([("=", one, "null") for one in given])
                return ("ite", null, "null", found) if function in FOLDED else found
            case _:
                return self._fresh("Value")

    def _symbol(self, name: str) -> str:
        found = self._symbols.get(name)
        if found is None:
            found = _quoted(name)
            # Two names may differ by what no symbol may hold.
            while found in self._symbols.values():
                found = f"{found[:-1]}'|"
            self._symbols[name] = found
        return found

    def _fresh(self, sort: str) -> str:
        symbol = f"open-{len(self._before)}"
        self._before[symbol] = f"(declare-const {symbol} {sort})"
        return symbol

    def _kinds_in(self, expression: Expression) -> frozenset[str]:
        """The kinds that the values of an expression may be of."""
        match expression:
            case Attr(name):
                return self._kinds(name)
            case Const(kind, _) if kind != "null":
                return frozenset((kind,))
            case Compute() | Concat():
                return frozenset((MADE[type(expression)],))
            case Call() if picked(expression):
                return frozenset(("string",))
        return frozenset(SPELLED)


def shown(term: Term, indent: int = 0) -> str:
    """A term on one line, or its last parts on lines of their own where it is too long."""
    flat = _flat(term)
    if isinstance(term, str) or indent + len(flat) <= WIDTH:
        return flat
    # A definition's name, parameters and type stand together.
    heading = 4 if term[0] == "define-fun" else 1
    inner = "".join(f"\n{' ' * (indent + 2)}{shown(part, indent + 2)}" for part in term[heading:])
    return f"({' '.join(map(_flat, term[:heading]))}{inner})"


def _flat(term: Term) -> str:
    return term if isinstance(term, str) else f"({' '.join(map(_flat, term))})"


def _all(terms: list[Term]) -> Term:
    return ("and", *terms) if len(terms) > 1 else terms[0] if terms else "true"


def _any(terms: list[Term]) -> Term:
    return ("or", *terms) if len(terms) > 1 else terms[0] if terms else "false"


def _is(kind: str, term: Term) -> Term:
    return ("_", "is", NAMES[kind]), term


def _ordered(op: str, kind: str, a: Term, b: Term) -> Term:
    """How two values of one kind compare."""
    if op in ("=", "!="):
        return ("=", a, b) if op == "=" else ("not", ("=", a, b))
    a, b = ((one[1] if one[0] == NAMES[kind] else (f"{NAMES[kind]}-of", one)) for one in (a, b))
    if kind == "boolean":
        low, high = (a, b) if op.startswith("<") else (b, a)
        return ("or" if op.endswith("=") else "and", ("not", low), high)
    if kind != "string":
        return op, a, b
    # The standard orders texts by < and <= alone.
    return (f"str.{op}", a, b) if op.startswith("<") else (f"str.{FLIPPED[op]}", b, a)


def _constant(constant: Const) -> Term:
    match constant:
        case Const("number", text):
            digits = text.lstrip("-") + ("" if "." in text else ".0")
            return "number", ("-", digits) if text.startswith("-") else digits
        case Const("date", text):
            # Days in their order: the digits of year, month and day.
            return "day", text.replace("-", "").lstrip("0") + ".0"
        case Const("string", text):
            return "text", _literal(text)
        case Const("boolean", text):
            return "truth", text.lower()
    return "null"


def _expression(pattern: str) -> Term:
    """A pattern as a regular expression."""
    anything: dict[str, Term] = {"%": "re.all", "_": "re.allchar"}
    parts = [anything.get(one, ("str.to_re", _literal(one))) for one in re.split("([%_])", pattern) if one]
    return ("re.++", *parts) if len(parts) > 1 else parts[0]


def _literal(text: str) -> str:
    """A text as the standard writes it: printable ASCII, all else by its number."""
    plain = "".join(one if " " <= one <= "~" and one != "\\" else f"\\u{{{ord(one):x}}}" for one in text)
    return '"' + plain.replace('"', '""') + '"'


def _quoted(name: str) -> str:
    """A name as a symbol, which holds neither bars nor backslashes."""
    return "|" + name.replace("\\", "/").replace("|", "/") + "|"

"""Grammar -> roles: the rules and aliases that parse trees show, what stands below each, and which lie on a recursion.

lark compiles a grammar into plain rules, with ``*``, ``+`` and ``[...]`` taken apart into rules of their own; here they
are put together again into what a reader of the grammar sees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from lark import Lark
from lark.exceptions import LarkError
from lark.grammar import Rule, Symbol

from mdw.model.errors import InputError, system_says
from mdw.model.tree import Location

Kind = Literal["composition", "alternative", "leaf"]


def rules_of(grammar: Path, start: str) -> list[Rule]:
    try:
        # Without a parser: the rules are wanted as they are compiled, with `*`, `+` and `[...]` taken apart.
        return Lark.open(str(grammar), start=start, parser=None, lexer="basic", maybe_placeholders=False).rules
    except OSError as error:
        raise InputError(f"cannot read grammar {grammar}: {system_says(error)}") from error
    except LarkError as error:
        line, column = getattr(error, "line", -1), getattr(error, "column", -1)
        location = Location(str(grammar), line, column) if line > 0 else None
        raise InputError(f"{grammar} is no grammar: {str(error).splitlines()[0]}", location=location) from error


class Roles:
    """What parse trees show of lark's rules: underscore rules inlined, ``?`` rules looked through, aliases as roles.

    A rule of a grammar is not a role: ``?sum: difference | sum PLUS difference -> computation`` shows itself as
    ``computation`` or as whatever stands for ``difference``, never as ``sum``.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules: defaultdict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            self._rules[rule.origin.name].append(rule)
        self._counts = self._count_inlined()
        self._shown: defaultdict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            if self._shows(rule):
                self._shown[_role(rule)].append(rule)
        self._children: dict[str, tuple[str, ...]] = {}
        self._reach: dict[str, frozenset[str]] = {}
        self._loops: dict[str, frozenset[str]] = {}
        self._kinds: dict[str, Kind] = {}

    def children(self, role: str) -> tuple[str, ...]:
        """Roles right below a role, in order of first appearance."""
        if role not in self._children:
            seen: set[tuple[str, bool]] = set()
            found = (name for rule in self._shown[role] for kept in _kept(rule) for name in self._visible(kept, seen))
            self._children[role] = tuple(dict.fromkeys(found))
        return self._children[role]

    def loop(self, role: str) -> frozenset[str]:
        """The roles of the recursion a role starts or lies on; empty if there is none."""
        if role not in self._loops:
            self._loops[role] = frozenset(name for name in self._below(role) if role in self._below(name))
        return self._loops[role]

    def kind(self, role: str) -> Kind:
        """Alternative: one of several roles at a time, recursion dropped and equal components merged."""
        # A role stands in many places of a meta tree, each of which asks.
        if role not in self._kinds:
            self._kinds[role] = self._kind(role)
        return self._kinds[role]

    def _kind(self, role: str) -> Kind:
        loop = self.loop(role)
        if not self.children(role):
            return "leaf"
        several = len(set(self.children(role)) - loop) > 1
        mixed = any(self._mixes(_kept(rule), loop, set()) for rule in self._shown[role])
        return "alternative" if several and not mixed else "composition"

    def _below(self, role: str) -> frozenset[str]:
        if role not in self._reach:
            found: set[str] = set()
            waiting = [role]
            while waiting:
                new = set(self.children(waiting.pop())) - found
                found |= new
                waiting += new
            self._reach[role] = frozenset(found)
        return self._reach[role]

    def _visible(self, symbol: Symbol, seen: set[tuple[str, bool]], alone: bool = False) -> Iterator[str]:
        """Roles a symbol may show as children; ``alone``: as the only child."""
        if symbol.is_term or (symbol.name, alone) in seen:
            return
        seen.add((symbol.name, alone))
        for rule in self._rules[symbol.name]:
            if self._shows(rule):
                yield _role(rule)
            if _inlined(symbol) and not alone:
                for kept in _kept(rule):
                    yield from self._visible(kept, seen)
            elif _inlined(symbol) or (rule.options.expand1 and not rule.alias):
                for kept in self._only(rule):
                    yield from self._visible(kept, seen, alone=True)

    def _mixes(self, symbols: Sequence[Symbol], dropped: frozenset[str], met: set[str]) -> bool:
        """Whether two different roles may stand side by side."""
        shown = [set(self._visible(symbol, set())) - dropped for symbol in symbols]
        if sum(map(bool, shown)) > 1 and len(set().union(*shown)) > 1:
            return True
        inlined = [symbol.name for symbol in symbols if _inlined(symbol) and symbol.name not in met]
        met.update(inlined)
        return any(self._mixes(_kept(rule), dropped, met) for name in inlined for rule in self._rules[name])

    def _shows(self, rule: Rule) -> bool:
        """Whether a node of its own may stand for the rule."""
        # A `?` rule gives way to an only child: it shows itself unless it always leaves exactly one.
        through = rule.options.expand1 and not rule.alias
        return not _inlined(rule.origin) and not (through and self._total(rule) == {1})

    def _only(self, rule: Rule) -> list[Symbol]:
        """Symbols that may be the only child the rule leaves."""
        counts = [self._count(symbol) for symbol in _kept(rule)]
        alone = (1 in own and all(0 in other for other in counts[:i] + counts[i + 1 :]) for i, own in enumerate(counts))
        return [symbol for symbol, sole in zip(_kept(rule), alone, strict=True) if sole]

    def _count_inlined(self) -> dict[str, frozenset[int]]:
        """How many children each inlined rule may leave: some of 0, 1 and 2 (for more)."""
        # Inlined rules may hold one another, so their counts grow together until none changes.
        self._counts = {rule.origin.name: frozenset() for own in self._rules.values() for rule in own}
        while True:
            new = {name: frozenset().union(*map(self._total, self._rules[name])) for name in self._counts}
            if new == self._counts:
                return new
            self._counts = new

    def _count(self, symbol: Symbol) -> frozenset[int]:
        return self._counts[symbol.name] if _inlined(symbol) else frozenset({1})

    def _total(self, rule: Rule) -> frozenset[int]:
        totals = frozenset({0})
        for symbol in _kept(rule):
            totals = frozenset(min(a + b, 2) for a in totals for b in self._count(symbol))
        return totals


def _kept(rule: Rule) -> list[Symbol]:
    """The symbols that leave something in the tree: all but the keywords lark filters out."""
    every = rule.options.keep_all_tokens
    return [symbol for symbol in rule.expansion if every or not getattr(symbol, "filter_out", False)]


def _inlined(symbol: Symbol) -> bool:
    return not symbol.is_term and symbol.name.startswith("_")


def _role(rule: Rule) -> str:
    return str(rule.alias or rule.options.template_source or rule.origin.name)

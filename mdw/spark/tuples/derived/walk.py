"""The walk over a plan, bottom up: what it has met, and who knows the rule of a node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from mdw.spark.run.failures import cause
from mdw.spark.tuples.derived.annotated import Annotated, ColumnNames, named
from mdw.spark.tuples.derived.asked import Demand
from mdw.spark.tuples.derived.catalyst import Catalyst, Node, kind, listed, numbers, output, walked
from mdw.spark.tuples.derived.reads import PlanSources, SourceRead, identified

NOTHING = ("LocalRelation", "Range", "OneRowRelation", "EmptyRelation")
"""Leaves whose rows come from the query itself (rule T21)."""


class PlanWalk:
    """One trace of one plan. ``reads`` are those met so far, ``unknown`` those of which no rule tells rows."""

    def __init__(self, catalyst: Catalyst, sources: PlanSources, rules: Mapping[str, Rule]) -> None:
        self.catalyst = catalyst
        self.names = ColumnNames()
        self.reads: list[SourceRead] = []
        self.unknown: set[int] = set()
        self.limits: list[str] = []
        self.unread: list[str] = []
        self.notes: list[str] = []
        self._sources = sources
        self._rules = rules

    def annotate(self, plan: Node, demand: Demand) -> Annotated:
        """The plan as a frame whose rows carry ids (see `Annotated`); below a node without a rule there are none."""
        name = self._sources.name_of(plan)
        if name is not None:
            self.reads.append(SourceRead(name, plan))
            return identified(self.catalyst, plan, len(self.reads) - 1)
        if kind(plan) in NOTHING:
            return self.bare(plan)
        rule = self._rules.get(kind(plan))
        if rule is None:
            return self._opaque(plan, f"{kind(plan)}: no rule")
        met = len(self.reads), len(self.limits), len(self.unread), len(self.notes)
        unknown = set(self.unknown)
        try:
            found = rule(self, plan, demand)
        except (PySparkException, Py4JError, NotImplementedError) as error:
            self._forget(met, unknown)
            return self._opaque(plan, f"{kind(plan)}: {cause(error)}")
        self._note_users(plan)
        return found

    def bare(self, plan: Node) -> Annotated:
        """A plan whose rows come from no source."""
        return Annotated(self.plain(plan), tuple(dict.fromkeys(numbers(plan))))

    def plain(self, plan: Node, name: Callable[[int], str] = named) -> DataFrame:
        """The plan as it runs, its columns named after its attributes."""
        return self.catalyst.renamed(plan, name)

    def called(self, plan: Node, reads: Iterable[int]) -> str:
        """What a plan is called in a sentence: its alias, or the sources it reads."""
        names = {str(part) for one in output(plan) for part in [_qualifier(one)] if part}
        found = dict.fromkeys(self.reads[read].name for read in reads)
        return names.pop() if len(names) == 1 else " and ".join(found) or "row"

    def skipped(self, plan: Node) -> None:
        """Note what is read below a plan of which no rule tells rows."""
        for read in self._sources.below(plan):
            self.unknown.add(len(self.reads))
            self.reads.append(read)

    def _opaque(self, plan: Node, why: str) -> Annotated:
        self.unread.append(why)
        self.skipped(plan)
        return self.bare(plan)

    def _forget(self, met: tuple[int, ...], unknown: set[int]) -> None:
        del self.reads[met[0] :], self.limits[met[1] :], self.unread[met[2] :], self.notes[met[3] :]
        self.unknown = unknown

    def _note_users(self, plan: Node) -> None:
        expressions = plan.expressions()
        used = [one for place in range(expressions.size()) for one in walked(expressions.apply(place))]
        for name in dict.fromkeys(str(one.name()) for one in used if kind(one) == "PythonUDF"):
            note = f"{name}: a function of Python, taken to give the same for the same row"
            if note not in self.notes:
                self.notes.append(note)


Rule = Callable[[PlanWalk, Node, Demand], Annotated]
"""How one kind of node is annotated."""


def _qualifier(attribute: Node) -> str:
    parts = listed(attribute.qualifier())
    return str(parts[-1]) if parts else ""

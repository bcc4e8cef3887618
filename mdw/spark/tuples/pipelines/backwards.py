"""From rows of an output back to rows of the sources, section by section; none before all its readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from mdw.model.errors import MdwError
from mdw.spark.run.failures import FAILURES, cause
from mdw.spark.tuples.answer import SourceTrace
from mdw.spark.tuples.pipelines.derivation import lineage
from mdw.spark.tuples.pipelines.procedures import Procedures, RowsFound, SectionInput
from mdw.spark.tuples.pipelines.ways import PLACE, ROLES, Arrival, held, shown, together
from mdw.tracing.accuracy import Accuracy, Role, through, worst
from mdw.tracing.merging import Section
from mdw.tracing.properties import DERIVED


@dataclass(frozen=True)
class Reached:
    """Rows of an output that are traced on: what they did, how sure that is, and for which columns (none: all)."""

    rows: DataFrame
    role: Role
    accuracy: Accuracy
    columns: Sequence[str]
    partly: bool


@dataclass
class Backwards:
    """The ways found so far of each input, by its name, and what is to be told of them."""

    procedures: Procedures
    identified: Mapping[str, DataFrame]
    ways: dict[str, list[Arrival]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)

    def go(self, sections: Sequence[Section], asked: str, rows: DataFrame, columns: Sequence[str]) -> None:
        """Trace rows of the last section, of which some columns are asked (none: all), through all."""
        self.ways[asked] = [Arrival(rows, {"value": "exact"})]
        for section in reversed(sections):
            found = self.ways.pop(section.name, [])
            for role in ROLES:
                ways = [way for way in found if role in way.accuracy]
                if ways:
                    every = reduce(DataFrame.unionByName, (way.frame for way in ways))
                    sure = worst(*(way.accuracy[role] for way in ways))
                    these = columns if section.name == asked else ()
                    self._section(section, Reached(every, role, sure, these, any(way.partly for way in ways)))

    def sources(self) -> tuple[SourceTrace, ...]:
        """The rows of each source, in the order the sources were given."""
        names = [name for name in self.identified if name in self.ways]
        return tuple(together(name, self.ways[name], self._frame(name)) for name in names)

    def _frame(self, name: str) -> DataFrame:
        return self.procedures.network.frame(name)

    def _section(self, section: Section, reached: Reached) -> None:
        """Trace rows of a section's output to its inputs: of those that its plan tells all at once."""
        derived = [at for at, choice in enumerate(section.choices) if choice.used == DERIVED]
        if derived:
            self._derived(section, derived, reached)
        for at in range(len(section.reads)):
            if at not in derived:
                self._keep(section, at, self.procedures.rows(self._input(section, at), reached.rows), reached)

    def _input(self, section: Section, at: int) -> SectionInput:
        read = section.reads[at]
        columns = tuple(self._frame(read).columns)
        return SectionInput(section, at, self.identified.get(read, self._frame(read)), columns, read in self.identified)

    def _keep(self, section: Section, at: int, found: RowsFound, reached: Reached) -> None:
        """Rows of an input by what is declared, which knows no roles."""
        one = self._input(section, at)
        if found.why:
            self.told.append(f"{' and '.join(section.members)}, its {section.reads[at]}: {found.why}")
        if one.source:
            frame = shown(found.frame, one.columns, reached.role)
        else:
            frame = found.frame if found.accuracy == "unknown" else held(found.frame)
        sure: dict[Role, Accuracy] = {reached.role: through(reached.accuracy, found.accuracy)}
        self.ways.setdefault(section.reads[at], []).append(Arrival(frame, sure))

    def _derived(self, section: Section, places: Sequence[int], reached: Reached) -> None:
        """Rows of inputs by what the plan tells, which knows their roles."""
        try:
            found = lineage(self.procedures.network, section, reached.rows, reached.columns)
        except (*FAILURES, MdwError) as error:
            for at in places:
                self._keep(section, at, RowsFound(self._input(section, at).frame, "unknown", cause(error)), reached)
            return
        self.absent += found.absent
        for read in dict.fromkeys(section.reads[at] for at in places):
            sure = {role: through(reached.accuracy, one) for role, one in found.sources[read].accuracy.items()}
            if reached.partly:
                sure["value"] = worst(sure["value"], "at most")
            self._keep_roles(read, found.sources[read].frame, sure, reached.role)

    def _keep_roles(self, read: str, frame: DataFrame, sure: dict[Role, Accuracy], role: Role) -> None:
        """Rows with their roles; what leads to rows that only decide decides too."""
        if role == "decides":
            frame, sure = frame.withColumn("_role", f.lit(role)), {role: worst(*sure.values())}
        if read in self.identified:
            self.ways.setdefault(read, []).append(Arrival(frame, sure))
            return
        kept = held(frame.drop(*PLACE, "_copies"))
        for one, accuracy in sure.items():
            rows = kept.where(f.col("_role") == one).drop("_role")
            if not rows.isEmpty():
                self.ways.setdefault(read, []).append(Arrival(rows, {one: accuracy}, partly=True))

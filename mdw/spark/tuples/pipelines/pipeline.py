"""Pipelines: transformations in any order that reads no later one, traced by what is declared of them (T8-T20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pyspark.sql import DataFrame

from mdw.model.errors import QuestionError, did_you_mean, nearest
from mdw.spark.run.quiet import quietly
from mdw.spark.tuples.answer import Trace
from mdw.spark.tuples.pipelines.asking import asked_rows
from mdw.spark.tuples.pipelines.backwards import Backwards
from mdw.spark.tuples.pipelines.checking import check
from mdw.spark.tuples.pipelines.derivation import derivations
from mdw.spark.tuples.pipelines.network import Network
from mdw.spark.tuples.pipelines.procedures import Procedures
from mdw.spark.tuples.pipelines.transformation import Transformation
from mdw.spark.tuples.pipelines.ways import identified
from mdw.tracing.merging import Section
from mdw.tracing.plan import PipelinePlan

BUDGET = 64
"""Jobs that bisecting one input may take."""


class Pipeline:
    """Transformations that read sources and each other: any graph without a circle (seed 001, (5)).

    Raises QuestionError for two of one name and for circles.
    """

    def __init__(self, *transformations: Transformation) -> None:
        names = [one.name for one in transformations]
        for name in names:
            if names.count(name) > 1:
                raise QuestionError(f"two transformations are called {name}: a name is one transformation's")
        self.transformations = {one.name: one for one in _ordered({one.name: one for one in transformations})}

    def frame(self, name: str, sources: Mapping[str, DataFrame]) -> DataFrame:
        """The output of a transformation over these sources."""
        return self.network(name, sources).frame(name)

    def network(
        self, name: str, sources: Mapping[str, DataFrame], stored: Mapping[str, DataFrame] | None = None
    ) -> Network:
        """The frames behind an output; QuestionError for names that are not there."""
        self.known(name)
        for held in stored or {}:
            self.known(held)
        for one in self.before(name):
            for read in one.reads:
                if read not in self.transformations and read not in sources:
                    near = did_you_mean(nearest(read, [*self.transformations, *sources]))
                    raise QuestionError(f"transformation {one.name} reads {read}, which is no source given{near}")
        return Network(self.transformations, {**sources, **(stored or {})})

    def known(self, name: str) -> None:
        """Raise QuestionError, with near names, if there is no transformation of that name."""
        if name not in self.transformations:
            near = did_you_mean(nearest(name, list(self.transformations)))
            raise QuestionError(f"the pipeline has no transformation {name}{near}", missing=True)

    def before(self, name: str) -> list[Transformation]:
        """The transformations that an output is made by, in the order they run."""
        wanted = {name}
        for one in reversed(self.transformations.values()):
            if one.name in wanted:
                wanted.update(one.reads)
        return [one for one in self.transformations.values() if one.name in wanted]

    @quietly()
    def plan(
        self,
        name: str,
        sources: Mapping[str, DataFrame] | None = None,
        *,
        stored: Iterable[str] = (),
        combine: bool = True,
    ) -> PipelinePlan:
        """How rows of an output would be traced, without a job; with sources also by what plans tell."""
        self.known(name)
        network = self.network(name, sources) if sources is not None else None
        return PipelinePlan.of(name, self._parts(name, network), stored=stored, combine=combine)

    def _parts(self, name: str, network: Network | None) -> Iterator[Section]:
        for one in self.before(name):
            told = derivations(network, one)
            yield Section.of(one.name, one.reads, one.properties, told, batches=one.pandas, exclusive=one.exclusive)

    @quietly()
    def trace(
        self,
        name: str,
        condition: str,
        sources: Mapping[str, DataFrame],
        *,
        columns: Iterable[str] = (),
        stored: Mapping[str, DataFrame] | None = None,
        combine: bool = True,
        max_rows: int = 100,
        budget: int = BUDGET,
    ) -> Trace:
        """The source rows of the rows of an output that meet a condition (Spark SQL over its columns).

        ``stored`` are intermediates one has; others are made anew under the keys found. ``combine=False`` goes
        transformation by transformation and finds the same rows. ``budget``: jobs for each input that is bisected.
        Raises QuestionError if no row is such, or more than ``max_rows``, and for names that are not there.
        """
        network = self.network(name, sources, stored)
        check(network, self.before(name))
        asked = tuple(columns)
        output = network.frame(name)
        for column in asked:
            if column not in output.columns:
                near = did_you_mean(nearest(column, output.columns))
                raise QuestionError(f"{name} has no column {column}{near}", missing=True)
        rows, found = asked_rows(output, name, condition, max_rows)
        plan = PipelinePlan.of(name, self._parts(name, network), stored=stored or {}, combine=combine)
        read = {one for section in plan.sections for one in section.reads}
        places = {source: identified(frame) for source, frame in sources.items() if source in read}
        back = Backwards(Procedures(network, budget), places)
        back.go(plan.sections, name, rows, asked)
        told = (*plan.lines(), *back.told)
        return Trace(name, condition, asked, back.sources(), tuple(back.absent), plan=told, count=found)


def _ordered(transformations: Mapping[str, Transformation]) -> Iterator[Transformation]:
    """Each transformation after those it reads; QuestionError if some read each other."""
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> Iterator[Transformation]:
        if name in way:
            raise QuestionError(f"transformations read each other: {' reads '.join((*way[way.index(name) :], name))}")
        if name not in done and name in transformations:
            for read in transformations[name].reads:
                yield from visit(read, (*way, name))
            done.add(name)
            yield transformations[name]

    for name in transformations:
        yield from visit(name, ())

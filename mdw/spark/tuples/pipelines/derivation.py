"""What the plan of a transformation tells of its inputs.

A transformation's function gives a frame whose plan has its inputs as leaves; where that plan can be read it competes
by rank with what is declared.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame

from mdw.model.errors import MdwError
from mdw.spark.run.failures import FAILURES, cause
from mdw.spark.tuples.derived.asked import AskedRows
from mdw.spark.tuples.derived.lineage import Derived, derived
from mdw.spark.tuples.pipelines.network import Network
from mdw.spark.tuples.pipelines.transformation import Transformation
from mdw.tracing.accuracy import worst
from mdw.tracing.choice import Derivation
from mdw.tracing.merging import Section
from mdw.tracing.properties import DERIVED

LATER = Derivation(why="its plan is read when it is traced")
BETTER = Derivation(why="its plan is not read, as something better is declared")
OPAQUE = Derivation(why="a function of pandas frames has no plan")


def derivations(network: Network | None, one: Transformation) -> tuple[Derivation, ...]:
    """What is derived of each read, without a job; of no frames, before a trace, nothing is known."""
    if one.pandas or network is None:
        return (OPAQUE if one.pandas else LATER,) * len(one.reads)
    if all(any(each.rank < DERIVED.rank for each in declared) for declared in one.properties):
        return (BETTER,) * len(one.reads)
    section = Section.of(one.name, one.reads, one.properties)
    try:
        found = lineage(network, section, network.frame(one.name), in_hand=False)
    except (*FAILURES, MdwError) as error:
        return (Derivation(why=f"its plan cannot be traced: {cause(error)}"),) * len(one.reads)
    if others := [name for name in found.sources if name not in one.reads]:
        return (Derivation(why=f"its plan reads {others[0]}, which is none of its inputs"),) * len(one.reads)
    gathers = found.together is None
    return tuple(_of(found, read, gathers) for read in one.reads)


def _of(found: Derived, read: str, gathers: bool) -> Derivation:
    if read not in found.sources:
        return Derivation(why=f"its plan does not show {read}")
    why = f"its plan is not read whole: {found.unread[0]}" if found.unread else ""
    return Derivation(worst(*found.sources[read].accuracy.values()), why, gathers)


def lineage(
    network: Network, section: Section, asked: DataFrame, columns: Sequence[str] = (), *, in_hand: bool = True
) -> Derived:
    """The rows of a section's inputs that ``asked``, rows of its output, were made of, by their names."""
    frame = network.frame(section.name)
    places = {f"c{place}": place for place in range(len(frame.columns))}
    reads = {read: network.frame(read) for read in section.reads}
    wanted = [frame.columns.index(column) for column in columns]
    return derived(frame, AskedRows(asked.toDF(*places), kept=in_hand), places, reads, wanted)

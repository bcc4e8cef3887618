"""Sources -> named mappings with their rules, and an error for everything unreadable, in the order met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias, TypeVar

from mdw.language.derive import derive, ends, name_of
from mdw.language.mapping import MAPPING_GRAMMAR, Reading, read_chunks
from mdw.language.metatree import MetaTree
from mdw.model.errors import InputError
from mdw.model.fixed import fixed
from mdw.model.rules import Rules
from mdw.model.tree import Location, Node
from mdw.rdf.contexts import Contexts, contexts_of
from mdw.rdf.graph import MappingGraph, describe
from mdw.readers.inputs import Input, Kind

# Told how many mappings have been read and which share of the input that is, 0 to 1.
Progress: TypeAlias = Callable[[int, float], None]
# Target and driving entity of a mapping.
Pair: TypeAlias = tuple[str, str]
# Where names of mappings were met first.
Places: TypeAlias = dict[str, Location | str | None]
# Mappings between two reports of progress: telling each one would cost more than reading it.
STEP = 100


@fixed
class Named:
    """A mapping that was read: its tree and its rules, which carry its name."""

    tree: Node
    rules: Rules

    @property
    def name(self) -> str:
        """What the mapping is called in answers and in the store."""
        return self.rules.head.mapping

    @property
    def location(self) -> Location | None:
        """Where it stands."""
        return self.tree.location


class Described(NamedTuple):
    """A mapping whose graph was made where it was read."""

    name: str
    location: Location | None
    graph: MappingGraph

    @classmethod
    def of(cls, one: Named) -> Described:
        """What is left of a mapping when its graph is made."""
        return cls(one.name, one.tree.location, graph_of(one))


def read_inputs(inputs: Iterable[Input], meter: Meter | None = None) -> Iterator[Named | InputError]:
    """Every mapping of text and tables; a name used twice is an error at its second place."""
    places: Places = {}
    for one in inputs:
        for item in read_input(one, meter):
            yield once(item, places) if isinstance(item, Named) else item


def read_input(one: Input, meter: Meter | None = None) -> Iterator[Named | InputError]:
    """Every mapping of one input, and an error for everything unreadable."""
    try:
        yield from READERS[one.kind](one, meter or Meter(one.size, None))
    except InputError as error:
        yield error


class Meter:
    """Counts what has been read and reports it now and then."""

    def __init__(self, size: int, progress: Progress | None) -> None:
        self.size, self.progress = size, progress
        self.done = self.mappings = 0

    @classmethod
    def of(cls, inputs: Iterable[Input], progress: Progress | None) -> Meter:
        """A meter for all of these."""
        return cls(sum(one.size for one in inputs), progress)

    def lines(self, lines: Iterator[str]) -> Iterator[str]:
        # Characters stand for bytes here: a share of the work need not be exact.
        for line in lines:
            self.done += len(line)
            yield line

    def count(self) -> None:
        self.mappings += 1
        if self.progress and self.mappings % STEP == 0:
            self.progress(self.mappings, min(1.0, self.done / self.size) if self.size else 0.0)


def _read_tables(one: Input, meter: Meter) -> Iterator[Named | InputError]:
    from mdw.readers.tables import build, files  # Arrow is slow to import, and most inputs are text

    assert one.path
    for item in with_rules(build.trees(files.read(one.path), one.name)):
        meter.count()
        yield item
    meter.done += one.size


def _read_text(one: Input, meter: Meter) -> Iterator[Named | InputError]:
    pairs: Counter[Pair] = Counter()
    for reading in read_chunks(meter.lines(one.lines()), one.name):
        for item in named(reading, one.stem, pairs):
            if reading.trees:
                meter.count()
            yield item


def named(reading: Reading, stem: str, pairs: Counter[Pair]) -> Iterator[Named | InputError]:
    """What was read, with its names and rules; ``pairs`` counts the mappings without a name, by their ends.

    An unnamed mapping is called by its ends and its number among those of the same ends in its file.
    """
    yield from reading.errors
    pairs.update(unnamed(reading))
    for tree in reading.trees:
        try:
            yield Named(tree, derive(tree, name_of(tree, stem, pairs[ends(tree)])))
        except InputError as error:
            yield error


def unnamed(reading: Reading) -> Iterator[Pair]:
    """The ends of mappings without a name.

    One that cannot be read counts too: mending it must not rename those after it, which the store knows by name.
    """
    if reading.lost:
        yield reading.lost
    for tree in reading.trees:
        if tree.first("name") is None:
            yield ends(tree)


def graph_of(one: Named) -> MappingGraph:
    """What a store keeps of a mapping."""
    return describe(one.tree, one.rules, _contexts())


@cache
def _contexts() -> Contexts:
    return contexts_of(MetaTree.of(MAPPING_GRAMMAR))


def with_rules(trees: Iterable[list[tuple[str, Node] | InputError]]) -> Iterator[Named | InputError]:
    """Named trees with their rules, those of some before any goes on; errors stay what they are."""
    for some in trees:
        yield from [item if isinstance(item, InputError) else Named(item[1], derive(item[1], item[0])) for item in some]


def _read_elsewhere(_one: Input, _meter: Meter) -> Iterator[Named | InputError]:
    """RDF holds no mapping text: `mdw.readers.stated` takes it as it stands."""
    return iter(())


def _refuse(one: Input, _meter: Meter) -> Iterator[Named | InputError]:
    yield InputError(f"{one.name} is read by Spark", hint="use mdw spark-load")


def _read_together(_one: Input, _meter: Meter) -> Iterator[Named | InputError]:
    """Files of SQL, a dbt project's too, and exports of columns need one another: `mdw.readers.loading` takes them."""
    return iter(())


READERS: Mapping[Kind, Callable[[Input, Meter], Iterator[Named | InputError]]] = {
    "text": _read_text,
    "sql": _read_together,
    "dbt": _read_together,
    "tables": _read_tables,
    "columns": _read_together,
    "database": _refuse,
    "rdf": _read_elsewhere,
}


Met = TypeVar("Met", bound=Named | Described)


def once(mapping: Met, places: Places) -> Met | InputError:
    """The mapping, or an error if its name is among those met before, with their places."""
    place = mapping.location
    if mapping.name not in places:
        places[mapping.name] = place
        return mapping
    return twice(mapping.name, places[mapping.name], place)


def twice(mapping: str, first: Location | str | None, second: Location | None) -> InputError:
    """The error for a name that is used a second time."""
    message = f"there is already a mapping {mapping}, at {first}"
    return InputError(message, location=second, hint="give each a name of its own: MAPPING name: WHEN POPULATING …")

"""Models whose code nobody can follow, in Python or not compiled -> steps from all that they depend on.

Whatever is asked of such a model may come from any attribute of what it depends on, for all that is known. Which
attributes there are the rest of the project tells: what it fills and what it uses, by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mdw.language.derive import derive
from mdw.model.dictionary import DataDictionary
from mdw.model.name import entity_of, local_of
from mdw.model.query import ALL, Output, Query, Read, Statement
from mdw.model.tree import Location
from mdw.readers.blocks import mapping_of
from mdw.readers.inputs import COMPILE
from mdw.readers.nodes import attribute, opaque
from mdw.readers.reading import Named
from mdw.readers.sql.dialects import flavour_of
from mdw.readers.sql.naming import Identifiers


@dataclass(frozen=True, slots=True)
class UnknownModel:
    """A model in ``language`` that is not followed: its file, its relation, and the relations it reads.

    ``partly``: it is, but for what it does in some of its runs.
    """

    file: str
    language: str
    relation: str
    reads: tuple[str, ...]
    partly: bool = False


class UnknownModels:
    """The models of a project that are not followed; what the others say of attributes is `noted` before `read`."""

    def __init__(self, models: Sequence[UnknownModel], dialect: str, dictionary: DataDictionary) -> None:
        self._naming = Identifiers(flavour_of(dialect).folding)
        self._models = [(one, self._naming.path(one.relation)) for one in models]
        self._reads = {name: [self._naming.path(read) for read in one.reads] for one, name in self._models}
        self._attributes: dict[str, dict[str, None]] = {}
        for name in (name for made, reads in self._reads.items() for name in (made, *reads)):
            entry = dictionary.entity(name)
            self._attributes[name] = dict.fromkeys(entry.columns if entry else ())

    def noted(self, item: object) -> None:
        """Keep which attributes a mapping speaks of."""
        if not isinstance(item, Named):
            return
        sources = list(item.rules.head.sources)
        names = [population.target for population in item.rules.populations]
        for population in item.rules.populations:
            sources += [source for clause in population.clauses for source in clause.sources]
        for name in (*names, *(source.attribute for source in sources)):
            attributes = self._attributes.get(entity_of(name))
            if attributes is not None:
                attributes[local_of(name)] = None

    def read(self) -> Iterator[Named | Statement]:
        """For each model a mapping from each thing it depends on, and what is to be said of it."""
        for one, name in self._models:
            at = Location(one.file, 1, 1)
            # All that anybody uses of it, and a star for what nobody has asked for yet (rule Q22).
            columns = list(dict.fromkeys((*(key for key in self._attributes[name] if key != ALL), ALL)))
            blocks = [self._block(one, name, read, columns, at) for read in self._reads[name]]
            for block in blocks:
                tree = mapping_of(block)
                yield Named(tree, derive(tree, block.name))
            shown, asks = self._naming.shown(name), ", ".join(map(self._naming.shown, self._reads[name]))
            code = f"in {one.language}" if one.language != "sql" else f"without compiled code ({COMPILE})"
            code = "that was compiled for one run, others not found in it" if one.partly else code
            message = f"a model {code}: whatever is asked of it may come from any attribute of {asks or 'nothing'}"
            given = tuple(self._naming.shown(column) for column in columns if column != ALL)
            reads = tuple(self._reads[name])
            yield Statement(
                "model",
                "partial" if one.partly else "opaque",
                shown,
                given,
                tuple(blocks),
                reads,
                (name,),
                (),
                message,
                at,
                # What it does nobody knows: that it fills its relation, and of what it depends on, is all.
                possible=() if one.partly else (name,),
                effect="adds",
            )

    def _block(self, one: UnknownModel, name: str, read: str, columns: Sequence[str], at: Location) -> Query:
        written = self._naming.written
        sources = [attribute(f"{written(read)}.{written(key)}", at) for key in self._attributes[read] or (ALL,)]
        outputs = [Output(written(key), opaque(f"model in {one.language}", sources, at), at) for key in columns]
        called = f"{one.file}:{self._naming.shown(name)}"
        if len(self._reads[name]) > 1:
            called += f" of {self._naming.shown(read)}"
        return Query(written(name), (Read(written(read), location=at),), tuple(outputs), name=called, location=at)
